/* SPDX-License-Identifier: MIT */
/*
 * tracer.h - calls a tracer's functions, for the callers of book.h.
 *
 * The functions are inline: they run at least twice for each task of a tracer
 * and are most of its cost. `now` is the engine's time.
 */
#ifndef WEFT_TASK_TRACER_H
#define WEFT_TASK_TRACER_H

#include "sim/hook.h"
#include "task/book.h"

/* Handles the borders of the window up to now. Nothing was recorded between
 * such a border and now. */
void tracer_pass_borders(struct weft_tracer *t, int64_t now);

/* Returns true if the task passes the tracer's kind, what and filter. */
bool tracer_picks(const struct weft_tracer *t, const struct weft_task *task);

static inline bool
tracer_wants(const struct weft_tracer *t, const struct weft_task *task)
{
	if (__builtin_expect(
		    t->kind == NULL && t->what == NULL && t->filter == NULL, 1))
		return true;
	return tracer_picks(t, task);
}

/* Returns true if the tracer records at this time. */
static inline bool
tracer_hears(struct weft_tracer *t, int64_t now)
{
	if (__builtin_expect(t->finished, 0))
		return false;
	if (__builtin_expect(now >= t->change, 0))
		tracer_pass_borders(t, now);
	t->now = now;
	return true;
}

/* Calls the tracer's start() for a task, unless the limit of tasks is
 * reached. */
static inline void
tracer_give(struct weft_tracer *t, struct task_entry *entry)
{
	if (__builtin_expect(
		    t->max_tasks != 0 && t->tasks >= t->max_tasks, 0)) {
		t->dropped++;
		return;
	}
	t->tasks++;
	entry->given |= t->bit;
	if (t->ops->start != NULL)
		t->ops->start(t, &entry->task);
}

static inline void
tracer_start(struct weft_tracer *t, struct task_entry *entry, int64_t now)
{
	if (!tracer_hears(t, now) || !tracer_wants(t, &entry->task))
		return;
	entry->seen |= t->bit;
	if (!t->off)
		tracer_give(t, entry);
}

/* Returns true if the tracer records events of this task now. */
static inline bool
tracer_hears_of(
	struct weft_tracer *t, const struct task_entry *entry, int64_t now)
{
	return tracer_hears(t, now) && (entry->given & t->bit) != 0;
}

static inline void
tracer_tag(struct weft_tracer *t, struct task_entry *entry, const char *what,
	bool step, int64_t now)
{
	const struct weft_tracer_ops *ops = t->ops;

	if (!tracer_hears_of(t, entry, now))
		return;
	if (step && ops->step != NULL)
		ops->step(t, &entry->task, what);
	else if (!step && ops->tag != NULL)
		ops->tag(t, &entry->task, what);
}

static inline void
tracer_milestone(struct weft_tracer *t, struct task_entry *entry,
	const struct weft_milestone *m, int64_t now)
{
	if (tracer_hears_of(t, entry, now) && t->ops->milestone != NULL)
		t->ops->milestone(t, &entry->task, m);
}

static inline void
tracer_end(struct weft_tracer *t, struct task_entry *entry, int64_t now)
{
	if (tracer_hears_of(t, entry, now) && t->ops->end != NULL)
		t->ops->end(t, &entry->task);
}

#endif
