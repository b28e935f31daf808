/* SPDX-License-Identifier: MIT */
/*
 * hook.h - the part of the engine that src/task uses.
 *
 * With several threads the handlers of one time run at once, but everything
 * that others can observe (hooks, tracers, faults) happens in the order that a
 * single thread would have: sim_take_turn() waits for the caller's turn. From
 * then to the end of its event a handler has the engine's shared state to
 * itself.
 */
#ifndef WEFT_SIM_HOOK_H
#define WEFT_SIM_HOOK_H

#include "weft/sim.h"

struct arena;
struct task_book;

/* A task that a handler started and that has not ended. */
struct sim_open_task {
	uint64_t id;
	const char *kind, *what;
	struct weft_sim_domain *domain;
	struct weft_sim_domain *asker; /* domain of its parent, if the parent is
	                                * open; or NULL */
};

/* The first members of a domain's hooks. `task` is the only hook that wants
 * positions of tasks, `other` the only hook that wants any other position; each
 * is NULL if no hook or several hooks want such positions. The masks have the
 * positions that each of the two wants. */
struct sim_only {
	struct weft_sim_hook *task, *other;
	uint64_t task_mask, other_mask;
	/* Copied from `task` when that hook was attached, if it wants all
	 * positions of a task and no hook of an ancestor wants any; else NULL.
	 * Every task reads this. */
	void (*task_call)(struct weft_sim_hook *hook,
		const struct weft_sim_hook_ctx *ctx);
	void *task_arg;
};

/* Returns true if a hook that calls this function is the only hook on this
 * domain and above that wants positions of tasks, and wants all of them. */
static inline bool
sim_has_only_task_hook(const struct weft_sim_domain *d,
	void (*call)(struct weft_sim_hook *hook,
		const struct weft_sim_hook_ctx *ctx))
{
	const struct sim_only *only = (const struct sim_only *)d->hooks;

	return __builtin_expect(only != NULL && only->task_call == call, 1);
}

/* Returns the argument of this only hook, which never changes. Only valid if
 * sim_has_only_task_hook() returned true. */
static inline void *
sim_only_task_arg(const struct weft_sim_domain *d)
{
	return ((const struct sim_only *)d->hooks)->task_arg;
}

/* The first members of every engine: the state that each task reads. */
struct sim_core {
	int64_t now;
	bool in_round;                    /* handlers run on several threads */
	bool shared;                      /* the engine has several threads */
	struct weft_sim_handler *current; /* the running handler, with one
	                                   * thread; or NULL */
	struct task_book *book; /* open tasks of src/task; NULL until the
	                         * first task */
	void (*book_fini)(struct task_book *book); /* frees the book when the
	                                            * engine closes */
	/* Calls fn for each open task of a handler, oldest first. */
	void (*book_open)(struct task_book *book,
		void (*fn)(void *arg, const struct sim_open_task *task),
		void *arg);
};

static inline struct sim_core *
sim_core(struct weft_sim_engine *e)
{
	return (struct sim_core *)e;
}

void sim_wait_turn(struct weft_sim_engine *e);

/* Waits until all earlier events of the round are done. Returns at once if the
 * handlers run on one thread. */
static inline void
sim_take_turn(struct weft_sim_engine *e)
{
	if (__builtin_expect(sim_core(e)->in_round, 0))
		sim_wait_turn(e);
}

/* Takes the turn and applies the ops of earlier events of the round and of the
 * caller so far. The engine's state is then what a single thread would see. */
void sim_settle(struct weft_sim_engine *e);

/* Casts const away, for readers that promise not to change the engine. */
static inline struct weft_sim_engine *
sim_engine(const struct weft_sim_engine *e)
{
	return (struct weft_sim_engine *)(uintptr_t)e;
}

/* Returns true if no handler runs: the caller is the thread that also calls
 * weft_sim_run(). */
static inline bool
sim_is_outside(struct weft_sim_engine *e)
{
	return !sim_core(e)->in_round && sim_core(e)->current == NULL;
}

/* Returns an arena that lives as long as the engine. Take the turn first. */
struct arena *sim_arena(struct weft_sim_engine *e);

/* Returns true if weft_sim_string() returned this text, which then stays valid
 * as long as the engine. Take the turn first. */
bool sim_keeps(const struct weft_sim_engine *e, const char *text);

/* Counts a fault, keeps its text and reports it to the user. Returns kind. */
int sim_fault(struct weft_sim_engine *e, enum weft_sim_fault kind,
	const char *fmt, ...) __attribute__((format(printf, 3, 4), cold));

/* Returns the newest domain; the others follow through `older`. */
struct weft_sim_domain *sim_domains(const struct weft_sim_engine *e);

/* Returns true if the pattern matches the name; * stands for any text, ? for
 * any character. */
bool sim_name_matches(const char *pattern, const char *name);

/* Returns true if the hook is attached to this very domain. */
bool sim_hook_has(
	const struct weft_sim_domain *d, const struct weft_sim_hook *hook);

#endif
