/* SPDX-License-Identifier: MIT */
#include "task/stream.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/utf8.h"

#define BUFFER ((size_t)256 << 10) /* more than the longest record */

static bool
read_head(int fd, struct journal_head *head)
{
	return file_pread(fd, head, sizeof *head, 0) == (int64_t)sizeof *head &&
		memcmp(head->magic, JOURNAL_MAGIC, sizeof head->magic) == 0;
}

/* Copies the tail. The writer may be emptying and refilling it meanwhile, so
 * the copy is repeated until the header has not changed. */
bool
stream_refresh(struct stream *s)
{
	struct journal_head before, after;

	do {
		if (!read_head(s->fd, &before) ||
			before.head - before.flushed > s->tail_bytes ||
			file_pread(s->fd, s->tail, s->tail_bytes,
				JOURNAL_TAIL) != (int64_t)s->tail_bytes ||
			!read_head(s->fd, &after))
			return false;
	} while (before.flushed != after.flushed);
	s->lost = after.lost;
	s->why = after.why;
	s->flushed = before.flushed;
	s->head = before.head & ~UINT64_C(7);
	return true;
}

bool
stream_open(struct stream *s, int fd, struct err *err)
{
	struct journal_head head;

	*s = (struct stream){ .fd = fd };
	if (!read_head(fd, &head))
		return err_set(err, ERR_INPUT, "not a stream of tasks");
	s->run = head.run;
	if (head.version < 1 || head.version > JOURNAL_VERSION ||
		head.tail_bytes > JOURNAL_TAIL_BYTES)
		return err_set(err, ERR_INPUT,
			"a stream of tasks of version %u; this build reads "
			"version %d",
			head.version, JOURNAL_VERSION);
	s->buf = mem_resize(NULL, BUFFER, 1);
	s->tail_bytes = head.tail_bytes;
	s->tail = mem_resize(NULL, JOURNAL_TAIL_BYTES, 1);
	if (stream_refresh(s))
		return true;
	stream_close(s);
	return err_set(err, ERR_INPUT, "a damaged stream of tasks");
}

void
stream_follow(struct stream *s, uint64_t flushed)
{
	s->flushed = s->head = flushed;
}

void
stream_limit(struct stream *s, uint64_t head)
{
	if (head < s->head)
		s->head = head;
	if (s->head < s->flushed)
		s->flushed = s->head;
}

void
stream_close(struct stream *s)
{
	mem_free(s->buf);
	mem_free(s->tail);
	map_fini(&s->open);
	arena_fini(&s->arena);
	*s = (struct stream){ .fd = -1 };
}

/* Reads bytes into the buffer, after those that it has. */
static bool
read_more(struct stream *s)
{
	uint64_t from = s->at + s->have;
	uint64_t end = from < s->flushed ? s->flushed : s->head;
	size_t room = BUFFER - s->have;
	int64_t got;

	if (from >= end)
		return false;
	if (room > end - from)
		room = (size_t)(end - from);
	if (from >= s->flushed) {
		memcpy(s->buf + s->have, s->tail + (from - s->flushed), room);
		s->have += room;
		return true;
	}
	got = file_pread(s->fd, s->buf + s->have, room,
		(int64_t)(JOURNAL_TAIL + s->tail_bytes + from));
	s->have += got > 0 ? (size_t)got & ~(size_t)7 : 0;
	return got >= 8;
}

/* Returns the first n words of the next record, or NULL if the stream ends
 * before. */
static const char *
words(struct stream *s, size_t n)
{
	if (s->have - s->pos >= 8 * n)
		return s->buf + s->pos;
	memmove(s->buf, s->buf + s->pos, s->have - s->pos);
	s->have -= s->pos;
	s->pos = 0;
	while (s->have < 8 * n)
		if (!read_more(s))
			return NULL;
	return s->buf;
}

static uint64_t
word(const char *at, size_t i)
{
	uint64_t value;

	memcpy(&value, at + 8 * i, sizeof value);
	return value;
}

static void
add_open(struct stream *s, const struct stream_task *task)
{
	uint64_t *at = map_put(&s->open, task->id);
	uint32_t i;

	if (*at != 0) {
		i = (uint32_t)*at; /* damage: two starts of one id; only the
		                    * later one counts */
	} else if (s->free_task != 0) {
		i = s->free_task;
		s->free_task = s->tasks.at[i - 1].next_free;
	} else {
		(void)VEC_ADD(&s->tasks, &s->arena);
		i = (uint32_t)s->tasks.n;
	}
	*at = i;
	s->tasks.at[i - 1] = *task;
}

/* Removes an open task and copies it. Returns false if it is not open. */
static bool
take_open(struct stream *s, uint64_t id, struct stream_task *task)
{
	uint64_t *at = map_get(&s->open, id);
	uint32_t i;

	if (at == NULL)
		return false;
	i = (uint32_t)*at;
	*task = s->tasks.at[i - 1];
	s->tasks.at[i - 1].next_free = s->free_task;
	s->free_task = i;
	map_remove(&s->open, id);
	return true;
}

/* Returns the words of a record including the first, or 0 for an unknown
 * kind. */
static size_t
length(uint64_t first)
{
	static const uint8_t length[16] = {
		[JOURNAL_CLASS] = 3,
		[JOURNAL_START] = 3,
		[JOURNAL_START_AT] = 4,
		[JOURNAL_END] = 2,
		[JOURNAL_TAG] = 2,
		[JOURNAL_STEP] = 2,
		[JOURNAL_MILESTONE] = 2,
		[JOURNAL_TIME] = 2,
		[JOURNAL_FACT] = 2,
		[JOURNAL_FINISH] = 2,
	};
	static const uint8_t short_length[8] = {
		[SHORT_START] = 3,
		[SHORT_TOP] = 2,
		[SHORT_CHILD] = 2,
		[SHORT_END] = 1,
		[SHORT_TAG] = 1,
		[SHORT_STEP] = 1,
		[SHORT_MILESTONE] = 1,
	};
	uint32_t number = first >> 32 & JOURNAL_NUMBER_MAX;

	if (first >> 60 == JOURNAL_SHORT)
		return short_length[number >> JOURNAL_WHAT_SHIFT];
	if (first >> 60 == JOURNAL_NAME)
		return number < BUFFER - 16 ? 1 + (number + (size_t)7) / 8 : 0;
	return length[first >> 60];
}

/* Reads a record that defines a class. */
static bool
define(struct stream *s, const char *at)
{
	uint32_t names[3] = { (uint32_t)(word(at, 1) >> 32),
		(uint32_t)word(at, 1), (uint32_t)word(at, 2) };

	for (int i = 0; i < 3; i++)
		if (names[i] > (uint32_t)s->names.n)
			return false;
	VEC_PUSH(&s->classes, &s->arena,
		((struct stream_class){ names[0], names[1], names[2] }));
	return true;
}

/* Adds a name. The writer stores only valid UTF-8. */
static void
add_name(struct stream *s, uint64_t first, const char *at)
{
	uint32_t n = first >> 32 & JOURNAL_NUMBER_MAX;
	struct stream_name name = { .size = n };
	char *text;

	if (utf8_is_valid(at + 8, n)) {
		name.text = arena_strndup(&s->arena, at + 8, n);
	} else {
		text = ARENA_ARRAY(&s->arena, char, 3 * (size_t)n + 1);
		name.size = (uint32_t)utf8_mend(text, at + 8, n);
		name.text = text;
	}
	VEC_PUSH(&s->names, &s->arena, name);
}

/* Sets the class of an event. Returns false if the class is unknown or lacks a
 * name that the event must have. */
static bool
set_class(struct stream *s, uint32_t number, struct stream_event *ev)
{
	if (number == 0 || number > (uint32_t)s->classes.n)
		return false;
	ev->class = stream_class_of(s, number);
	if (ev->kind == JOURNAL_TAG || ev->kind == JOURNAL_STEP)
		return ev->class->kind != 0;
	return ev->class->kind != 0 && ev->class->what != 0 &&
		(ev->class->location != 0 || ev->kind == JOURNAL_MILESTONE);
}

/* The fields of an event record, long or short. */
struct happening {
	enum journal_kind kind;
	uint32_t number, ps;
	uint64_t id, parent;
};

static struct happening
read_long(uint64_t first, const char *at)
{
	enum journal_kind kind = (enum journal_kind)(first >> 60);
	bool starts = kind == JOURNAL_START || kind == JOURNAL_START_AT;

	return (struct happening){ .kind = kind,
		.number = first >> 32 & JOURNAL_NUMBER_MAX,
		.ps = (uint32_t)first,
		.id = word(at, 1),
		.parent = starts ? word(at, 2) : 0 };
}

/* Reads a short record. A slot has 0, the id of no task, until a start writes
 * it. */
static struct happening
read_short(struct stream *s, uint64_t first, const char *at)
{
	static const enum journal_kind kind[8] = {
		[SHORT_START] = JOURNAL_START,
		[SHORT_TOP] = JOURNAL_START,
		[SHORT_CHILD] = JOURNAL_START,
		[SHORT_END] = JOURNAL_END,
		[SHORT_TAG] = JOURNAL_TAG,
		[SHORT_STEP] = JOURNAL_STEP,
		[SHORT_MILESTONE] = JOURNAL_MILESTONE,
	};
	uint32_t number = first >> 32 & JOURNAL_NUMBER_MAX;
	uint32_t what = number >> JOURNAL_WHAT_SHIFT;
	uint64_t *place =
		&s->place[number >> JOURNAL_SLOT_SHIFT & (JOURNAL_SLOTS - 1)];
	struct happening h = { .kind = kind[what],
		.number = number & JOURNAL_CLASS_MAX,
		.ps = (uint32_t)first };

	if (what == SHORT_CHILD) {
		h.parent = s->place[h.ps >> JOURNAL_CHILD_SHIFT];
		h.ps &= (UINT32_C(1) << JOURNAL_CHILD_SHIFT) - 1;
	}
	if (h.kind == JOURNAL_START)
		*place = word(at, 1);
	if (what == SHORT_START)
		h.parent = word(at, 2);
	h.id = *place;
	return h;
}

/* Fills the event. Returns false if the record is damaged. */
static bool
take(struct stream *s, const struct happening *h, const char *at,
	struct stream_event *ev)
{
	uint32_t number = h->number;

	ev->id = h->id;
	switch (ev->kind) {
	case JOURNAL_START:
	case JOURNAL_START_AT:
		ev->task = (struct stream_task){ .id = ev->id,
			.parent = h->parent,
			.start = ev->kind == JOURNAL_START
				? s->time
				: (int64_t)word(at, 3),
			.class = number };
		if (!set_class(s, number, ev))
			return false;
		add_open(s, &ev->task);
		return true;
	case JOURNAL_END:
		if (!take_open(s, ev->id, &ev->task))
			return false;
		ev->class = stream_class_of(s, ev->task.class);
		return true;
	case JOURNAL_FACT:
		ev->property = number;
		ev->value = (uint32_t)ev->id;
		return number - 1 < (uint32_t)s->names.n &&
			ev->id - 1 < (uint32_t)s->names.n;
	case JOURNAL_FINISH:
		s->finished = true;
		return true;
	default:
		return set_class(s, number, ev);
	}
}

/* Applies the record. Returns 1 for an event, 0 for a definition, -1 for
 * damage. */
static int
apply(struct stream *s, uint64_t first, const char *at, struct stream_event *ev)
{
	struct happening h;

	*ev = (struct stream_event){ .kind = (enum journal_kind)(first >> 60) };
	if (ev->kind == JOURNAL_NAME) {
		add_name(s, first, at);
		return 0;
	}
	if (ev->kind == JOURNAL_CLASS)
		return define(s, at) ? 0 : -1;
	if (ev->kind == JOURNAL_TIME) {
		s->time = (int64_t)word(at, 1);
		return 0;
	}
	h = ev->kind == JOURNAL_SHORT ? read_short(s, first, at)
				      : read_long(first, at);
	ev->kind = h.kind;
	s->time = (int64_t)((uint64_t)s->time + h.ps);
	ev->time = s->time;
	if (first >> 60 == JOURNAL_SHORT && h.id == 0)
		return -1;
	return take(s, &h, at, ev) ? 1 : -1;
}

bool
stream_next(struct stream *s, struct stream_event *ev)
{
	for (int got = 0; got == 0 && !s->damaged;) {
		const char *at = words(s, 1);
		uint64_t first = at != NULL ? word(at, 0) : 0;
		size_t n = length(first);

		if (first == 0)
			return false;
		if (n > 0 && (at = words(s, n)) == NULL)
			return false;
		got = n > 0 ? apply(s, first, at, ev) : -1;
		s->damaged = got < 0;
		s->pos += 8 * n;
		s->at += 8 * n;
		if (got > 0)
			return true;
	}
	return false;
}

static int
by_start(const void *pa, const void *pb)
{
	const struct stream_task *a = pa, *b = pb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->id < b->id ? -1 : a->id > b->id;
}

const struct stream_task *
stream_open_tasks(struct stream *s, int *n)
{
	struct stream_task *list =
		ARENA_ARRAY(&s->arena, struct stream_task, map_count(&s->open));
	uint64_t id, i;
	size_t pos = 0;

	*n = 0;
	while (map_next(&s->open, &pos, &id, &i))
		list[(*n)++] = s->tasks.at[i - 1];
	if (*n > 1)
		qsort(list, (size_t)*n, sizeof *list, by_start);
	return list;
}
