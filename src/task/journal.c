/* SPDX-License-Identifier: MIT */
#include "task/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/tempfile.h"
#include "base/utf8.h"
#include "sim/hook.h"
#include "store/names.h"

#define PIECE ((uint64_t)64 << 10) /* of the file, to be written at once */
#define CACHED 1024u               /* triples of texts; a power of two */

/* A triple of texts as it was last seen at these addresses. */
struct seen {
	const char *text[3];
	uint32_t class;
	bool constant; /* no text can change */
};

/* What a triple was when it was seen; NULL: the text cannot change. */
struct copies {
	const char *text[3];
};

struct journal {
	/* What each record needs. */
	uint64_t *at, *end; /* in the tail */
	int64_t last;       /* time of the record before */
	struct journal_head *map;
	/* The rest. */
	uint64_t lost;
	int why; /* an errno, once it failed */
	int fd;
	uint64_t *tail;
	uint64_t records;               /* where they begin in the file */
	struct weft_sim_engine *engine; /* or NULL */
	struct arena arena;
	struct names names, classes;
	uint64_t place[JOURNAL_PLACES]; /* ids, as its reader has them */
	struct seen seen[CACHED];
	struct copies copies[CACHED];
};

/*
 * How far to fill the tail until it is emptied: to where the file is at a
 * multiple of PIECE, as the kernel then takes its memory for pages in large
 * pieces; and wide enough for a record of so many words.
 */
static void
set_end(struct journal *j, size_t words)
{
	uint64_t at = j->records + j->map->flushed, room;

	room = (at + j->map->tail_bytes) / PIECE * PIECE;
	if (room < at + 8 * words)
		room = at + j->map->tail_bytes;
	j->end = j->tail + (room - at) / 8;
}

/* Empties the tail. Writes so many bytes: no record is in those beyond `head`,
 * and the next ones overwrite them. */
static void
flush(struct journal *j, uint64_t bytes)
{
	const char *from = (const char *)j->tail;
	uint64_t flushed = j->map->flushed, n = j->map->head - flushed;

	for (uint64_t done = 0; done < bytes && j->why == 0;) {
		ssize_t got = pwrite(j->fd, from + done, bytes - done,
			(off_t)(j->records + flushed + done));

		if (got > 0)
			done += (uint64_t)got;
		else if (errno != EINTR)
			j->why = errno;
	}
	j->map->why = (uint32_t)j->why;
	if (j->why != 0)
		return;
	__atomic_store_n(&j->map->flushed, flushed + n, __ATOMIC_RELEASE);
	j->at = j->tail;
}

void
journal_flush(struct journal *j)
{
	flush(j, j->map->head - j->map->flushed);
	if (j->why == 0)
		set_end(j, 0);
}

/* Room for a record, or NULL: it is lost, and all that follows. */
static __attribute__((noinline, cold)) uint64_t *
make_room(struct journal *j, size_t words)
{
	if (j->why == 0)
		flush(j, (uint64_t)(j->end - j->tail) * 8);
	if (j->why == 0) {
		set_end(j, words);
		return j->at;
	}
	j->end = j->at; /* none for smaller ones, either */
	return NULL;
}

static inline uint64_t *
room(struct journal *j, size_t words)
{
	if (__builtin_expect((size_t)(j->end - j->at) >= words, 1))
		return j->at;
	return make_room(j, words);
}

/* Makes the record valid that was written. */
static inline void
commit(struct journal *j, uint64_t first, size_t words)
{
	*j->at = first;
	j->at += words;
	__atomic_store_n(
		&j->map->head, j->map->head + words * 8, __ATOMIC_RELEASE);
}

static inline uint64_t
first_word(enum journal_kind kind, uint32_t number, uint32_t ps)
{
	return (uint64_t)kind << 60 | (uint64_t)number << 32 | ps;
}

/* A record that sets the time: the one before is too far away, or later. */
static __attribute__((noinline, cold)) void
put_time(struct journal *j, int64_t now)
{
	uint64_t *to = room(j, 2);

	if (to == NULL)
		return;
	to[1] = (uint64_t)now;
	commit(j, first_word(JOURNAL_TIME, 0, 0), 2);
	j->last = now;
}

static inline uint32_t
since_last(struct journal *j, int64_t now)
{
	uint64_t ps = (uint64_t)now - (uint64_t)j->last;

	if (__builtin_expect(ps > UINT32_MAX, 0)) {
		put_time(j, now);
		return 0;
	}
	j->last = now;
	return (uint32_t)ps;
}

static uint32_t
put_name(struct journal *j, const char *text, size_t n)
{
	uint32_t before = j->names.n;
	uint32_t name = names_add(&j->names, text, n);
	size_t words = 1 + (n + 7) / 8;
	uint64_t *to;

	if (j->names.n == before)
		return name;
	to = room(j, words);
	if (to == NULL)
		return name;
	memcpy(to + 1, text, n); /* what is behind is zero */
	commit(j, first_word(JOURNAL_NAME, (uint32_t)n, 0), words);
	return name;
}

/* The number of a text; what is no UTF-8 becomes U+FFFD. Cut so that it fits
 * the tail even so. */
static uint32_t
name_of(struct journal *j, const char *text)
{
	size_t n = strnlen(text, (j->records - JOURNAL_TAIL) / 4);
	char *mended;
	uint32_t name;

	if (utf8_is_valid(text, n))
		return put_name(j, text, n);
	mended = mem_resize(NULL, 3, n);
	name = put_name(j, mended, utf8_mend(mended, text, n));
	mem_free(mended);
	return name;
}

struct address {
	uintptr_t at;
	bool constant;
};

static int
find_segment(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct address *a = arg;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];

		if (p->p_type == PT_LOAD &&
			a->at - (info->dlpi_addr + p->p_vaddr) < p->p_memsz)
			a->constant = (p->p_flags & PF_W) == 0;
	}
	return 0;
}

/* A literal, or a string of the engine; other texts may be others at the same
 * address later on. */
static bool
is_constant(const struct journal *j, const char *text)
{
	struct address a = { (uintptr_t)text, false };

	if (text == NULL || (j->engine != NULL && sim_keeps(j->engine, text)))
		return true;
	dl_iterate_phdr(find_segment, &a);
	return a.constant;
}

static bool
is_same(const struct journal *j, const struct seen *s)
{
	const struct copies *copy = &j->copies[s - j->seen];

	for (int i = 0; i < 3; i++)
		if (copy->text[i] != NULL && s->text[i] != NULL &&
			strcmp(copy->text[i], s->text[i]) != 0)
			return false;
	return true;
}

static __attribute__((noinline, cold)) uint32_t
new_class(struct journal *j, struct seen *s, const char *const text[3])
{
	struct copies *copy = &j->copies[s - j->seen];
	uint32_t name[3], before = j->classes.n;
	uint64_t *to;

	s->constant = true;
	for (int i = 0; i < 3; i++) {
		bool constant = is_constant(j, text[i]);

		name[i] = text[i] != NULL ? name_of(j, text[i]) : 0;
		s->text[i] = text[i];
		copy->text[i] = constant ? NULL : j->names.at[name[i] - 1].text;
		s->constant &= constant;
	}
	s->class = names_add(&j->classes, (const char *)name, sizeof name);
	to = j->classes.n != before ? room(j, 3) : NULL;
	if (to != NULL) {
		to[1] = (uint64_t)name[0] << 32 | name[1];
		to[2] = name[2];
		commit(j, first_word(JOURNAL_CLASS, 0, 0), 3);
	}
	return s->class;
}

static inline struct seen *
seen_of(struct journal *j, const char *kind, const char *what,
	const char *location)
{
	uintptr_t h =
		(uintptr_t)kind * 3 ^ (uintptr_t)what * 5 ^ (uintptr_t)location;

	return &j->seen[(h ^ h >> 10) & (CACHED - 1)];
}

static inline bool
has_texts(const struct seen *s, const char *kind, const char *what,
	const char *location)
{
	return (((uintptr_t)s->text[0] ^ (uintptr_t)kind) |
		       ((uintptr_t)s->text[1] ^ (uintptr_t)what) |
		       ((uintptr_t)s->text[2] ^ (uintptr_t)location)) == 0;
}

/* The number of a triple of texts. */
static inline uint32_t
class_of(struct journal *j, const char *kind, const char *what,
	const char *location)
{
	struct seen *s = seen_of(j, kind, what, location);

	if (__builtin_expect(has_texts(s, kind, what, location) &&
			    (s->constant || is_same(j, s)),
		    1))
		return s->class;
	return new_class(j, s, (const char *const[]){ kind, what, location });
}

/* Where the id of a task is put. */
static inline uint32_t
place_of(uint64_t id)
{
	return (uint32_t)(id * UINT64_C(0x9e3779b97f4a7c15) >> 54);
}

static inline uint64_t
short_word(enum journal_short what, uint32_t place, uint32_t class, uint32_t ps)
{
	return first_word(JOURNAL_SHORT,
		(uint32_t)what << JOURNAL_WHAT_SHIFT |
			place << JOURNAL_PLACE_SHIFT | class,
		ps);
}

/* A start that is now. */
static inline void
put_short_start(struct journal *j, const struct weft_task *task, uint32_t class,
	uint32_t ps)
{
	uint32_t place = place_of(task->id), parent = place_of(task->parent);
	enum journal_short what = SHORT_START;
	uint64_t *to = room(j, 3);

	if (to == NULL)
		return;
	to[1] = task->id;
	if (task->parent == 0) {
		what = SHORT_TOP;
	} else if (j->place[parent] == task->parent &&
		ps >> JOURNAL_CHILD_SHIFT == 0) {
		what = SHORT_CHILD;
		ps |= parent << JOURNAL_CHILD_SHIFT;
	} else {
		to[2] = task->parent;
	}
	j->place[place] = task->id;
	commit(j, short_word(what, place, class, ps),
		what == SHORT_START ? 3 : 2);
}

/* True if a short record of up to three words can be put as it is: its time is
 * near, and the tail has room. */
static inline bool
is_plain(const struct journal *j, int64_t now)
{
	return (uint64_t)now - (uint64_t)j->last <= UINT32_MAX &&
		j->end - j->at >= 3;
}

/* A start of any kind. */
static __attribute__((noinline)) void
put_start(struct journal *j, const struct weft_task *task, int64_t now)
{
	uint32_t class = class_of(j, task->kind, task->what, task->location);
	uint32_t ps = since_last(j, now);
	bool late = task->start != now;
	uint64_t *to;

	if (__builtin_expect(!late && class <= JOURNAL_CLASS_MAX, 1)) {
		put_short_start(j, task, class, ps);
		return;
	}
	to = room(j, late ? 4 : 3);
	if (to == NULL)
		return;
	to[1] = task->id;
	to[2] = task->parent;
	if (late)
		to[3] = (uint64_t)task->start;
	commit(j,
		first_word(late ? JOURNAL_START_AT : JOURNAL_START, class, ps),
		late ? 4 : 3);
}

/* Calls nothing in the usual case: so that needs no frame. */
void
journal_put_start(struct journal *j, const struct weft_task *task, int64_t now)
{
	const struct seen *s =
		seen_of(j, task->kind, task->what, task->location);

	if (__builtin_expect(
		    !has_texts(s, task->kind, task->what, task->location) ||
			    !s->constant || task->start != now ||
			    s->class > JOURNAL_CLASS_MAX || !is_plain(j, now),
		    0))
		put_start(j, task, now);
	else
		put_short_start(j, task, s->class, since_last(j, now));
}

/* A record of one number. */
static __attribute__((noinline)) void
put(struct journal *j, enum journal_kind kind, uint32_t number, uint64_t id,
	int64_t now)
{
	uint32_t ps = since_last(j, now);
	uint64_t *to = room(j, 2);

	j->lost += to == NULL && kind != JOURNAL_FINISH;
	if (to == NULL)
		return;
	to[1] = id;
	commit(j, first_word(kind, number, ps), 2);
}

/* The same of a task of any kind, short if the reader knows its place. */
static __attribute__((noinline)) void
put_any(struct journal *j, enum journal_kind kind, enum journal_short what,
	uint32_t class, uint64_t id, int64_t now)
{
	uint32_t place = place_of(id), ps;
	uint64_t *to;

	if (__builtin_expect(
		    j->place[place] != id || class > JOURNAL_CLASS_MAX, 0)) {
		put(j, kind, class, id, now);
		return;
	}
	ps = since_last(j, now);
	to = room(j, 1);
	j->lost += to == NULL;
	if (to != NULL)
		commit(j, short_word(what, place, class, ps), 1);
}

static inline __attribute__((always_inline)) void
put_of_task(struct journal *j, enum journal_kind kind, enum journal_short what,
	uint32_t class, uint64_t id, int64_t now)
{
	uint32_t place = place_of(id);

	if (__builtin_expect(j->place[place] != id ||
			    class > JOURNAL_CLASS_MAX || !is_plain(j, now),
		    0))
		put_any(j, kind, what, class, id, now);
	else
		commit(j, short_word(what, place, class, since_last(j, now)),
			1);
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
	uint32_t class = class_of(j, what, NULL, NULL);

	put_of_task(j, step ? JOURNAL_STEP : JOURNAL_TAG,
		step ? SHORT_STEP : SHORT_TAG, class, id, now);
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
	uint32_t key = name_of(j, property);

	put(j, JOURNAL_FACT, key, name_of(j, value), j->last);
}

void
journal_put_finish(struct journal *j, int64_t now)
{
	put(j, JOURNAL_FINISH, 0, 0, now);
}

uint64_t
journal_flushed(const struct journal *j)
{
	return __atomic_load_n(&j->map->flushed, __ATOMIC_ACQUIRE);
}

int
journal_file(const struct journal *j)
{
	return j->fd;
}

uint64_t
journal_lost(const struct journal *j, int *why)
{
	*why = j->why;
	return j->lost;
}

/* Maps the header and a tail of that size. */
static bool
make_head(
	struct journal *j, const char *store, uint64_t run, uint64_t tail_bytes)
{
	void *map;

	j->records = JOURNAL_TAIL + tail_bytes;
	j->why = posix_fallocate(j->fd, 0, (off_t)j->records);
	if (j->why != 0)
		return false;
	map = mmap(NULL, j->records, PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_POPULATE, j->fd, 0);
	if (map == MAP_FAILED) {
		j->why = errno;
		return false;
	}
	j->map = map;
	j->tail = (uint64_t *)((char *)map + JOURNAL_TAIL);
	j->at = j->tail;
	*j->map = (struct journal_head){ .version = JOURNAL_VERSION,
		.tail_bytes = (uint32_t)tail_bytes,
		.run = run };
	set_end(j, 0);
	strncpy(j->map->store, store, sizeof j->map->store - 1);
	memcpy(j->map->magic, JOURNAL_MAGIC, sizeof j->map->magic);
	return true;
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
	j->engine = e;
	names_init(&j->names, &j->arena);
	names_init(&j->classes, &j->arena);
	if (make_head(j, store, run, JOURNAL_TAIL_BYTES) ||
		make_head(j, store, run, JOURNAL_TAIL_BYTES / 4))
		return j;
	errno = j->why;
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
	if (j->map != NULL) {
		journal_flush(j);
		j->map->lost = j->lost;
		munmap(j->map, j->records);
	}
	close(j->fd);
	names_fini(&j->names);
	names_fini(&j->classes);
	arena_fini(&j->arena);
	mem_free(j);
}
