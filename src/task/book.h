/* SPDX-License-Identifier: MIT */
/*
 * book.h - the open tasks of one simulation.
 *
 * A task is entered once, however many tracers see it; each tracer has a bit.
 * So a tracer needs no table of its own, and learns at the end what it was
 * told at the start. Entries do not move while they are open.
 */
#ifndef WEFT_TASK_BOOK_H
#define WEFT_TASK_BOOK_H

#include "base/map.h"
#include "base/pool.h"
#include "sim/hook.h"
#include "weft/task.h"

#define TRACERS_MAX 63
/* The bit by which a tracer behind a flight recorder finds its open tasks: lent
 * to one at a time. */
#define TARGET_BIT (UINT64_C(1) << 63)

struct task_entry {
	struct weft_task task;  /* first */
	uint64_t seen;          /* tracers that want it */
	uint64_t given;         /* tracers that were told of it */
	int64_t last_milestone; /* its time, or -1 */
};

struct task_book {
	struct map open; /* id: struct task_entry */
	struct pool pool;
	struct weft_sim_engine *engine;
	struct weft_tracer *tracers; /* in the order of their first collect */
	int ntracers;
};

struct task_book *book_open(struct weft_sim_engine *e);

/* The book of the engine, made when it is first asked for. */
static inline struct task_book *
book_of(struct weft_sim_engine *e)
{
	struct task_book *b = sim_core(e)->book;

	return __builtin_expect(b != NULL, 1) ? b : book_open(e);
}

/* The open task, or NULL. */
static inline struct task_entry *
book_find(const struct task_book *b, uint64_t id)
{
	uint64_t *at = map_get(&b->open, id);

	return at == NULL ? NULL : (struct task_entry *)(uintptr_t)*at;
}

/* Calls fn for each entry with one of the bits in `given` (seen, if not
 * given), in the order of their starts, then ids. */
void book_each(struct task_book *b, uint64_t bits, bool given,
	void (*fn)(void *arg, struct task_entry *entry), void *arg);

/* tracer.c: true if its kind, what and filter let the task pass. */
bool tracer_wants(const struct weft_tracer *t, const struct weft_task *task);

/* tracer.c: finishes all tracers of a book. */
void tracers_finish(void *book, int64_t now);

#endif
