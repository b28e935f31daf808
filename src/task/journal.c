/* SPDX-License-Identifier: MIT */
#include "task/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/tempfile.h"

void
journal_flush(struct journal *j)
{
	tail_flush(&j->tail);
}

static uint32_t
class_of(struct journal *j, const char *kind, const char *what,
	const char *location)
{
	return classes_of(&j->classes, &j->tail, kind, what, location);
}

/* Appends a start of any kind. */
static __attribute__((noinline)) void
put_start(struct journal *j, const struct weft_task *task, int64_t now)
{
	uint32_t class = class_of(j, task->kind, task->what, task->location);
	uint32_t ps = tail_since_last(&j->tail, now);
	bool late = task->start != now;
	uint64_t *to = tail_room(&j->tail, late ? 4 : 3);

	if (to == NULL)
		return;
	if (__builtin_expect(!late && class <= JOURNAL_CLASS_MAX, 1)) {
		journal_put_short_start(j, task->id, task->parent,
			JOURNAL_NO_CLASS | (uint64_t) class << 32, ps);
		return;
	}
	to[1] = task->id;
	to[2] = task->parent;
	if (late)
		to[3] = (uint64_t)task->start;
	tail_commit(&j->tail,
		journal_word(
			late ? JOURNAL_START_AT : JOURNAL_START, class, ps),
		late ? 4 : 3);
}

void
journal_put_start(struct journal *j, const struct weft_task *task, int64_t now)
{
	uint64_t class = classes_word(
		&j->classes, task->kind, task->what, task->location);

	if (__builtin_expect(!seen_is_usual(class) || task->start != now ||
			    !tail_is_plain(&j->tail, now),
		    0))
		put_start(j, task, now);
	else
		journal_put_short_start(j, task->id, task->parent, class,
			tail_since_last(&j->tail, now));
}

/* Appends a record with one number. */
static __attribute__((noinline)) void
put(struct journal *j, enum journal_kind kind, uint32_t number, uint64_t id,
	int64_t now)
{
	uint32_t ps = tail_since_last(&j->tail, now);
	uint64_t *to = tail_room(&j->tail, 2);

	j->lost += to == NULL && kind != JOURNAL_FINISH;
	if (to == NULL)
		return;
	to[1] = id;
	tail_commit(&j->tail, journal_word(kind, number, ps), 2);
}

/* Appends a record about a task of any kind: a short one if the reader has the
 * id in its slot. */
static void
put_of_task(struct journal *j, enum journal_kind kind, enum journal_short what,
	uint32_t class, uint64_t id, int64_t now)
{
	uint32_t ps;

	if (!journal_knows(j, id) || class > JOURNAL_CLASS_MAX) {
		put(j, kind, class, id, now);
		return;
	}
	ps = tail_since_last(&j->tail, now);
	if (tail_room(&j->tail, 1) != NULL)
		journal_put_short(j, what,
			JOURNAL_NO_CLASS | (uint64_t) class << 32, id, ps);
	else
		j->lost++;
}

void
journal_put_end(struct journal *j, uint64_t id, int64_t now)
{
	put_of_task(j, JOURNAL_END, SHORT_END, 0, id, now);
}

void
journal_put_tag(struct journal *j, uint64_t id, const char *what, bool step,
	int64_t now)
{
	put_of_task(j, step ? JOURNAL_STEP : JOURNAL_TAG,
		step ? SHORT_STEP : SHORT_TAG, class_of(j, what, NULL, NULL),
		id, now);
}

void
journal_put_milestone(struct journal *j, uint64_t id,
	const struct weft_milestone *m, int64_t now)
{
	put_of_task(j, JOURNAL_MILESTONE, SHORT_MILESTONE,
		class_of(j, m->kind, m->what, m->location), id, now);
}

void
journal_put_fact(struct journal *j, const char *property, const char *value)
{
	uint32_t key = classes_name(&j->classes, &j->tail, property);

	put(j, JOURNAL_FACT, key, classes_name(&j->classes, &j->tail, value),
		j->tail.last);
}

void
journal_put_finish(struct journal *j, int64_t now)
{
	put(j, JOURNAL_FINISH, 0, 0, now);
}

uint64_t
journal_flushed(const struct journal *j)
{
	return __atomic_load_n(&j->tail.map->flushed, __ATOMIC_ACQUIRE);
}

int
journal_file(const struct journal *j)
{
	return j->fd;
}

uint64_t
journal_lost(const struct journal *j, int *why)
{
	*why = j->tail.why;
	return j->lost;
}

static int
open_file(const char *path, struct err *err)
{
	const char *dir = getenv("TMPDIR");
	int fd;

	if (path == NULL)
		return tempfile_open(dir != NULL ? dir : "/tmp", err);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
	if (fd >= 0 && ftruncate(fd, 0) == 0)
		return fd;
	err_set(err, ERR_SYSTEM, "cannot write %s", path);
	if (fd >= 0)
		close(fd);
	return -1;
}

static bool
open_tail(
	struct journal *j, const char *store, uint64_t run, uint32_t tail_bytes)
{
	struct journal_head head = {
		.version = JOURNAL_VERSION, .tail_bytes = tail_bytes, .run = run
	};

	strncpy(head.store, store, sizeof head.store - 1);
	return tail_open(&j->tail, j->fd, &head);
}

struct journal *
journal_open(const char *path, const char *store, uint64_t run,
	struct weft_sim_engine *e, struct err *err)
{
	struct journal *j;
	int fd = open_file(path, err);

	if (fd < 0)
		return NULL;
	j = mem_resize(NULL, 1, sizeof *j);
	memset(j, 0, sizeof *j);
	j->fd = fd;
	classes_init(&j->classes, e);
	if (open_tail(j, store, run, JOURNAL_TAIL_BYTES) ||
		open_tail(j, store, run, JOURNAL_TAIL_BYTES / 4))
		return j;
	errno = j->tail.why;
	err_set(err, ERR_SYSTEM, "cannot write %s",
		path != NULL ? path : "a temporary file");
	journal_close(j);
	return NULL;
}

void
journal_close(struct journal *j)
{
	if (j == NULL)
		return;
	tail_close(&j->tail, j->lost);
	close(j->fd);
	classes_fini(&j->classes);
	mem_free(j);
}
