/* SPDX-License-Identifier: MIT */
/*
 * direct.h - tasks of a component whose only tracer is that of a store.
 *
 *	if (!direct_end(d, id))
 *		...                      the general way: hooks and tracers
 *
 * That is how a simulation is recorded, so the usual task goes from the call
 * into the journal with nothing between. What is not usual (a filter, a limit,
 * a window that opens, a text that may change, a record without room, whatever
 * is a fault) is left to the general way: false, and nothing was done. Callers
 * have the turn.
 */
#ifndef WEFT_TASK_DIRECT_H
#define WEFT_TASK_DIRECT_H

#include "sim/hook.h"
#include "task/book.h"
#include "task/journal.h"

/* What a store was told; the beginning of struct weft_store_state. */
struct told {
	struct journal *journal;          /* owned; NULL when closed */
	uint64_t tasks, tags, milestones; /* that ended; steps are tags */
};

extern const struct weft_tracer_ops store_tracer_ops;

/* A call for a task that can go the direct way. */
struct direct {
	struct weft_tracer *tracer;
	struct told *told;
	struct journal *journal;
	struct task_book *book;
	int64_t now;
	uint32_t ps; /* since the record before */
};

static inline __attribute__((always_inline)) bool
direct_open(struct direct *x, const struct weft_sim_domain *d)
{
	const struct sim_core *core = sim_core(d->engine);
	struct weft_tracer *t = sim_only_task_hook(d, tracer_call);
	struct weft_tracer_store *store = (struct weft_tracer_store *)t;

	if (__builtin_expect(t == NULL || t->ops != &store_tracer_ops, 0))
		return false;
	x->tracer = t;
	x->told = (struct told *)store->state;
	x->journal = x->told->journal;
	x->book = core->book;
	x->now = core->now;
	if (__builtin_expect(x->journal == NULL || t->finished ||
			    x->now >= t->change || store->max_bytes != 0 ||
			    !tail_is_plain(&x->journal->tail, x->now),
		    0))
		return false;
	x->ps = (uint32_t)(x->now - x->journal->tail.last);
	return true;
}

/* Notes the time of what is told now. */
static inline void
direct_tell(struct direct *x)
{
	x->tracer->now = x->now;
	x->journal->tail.last = x->now;
}

/* Where the open task of that id is entered, if the tracer was told of it and
 * the domain is its own. NULL: it is not so simple. */
static inline __attribute__((always_inline)) struct task_entry **
direct_find(
	const struct direct *x, const struct weft_sim_domain *d, uint64_t id)
{
	struct task_entry **at = book_slot(x->book, id), *entry;

	while ((entry = *at) != NULL && entry->task.id != id)
		at = &entry->next;
	if (__builtin_expect(entry == NULL || entry->task.end >= 0 ||
			    entry->task.domain != d ||
			    (entry->given & x->tracer->bit) == 0 ||
			    !journal_knows(x->journal, id),
		    0))
		return NULL;
	return at;
}

/* The location is that of the task, or derived; never NULL, so the three texts
 * are not those of a tag, and if they were seen the task has a kind and a what.
 */
static inline __attribute__((always_inline)) bool
direct_start(struct weft_sim_domain *d, const struct weft_task *task,
	const char *location, uint64_t id)
{
	struct direct x;
	struct weft_tracer *t;
	struct task_entry *entry, **slot;
	uint32_t class;

	if (!direct_open(&x, d))
		return false;
	t = x.tracer;
	if (__builtin_expect(t->off || t->kind != NULL || t->what != NULL ||
			    t->filter != NULL || t->max_tasks != 0 ||
			    task->parent == id,
		    0))
		return false;
	class = classes_usual(
		&x.journal->classes, task->kind, task->what, location);
	slot = book_slot(x.book, id);
	if (__builtin_expect(class == 0 || book_find_in(slot, id) != NULL, 0))
		return false;
	entry = book_add(x.book, slot, d, task, location, id);
	book_count(x.book, id, 1);
	entry->seen |= t->bit;
	entry->given = t->bit;
	t->tasks++;
	direct_tell(&x);
	journal_put_short_start(x.journal, id, task->parent, class, x.ps);
	return true;
}

static inline __attribute__((always_inline)) bool
direct_end(struct weft_sim_domain *d, uint64_t id)
{
	struct direct x;
	struct task_entry **at;

	if (!direct_open(&x, d) || (at = direct_find(&x, d, id)) == NULL)
		return false;
	direct_tell(&x);
	journal_put_short(x.journal, SHORT_END, 0, id, x.ps);
	x.told->tasks++;
	book_count(x.book, id, -1);
	book_take_out(x.book, at);
	return true;
}

static inline __attribute__((always_inline)) bool
direct_tag(struct weft_sim_domain *d, uint64_t id, const char *what, bool step)
{
	struct direct x;
	uint32_t class;

	if (!direct_open(&x, d) || direct_find(&x, d, id) == NULL)
		return false;
	class = classes_usual(&x.journal->classes, what, NULL, NULL);
	if (__builtin_expect(class == 0, 0))
		return false;
	direct_tell(&x);
	journal_put_short(
		x.journal, step ? SHORT_STEP : SHORT_TAG, class, id, x.ps);
	x.told->tags++;
	return true;
}

static inline __attribute__((always_inline)) bool
direct_milestone(
	struct weft_sim_domain *d, uint64_t id, const struct weft_milestone *m)
{
	struct direct x;
	struct task_entry **at;
	uint32_t class;

	if (!direct_open(&x, d) || (at = direct_find(&x, d, id)) == NULL)
		return false;
	class = classes_usual(
		&x.journal->classes, m->kind, m->what, m->location);
	/* Without a what it could be a tag that was seen. */
	if (__builtin_expect(class == 0 || m->what == NULL, 0))
		return false;
	if ((*at)->last_milestone == x.now)
		return true;
	(*at)->last_milestone = x.now;
	direct_tell(&x);
	journal_put_short(x.journal, SHORT_MILESTONE, class, id, x.ps);
	x.told->milestones++;
	return true;
}

#endif
