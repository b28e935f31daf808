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
 * A store has tasks in the order of their ends. Up to 24 MiB of tasks are
 * sorted in memory; more are written to an unnamed file as sorted spill runs,
 * which every walk merges. Tasks that start at the same time keep their order.
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
	uint32_t index; /* order of sorted_add(), from 0 */
	uint32_t lane;  /* used by the caller */
};

struct sorted_run {
	int64_t first, at, end;   /* byte offsets of the spill run: begin, next
	                           * to read, end */
	struct sorted_task *task; /* its share of the buffer */
	size_t n, pos;
};

struct sorted {
	struct arena *arena;              /* borrowed */
	struct sorted_task *task, *spare; /* room for SORTED_ROOM; owned */
	size_t n;                         /* tasks in memory */
	size_t share, pos;                /* tasks of a spill run in memory;
	                                   * position of a walk in memory */
	struct tempfile file;             /* unused while all tasks are in
	                                   * memory */
	VEC(struct sorted_run) runs;
	struct loser tree;
	int current; /* spill run of the last task returned, or -1 */
	bool complete;
	uint32_t total;
};

#define SORTED_ROOM ((size_t)384 << 10)

void sorted_init(struct sorted *s, struct arena *a, const char *dir);

/* Adds a task. Not allowed after the first walk has begun. */
void sorted_add(struct sorted *s, const struct sorted_task *t);

/* Begins a walk through all tasks; may be repeated. */
void sorted_start(struct sorted *s);

/* Returns the next task, valid until the next call; NULL at the end. */
const struct sorted_task *sorted_next(struct sorted *s);

/* Returns true and sets err if the file could not be written or read. */
bool sorted_failed(const struct sorted *s, struct err *err);

void sorted_fini(struct sorted *s);

#endif
