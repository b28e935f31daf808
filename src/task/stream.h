/* SPDX-License-Identifier: MIT */
/*
 * stream.h - reads the streams of tasks that journal.h writes.
 *
 *	struct stream s;
 *	struct stream_event ev;
 *	if (!stream_open(&s, fd, &err)) ...
 *	while (stream_next(&s, &ev))
 *		...
 *	stream_close(&s);
 *
 * The reader keeps the open tasks, so that an end also yields the data of the
 * start. At an invalid record the stream ends, and s.damaged is set. The reader
 * sees the stream as it was when opened; after stream_follow(), up to the
 * position that the writer has announced.
 */
#ifndef WEFT_TASK_STREAM_H
#define WEFT_TASK_STREAM_H

#include "base/arena.h"
#include "base/err.h"
#include "base/map.h"
#include "base/vec.h"
#include "task/journal.h"

struct stream_name {
	const char *text;
	uint32_t size;
};

/* Numbers of names, from 1; 0: none. */
struct stream_class {
	uint32_t kind, what, location;
};

struct stream_task {
	uint64_t id, parent; /* 0: none */
	int64_t start;
	uint32_t class;
	uint32_t next_free; /* next unused index + 1, or 0, while this index is
	                     * unused */
};

struct stream_event {
	enum journal_kind kind; /* an event of a task, a fact, or the finish */
	int64_t time;
	struct stream_task task;          /* task of a start or an end */
	const struct stream_class *class; /* class of the event; facts have
	                                   * none */
	uint64_t id;                      /* id of the task */
	uint32_t property, value;         /* a fact: indexes of two names */
};

struct stream {
	int fd; /* borrowed */
	char *buf;
	size_t pos, have; /* next byte in buf; bytes in buf */
	uint64_t at;      /* stream position of buf + pos */
	uint64_t flushed; /* positions below this are in the file after the
	                   * tail */
	uint64_t head;    /* positions from `flushed` to here are in the tail */
	char *tail;       /* copy of the tail */
	uint64_t tail_bytes;
	uint64_t run;
	uint64_t lost; /* rows without room, once the writer has closed the
	                * stream */
	uint32_t why;  /* errno after which everything is lost; 0: none */
	int64_t time;  /* time of the last record */
	bool finished, damaged;
	struct arena arena;
	VEC(struct stream_name) names;
	VEC(struct stream_class) classes;
	VEC(struct stream_task) tasks; /* open tasks and unused indexes */
	uint32_t free_task;            /* first unused index + 1, or 0 */
	struct map open;               /* id to index + 1 */
	uint64_t place[JOURNAL_SLOTS]; /* ids by slot, for short records; 0:
	                                * none */
};

/* Opens a stream of tasks. Returns false and sets err if fd has none. */
bool stream_open(struct stream *s, int fd, struct err *err);

/* Reads up to the position `flushed`, and no longer reads the tail. */
void stream_follow(struct stream *s, uint64_t flushed);

/* Reads up to this position only: an earlier value of s->head. */
void stream_limit(struct stream *s, uint64_t head);

/* Reads the header and the tail again. Returns false if that fails. */
bool stream_refresh(struct stream *s);

/* Reads the next event. Returns false if there is none yet or no more. */
bool stream_next(struct stream *s, struct stream_event *ev);

/* Returns the *n open tasks in the order of start, then id. They live in the
 * stream's arena. */
const struct stream_task *stream_open_tasks(struct stream *s, int *n);

static inline const struct stream_class *
stream_class_of(const struct stream *s, uint32_t class)
{
	return &s->classes.at[class - 1];
}

/* Returns the text of a name; names are numbered from 1. */
static inline const struct stream_name *
stream_name_of(const struct stream *s, uint32_t name)
{
	return &s->names.at[name - 1];
}

void stream_close(struct stream *s);

#endif
