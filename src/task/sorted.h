/* SPDX-License-Identifier: MIT */
/*
 * sorted.h - the tasks of a store in the order of their starts.
 *
 *	sorted_init(&s, &arena, "/tmp");
 *	while (...)
 *		sorted_add(&s, &task);
 *	for (sorted_start(&s); (t = sorted_next(&s)) != NULL;)
 *		...
 *	ok = !sorted_failed(&s, &err);
 *	sorted_fini(&s);
 *
 * A store has tasks in the order of their ends. As many as fit are sorted in
 * memory (24 MiB); more are written as sorted runs into a nameless file, and
 * merged at each walk. Tasks that start at one time keep their order.
 */
#ifndef WEFT_TASK_SORTED_H
#define WEFT_TASK_SORTED_H

#include "base/loser.h"
#include "base/tempfile.h"
#include "base/vec.h"

struct arena;

struct sorted_task {
	int64_t start, end; /* start >= 0 */
	uint32_t group, what;
	uint32_t index; /* as they were added, from 0 */
	uint32_t lane;  /* the caller's */
};

struct sorted_run {
	int64_t first, at, end; /* offsets in the file: the run; what is left */
	struct sorted_task *task; /* its share of the buffer */
	size_t n, pos;
};

struct sorted {
	struct arena *arena;              /* borrowed */
	struct sorted_task *task, *spare; /* room for SORTED_ROOM; owned */
	size_t n;                         /* that wait */
	size_t share, pos;                /* of a walk */
	struct tempfile file;             /* none: all are in memory */
	VEC(struct sorted_run) runs;
	struct loser tree;
	int current; /* the run of the task that was given, or -1 */
	bool complete;
	uint32_t total;
};

#define SORTED_ROOM ((size_t)384 << 10)

void sorted_init(struct sorted *s, struct arena *a, const char *dir);

/* Not after the first walk. */
void sorted_add(struct sorted *s, const struct sorted_task *t);

/* Begins a walk, as often as wanted. */
void sorted_start(struct sorted *s);

/* The next task, until the next call; NULL at the end. */
const struct sorted_task *sorted_next(struct sorted *s);

/* True, with err, if the file could not be written or read. */
bool sorted_failed(const struct sorted *s, struct err *err);

void sorted_fini(struct sorted *s);

#endif
