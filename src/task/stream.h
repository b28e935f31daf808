/* SPDX-License-Identifier: MIT */
/*
 * stream.h - reads what journal.h wrote.
 *
 *	struct stream s;
 *	struct stream_event ev;
 *	if (!stream_open(&s, fd, "run.stream", &err)) ...
 *	while (stream_next(&s, UINT64_MAX, &ev))
 *		...
 *	stream_close(&s);
 *
 * It keeps the tasks that are open, so an end knows its start. A record that
 * makes no sense is damage: there the stream ends, and s.damaged is set. While
 * it is written, `limit` says up to which byte of the file it is whole.
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
	uint64_t at;      /* in the file, of buf + pos */
	uint64_t run;
	int64_t time; /* of the last record */
	bool finished, damaged;
	struct arena arena;
	VEC(struct stream_name) names;
	VEC(struct stream_class) classes;
	VEC(struct stream_task) tasks; /* open ones, and free places */
	uint32_t free_task;            /* index + 1, or 0 */
	struct map open;               /* id: index + 1 */
};

/* False with err: no stream of tasks. */
bool stream_open(struct stream *s, int fd, struct err *err);

/* The next thing that happened before that byte. False: nothing yet, or more.
 */
bool stream_next(struct stream *s, uint64_t limit, struct stream_event *ev);

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
