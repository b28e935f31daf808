/* SPDX-License-Identifier: MIT */
/*
 * direct.h - the fast path for tasks of a component whose only tracer writes to
 * a store.
 *
 *	if (direct_may(d) && direct_open(&x, d) && direct_end(&x, d, id))
 *		return;
 *	...                              the general path: hooks and tracers
 *
 * Most simulations are recorded in this way, so the call for a usual task
 * writes straight into the journal. Anything unusual (a filter, a limit, a
 * window that opens, a text that may change, no room for the record, a fault)
 * makes these functions return false or NULL without any effect, and the caller
 * takes the general path. Callers have the turn.
 */
#ifndef WEFT_TASK_DIRECT_H
#define WEFT_TASK_DIRECT_H

#include "sim/hook.h"
#include "task/book.h"
#include "task/journal.h"

/* What the store's tracer has recorded; the first member of struct
 * weft_store_state. */
struct told {
	struct journal *journal;          /* owned; NULL when closed */
	uint64_t tasks, tags, milestones; /* counts of ended tasks, of tags and
	                                   * steps, of milestones */
};

extern const struct weft_tracer_ops store_tracer_ops;

/* The state of a call on the fast path. */
struct direct {
	struct weft_tracer_store *store;
	struct told *told;
	struct journal *journal;
	struct task_book *book;
	int64_t now;
};

/* Returns true if the tail has room for a usual record of this time. */
static inline bool
direct_has_room(const struct direct *x)
{
	return __builtin_expect(tail_is_plain(&x->journal->tail, x->now), 1);
}

/* Returns true if the domain's only tracer is that of a store, so that
 * direct_open() may succeed. Does not wait for the turn. */
static inline bool
direct_may(const struct weft_sim_domain *d)
{
	const struct weft_tracer *t;

	if (!sim_has_only_task_hook(d, tracer_call))
		return false;
	t = sim_only_task_arg(d);
	return __builtin_expect(t->ops == &store_tracer_ops, 1);
}

/* Fills x for such a domain. Returns false if the fast path cannot be used, for
 * instance because the simulation has finished and has no journal. */
static inline __attribute__((always_inline)) bool
direct_open(struct direct *x, const struct weft_sim_domain *d)
{
	const struct sim_core *core = sim_core(d->engine);

	x->store = sim_only_task_arg(d);
	x->told = (struct told *)x->store->state;
	x->journal = x->told->journal;
	x->book = core->book;
	x->now = core->now;
	if (__builtin_expect(x->journal == NULL || x->store->max_bytes != 0 ||
			    x->now >= x->store->tracer.change,
		    0))
		return false;
	return direct_has_room(x);
}

/* Sets the tracer's time to now. Returns the time since the previous record, in
 * ps. */
static inline uint32_t
direct_tell(const struct direct *x)
{
	struct tail *t = &x->journal->tail;
	uint32_t ps = (uint32_t)x->now - (uint32_t)t->last;

	x->store->tracer.now = x->now;
	t->last = x->now;
	return ps;
}

/* Returns the pointer to the entry of the open task, if the tracer has recorded
 * its start and the task is one of the domain. NULL: take the general path. */
static inline __attribute__((always_inline)) struct task_entry **
direct_find(
	const struct direct *x, const struct weft_sim_domain *d, uint64_t id)
{
	struct task_entry **at = book_slot(x->book, id), *entry = *at;

	for (; entry != NULL && entry->task.id != id; entry = *at)
		at = &entry->next;
	if (__builtin_expect(entry == NULL || entry->task.end >= 0 ||
			    entry->task.domain != d ||
			    (entry->given & x->store->tracer.bit) == 0 ||
			    !journal_knows(x->journal, id),
		    0))
		return NULL;
	return at;
}

/* Returns true if the tracer records every task that starts. */
static inline bool
direct_wants_all(const struct weft_tracer *t)
{
	return ((uintptr_t)t->kind | (uintptr_t)t->what | (uintptr_t)t->filter |
		       t->max_tasks | t->off) == 0;
}

/* Starts a task. Returns its entry, or NULL for the general path. location is
 * the task's own or derived from the domain, never NULL. So the triple does not
 * belong to a tag, and a triple that was seen has a kind and a what. */
static inline __attribute__((always_inline)) struct task_entry *
direct_start(const struct direct *x, struct weft_sim_domain *d,
	const struct weft_task *task, const char *location, uint64_t id)
{
	struct weft_tracer *t = &x->store->tracer;
	struct task_entry *entry, **slot;
	uint64_t class, parent = task->parent;

	if (__builtin_expect(!direct_wants_all(t) || parent == id, 0))
		return NULL;
	class = classes_word(
		&x->journal->classes, task->kind, task->what, location);
	slot = book_slot(x->book, id);
	if (__builtin_expect(
		    !seen_is_usual(class) || book_find_in(slot, id) != NULL, 0))
		return NULL;
	entry = book_add(x->book, slot, d, task, location, id);
	entry->seen |= t->bit;
	entry->given = t->bit;
	t->tasks++;
	journal_put_short_start(x->journal, id, parent, class, direct_tell(x));
	return entry;
}

static inline __attribute__((always_inline)) bool
direct_end(const struct direct *x, const struct weft_sim_domain *d, uint64_t id)
{
	struct task_entry **at = direct_find(x, d, id);

	if (__builtin_expect(at == NULL, 0))
		return false;
	journal_put_short(
		x->journal, SHORT_END, JOURNAL_NO_CLASS, id, direct_tell(x));
	x->told->tasks++;
	book_take_out(x->book, at);
	return true;
}

static inline __attribute__((always_inline)) bool
direct_tag(const struct direct *x, const struct weft_sim_domain *d, uint64_t id,
	const char *what, bool step)
{
	uint64_t class;

	if (direct_find(x, d, id) == NULL)
		return false;
	class = classes_word(&x->journal->classes, what, NULL, NULL);
	if (__builtin_expect(!seen_is_usual(class), 0))
		return false;
	journal_put_short(x->journal, step ? SHORT_STEP : SHORT_TAG, class, id,
		direct_tell(x));
	x->told->tags++;
	return true;
}

/* Records a milestone of the task with that entry. */
static inline __attribute__((always_inline)) bool
direct_milestone(const struct direct *x, struct task_entry *entry,
	const struct weft_milestone *m)
{
	uint64_t class = classes_word(
		&x->journal->classes, m->kind, m->what, m->location);

	/* A triple without a what may belong to a tag. */
	if (__builtin_expect(!seen_is_usual(class) || m->what == NULL, 0))
		return false;
	if (entry->last_milestone == x->now)
		return true;
	entry->last_milestone = x->now;
	journal_put_short(x->journal, SHORT_MILESTONE, class, entry->task.id,
		direct_tell(x));
	x->told->milestones++;
	return true;
}

#endif
