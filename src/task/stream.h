/* SPDX-License-Identifier: MIT */
/*
 * stream.h - reads what journal.h wrote.
 *
 *	struct stream s;
 *	struct stream_event ev;
 *	if (!stream_open(&s, fd, &err)) ...
 *	while (stream_next(&s, &ev))
 *		...
 *	stream_close(&s);
 *
 * It keeps the tasks that are open, so an end knows its start. A record that
 * makes no sense is damage: there the stream ends, and s.damaged is set. It is
 * read as it was when it was opened; or, with stream_follow(), as far as its
 * writer says.
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

/* Names, from 1; 0: none. */
struct stream_class {
	uint32_t kind, what, location;
};

struct stream_task {
	uint64_t id, parent; /* 0: none */
	int64_t start;
	uint32_t class;
	uint32_t next_free; /* while the place is free */
};

struct stream_event {
	enum journal_kind kind; /* of those that happen to tasks, a fact, the
	                         * finish */
	int64_t time;
	struct stream_task task;          /* of a start and an end */
	const struct stream_class *class; /* of all but facts */
	uint64_t id;                      /* of the task */
	uint32_t property, value;         /* names, of a fact */
};

struct stream {
	int fd; /* borrowed */
	char *buf;
	size_t pos, have; /* in buf */
	uint64_t at;      /* position of buf + pos */
	uint64_t flushed; /* positions before are behind the tail */
	uint64_t head;    /* and those from there to here in it */
	char *tail;       /* as it was */
	uint64_t tail_bytes;
	uint64_t run;
	uint64_t lost; /* rows that had no room, once it is closed */
	uint32_t why;  /* an errno: what followed is lost */
	int64_t time;  /* of the last record */
	bool finished, damaged;
	struct arena arena;
	VEC(struct stream_name) names;
	VEC(struct stream_class) classes;
	VEC(struct stream_task) tasks;  /* open ones, and free places */
	uint32_t free_task;             /* index + 1, or 0 */
	struct map open;                /* id: index + 1 */
	uint64_t place[JOURNAL_PLACES]; /* ids, for short records; or 0 */
};

/* False with err: no stream of tasks. */
bool stream_open(struct stream *s, int fd, struct err *err);

/* Reads what was flushed up to there, and the tail no more. */
void stream_follow(struct stream *s, uint64_t flushed);

/* Reads no further than to that position: what was s->head before. */
void stream_limit(struct stream *s, uint64_t head);

/* Reads it as it is now, the tail too. False: that cannot be read. */
bool stream_refresh(struct stream *s);

/* The next thing that happened. False: nothing yet, or nothing more. */
bool stream_next(struct stream *s, struct stream_event *ev);

/* The tasks that are open, by start and id; *n of them, in its arena. */
const struct stream_task *stream_open_tasks(struct stream *s, int *n);

static inline const struct stream_class *
stream_class_of(const struct stream *s, uint32_t class)
{
	return &s->classes.at[class - 1];
}

/* The text of a name from 1. */
static inline const struct stream_name *
stream_name_of(const struct stream *s, uint32_t name)
{
	return &s->names.at[name - 1];
}

void stream_close(struct stream *s);

#endif
