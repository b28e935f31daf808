/* SPDX-License-Identifier: MIT */
/*
 * hook.h - what src/task needs of the engine.
 *
 * With several threads the handlers of one time run at once, but whatever
 * others can see of it (hooks, tracers, faults) happens in the order in which
 * one thread would do it: sim_take_turn() waits for that moment. From there to
 * the end of its event a handler is alone with the engine's shared state.
 */
#ifndef WEFT_SIM_HOOK_H
#define WEFT_SIM_HOOK_H

#include "weft/sim.h"

struct arena;
struct task_book;

/* A task that a handler started and that did not end. */
struct sim_open_task {
	uint64_t id;
	const char *kind, *what;
	struct weft_sim_domain *domain;
	struct weft_sim_domain
		*asker; /* that of its parent, if open; or NULL */
};

/* The beginning of a domain's hooks: those that are alone with what they want,
 * or NULL; what each of the two wants. */
struct sim_only {
	struct weft_sim_hook *task, *other; /* of tasks, of all else */
	uint64_t task_mask, other_mask;
	/* What `task` was when it was attached, if it wants all of a task and
	 * no hook above wants any: each task asks. */
	void (*task_call)(struct weft_sim_hook *hook,
		const struct weft_sim_hook_ctx *ctx);
	void *task_arg;
};

/* True if a hook that calls this function is the only one on this domain and
 * above that wants any position of tasks, and it wants all of them. */
static inline bool
sim_has_only_task_hook(const struct weft_sim_domain *d,
	void (*call)(struct weft_sim_hook *hook,
		const struct weft_sim_hook_ctx *ctx))
{
	const struct sim_only *only = (const struct sim_only *)d->hooks;

	return __builtin_expect(only != NULL && only->task_call == call, 1);
}

/* Then, the argument of that hook, which never changes. */
static inline void *
sim_only_task_arg(const struct weft_sim_domain *d)
{
	return ((const struct sim_only *)d->hooks)->task_arg;
}

/* The beginning of every engine: what is looked at for each task. */
struct sim_core {
	int64_t now;
	bool in_round;                    /* handlers run on several threads */
	bool shared;                      /* there are such threads */
	struct weft_sim_handler *current; /* with one thread; or NULL */
	struct task_book *book; /* src/task's open tasks; NULL at first */
	void (*book_fini)(struct task_book *book); /* when the engine closes */
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

/* Returns when all events before the caller's are done. At once if the caller
 * is not one of several. */
static inline void
sim_take_turn(struct weft_sim_engine *e)
{
	if (__builtin_expect(sim_core(e)->in_round, 0))
		sim_wait_turn(e);
}

/* Takes the turn and does to the engine what earlier events of the round, and
 * the caller's own so far, did: then it is as with one thread. */
void sim_settle(struct weft_sim_engine *e);

/* For readers that promise not to change the engine. */
static inline struct weft_sim_engine *
sim_engine(const struct weft_sim_engine *e)
{
	return (struct weft_sim_engine *)(uintptr_t)e;
}

/* True if no handler runs: the thread that calls weft_sim_run does this. */
static inline bool
sim_is_outside(struct weft_sim_engine *e)
{
	return !sim_core(e)->in_round && sim_core(e)->current == NULL;
}

/* Memory that lives as long as the engine; take the turn first. */
struct arena *sim_arena(struct weft_sim_engine *e);

/* True if weft_sim_string() returned it: then it stays as it is while the
 * engine lives; take the turn first. */
bool sim_keeps(const struct weft_sim_engine *e, const char *text);

/* Counts a fault, keeps its text, tells the user. Returns kind. */
int sim_fault(struct weft_sim_engine *e, enum weft_sim_fault kind,
	const char *fmt, ...) __attribute__((format(printf, 3, 4), cold));

/* The newest domain; the others follow through `older`. */
struct weft_sim_domain *sim_domains(const struct weft_sim_engine *e);

/* True if the pattern (* any text, ? any character) covers the name. */
bool sim_name_matches(const char *pattern, const char *name);

/* True if the hook is attached to this very domain. */
bool sim_hook_has(
	const struct weft_sim_domain *d, const struct weft_sim_hook *hook);

#endif
