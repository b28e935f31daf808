/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/arena.h"
#include "sim/engine.h"

struct hook_entry {
	struct weft_sim_hook *hook; /* NULL: detached while the list was
	                             * being called */
	uint64_t mask;
	int fresh; /* firings that had begun before the hook was attached; they
	            * do not call it */
	bool below;
};

struct weft_sim_hooks {
	struct sim_only only; /* first */
	VEC(struct hook_entry) list;
	int firing;   /* firings that are calling the list */
	bool changed; /* the list has detached or fresh entries to tidy up */
};

/* clang-format off */
const struct weft_sim_hook_pos
	weft_sim_before_event     = { "BeforeEvent",                1 << 0 },
	weft_sim_after_event      = { "AfterEvent",                 1 << 1 },
	weft_sim_before_tick      = { "BeforeTick",                 1 << 2 },
	weft_sim_after_tick       = { "AfterTick",                  1 << 3 },
	weft_sim_port_send        = { "Port Msg Send",              1 << 4 },
	weft_sim_port_recvd       = { "Port Msg Recv",              1 << 5 },
	weft_sim_port_take_in     = { "Port Msg Retrieve Incoming", 1 << 6 },
	weft_sim_port_take_out    = { "Port Msg Retrieve Outgoing", 1 << 7 },
	weft_sim_buffer_push      = { "Buffer Push",                1 << 8 },
	weft_sim_buffer_pop       = { "Buffer Pop",                 1 << 9 },
	weft_sim_wire_start_send  = { "Conn Start Send",            1 << 10 },
	weft_sim_wire_start_trans = { "Conn Start Trans",           1 << 11 },
	weft_sim_wire_done_trans  = { "Conn Done Trans",            1 << 12 },
	weft_sim_wire_deliver     = { "Conn Deliver",               1 << 13 };
/* clang-format on */

/* Returns the hook's entry on this domain, or NULL. */
static struct hook_entry *
find(const struct weft_sim_domain *d, const struct weft_sim_hook *hook)
{
	for (int i = 0; d->hooks != NULL && i < d->hooks->list.n; i++)
		if (d->hooks->list.at[i].hook == hook)
			return &d->hooks->list.at[i];
	return NULL;
}

bool
sim_hook_has(const struct weft_sim_domain *d, const struct weft_sim_hook *hook)
{
	return find(d, hook) != NULL;
}

/* Copies the only task hook to a field where each task finds it with one load,
 * if that hook wants all positions of a task and no other hook on this domain
 * or above wants any of them. */
static void
copy_task_hook(struct sim_only *o, uint64_t above)
{
	o->task_call = NULL;
	o->task_arg = NULL;
	if (o->task == NULL || o->task_mask != WEFT_SIM_ON_TASK ||
		(above & WEFT_SIM_ON_TASK) != 0)
		return;
	o->task_call = o->task->call;
	o->task_arg = o->task->arg;
}

/* Finds the hooks that are the only ones to want their positions. Call it after
 * every change of the list; compute the masks afterwards. */
static void
find_only(struct weft_sim_hooks *hooks)
{
	struct sim_only *o = &hooks->only;
	int tasks = 0, others = 0;

	for (int i = 0; i < hooks->list.n; i++) {
		const struct hook_entry *at = &hooks->list.at[i];
		uint64_t task = at->mask & WEFT_SIM_ON_TASK;

		if (at->hook != NULL && task != 0) {
			o->task = tasks++ == 0 ? at->hook : NULL;
			o->task_mask = task;
		}
		if (at->hook != NULL && at->mask != task) {
			o->other = others++ == 0 ? at->hook : NULL;
			o->other_mask = at->mask & ~task;
		}
	}
	if (tasks != 1)
		o->task = NULL;
	if (others != 1)
		o->other = NULL;
}

/* Returns the positions that hooks on this very domain want. below: returns
 * those that they want for its children. */
static uint64_t
wanted(const struct weft_sim_domain *d, bool below)
{
	uint64_t mask = 0;

	for (int i = 0; d->hooks != NULL && i < d->hooks->list.n; i++) {
		const struct hook_entry *at = &d->hooks->list.at[i];

		if (at->hook != NULL && (at->below || !below))
			mask |= at->mask;
	}
	return mask;
}

static void
compute_masks(struct weft_sim_domain *d)
{
	const struct weft_sim_domain *up = d->parent;

	bool traced = (d->mask & WEFT_SIM_ON_TASK) != 0;
	struct weft_sim_engine *e = d->engine;

	d->above = up == NULL ? 0 : up->above | wanted(up, true);
	d->mask = d->above | wanted(d, false);
	if (d->hooks != NULL)
		copy_task_hook(&d->hooks->only, d->above);
	if (!traced && (d->mask & WEFT_SIM_ON_TASK) != 0)
		d->late = e->count > 0 || e->outside.ids > 0;
	if (e->tasks_seen)
		d->mask |= WEFT_SIM_TASKS_SEEN;
	for (struct weft_sim_domain *c = d->child; c != NULL; c = c->sibling)
		compute_masks(c);
}

/* Begins a firing that will call the list. */
static void
hold(struct weft_sim_hooks *hooks)
{
	hooks->firing++;
}

/* Removes detached entries, unless the list is being called, and makes entries
 * callable when the firings that preceded them are over. */
static __attribute__((noinline, cold)) void
tidy(struct weft_sim_hooks *hooks)
{
	int n = 0;

	for (int i = 0; i < hooks->list.n; i++) {
		struct hook_entry *at = &hooks->list.at[i];

		if (at->fresh > hooks->firing)
			at->fresh = hooks->firing;
		if (at->hook != NULL || hooks->firing > 0)
			hooks->list.at[n++] = *at;
	}
	hooks->list.n = n;
	hooks->changed = hooks->firing > 0;
}

static void
release(struct weft_sim_hooks *hooks)
{
	hooks->firing--;
	if (__builtin_expect(hooks->changed, 0))
		tidy(hooks);
}

/* From now on every domain checks whether its calls concern an open task: a
 * task may start in a traced domain and end in another. */
static void
see_tasks(struct weft_sim_engine *e)
{
	e->tasks_seen = true;
	for (struct weft_sim_domain *d = e->newest; d != NULL; d = d->older)
		d->mask |= WEFT_SIM_TASKS_SEEN;
}

int
hook_apply_attach(struct weft_sim_domain *d, struct weft_sim_hook *hook,
	uint64_t mask, bool below)
{
	struct weft_sim_engine *e = d->engine;

	if (hook != NULL && find(d, hook) != NULL)
		return sim_fault(e, WEFT_SIM_TWICE,
			"%s: this hook is attached already", d->name);
	if (hook != NULL) {
		if (d->hooks == NULL)
			d->hooks = ARENA_NEW(&e->arena, struct weft_sim_hooks);
		VEC_PUSH(&d->hooks->list, &e->arena,
			((struct hook_entry){
				hook, mask, d->hooks->firing, below }));
		d->hooks->changed |= d->hooks->firing > 0;
		find_only(d->hooks);
		if ((mask & WEFT_SIM_ON_TASK) != 0 && !e->tasks_seen)
			see_tasks(e);
	}
	compute_masks(d);
	return WEFT_SIM_OK;
}

int
hook_apply_detach(struct weft_sim_domain *d, struct weft_sim_hook *hook)
{
	struct hook_entry *at = find(d, hook);

	if (at == NULL)
		return sim_fault(d->engine, WEFT_SIM_MISSING,
			"%s: this hook is not attached", d->name);
	at->hook = NULL;
	find_only(d->hooks);
	d->hooks->changed = true;
	if (d->hooks->firing == 0)
		tidy(d->hooks);
	compute_masks(d);
	return WEFT_SIM_OK;
}

int
weft_sim_hook_attach(
	struct weft_sim_domain *d, struct weft_sim_hook *hook, uint64_t mask)
{
	return sim_do(d->engine,
		&(struct op){ .kind = OP_ATTACH,
			.domain = d,
			.arg = hook,
			.mask = mask });
}

int
weft_sim_hook_attach_below(
	struct weft_sim_domain *d, struct weft_sim_hook *hook, uint64_t mask)
{
	return sim_do(d->engine,
		&(struct op){ .kind = OP_ATTACH_BELOW,
			.domain = d,
			.arg = hook,
			.mask = mask });
}

int
weft_sim_hook_detach(struct weft_sim_domain *d, struct weft_sim_hook *hook)
{
	return sim_do(d->engine,
		&(struct op){ .kind = OP_DETACH, .domain = d, .arg = hook });
}

int
weft_sim_hook_attach_all(struct weft_sim_engine *e, const char *pattern,
	struct weft_sim_hook *hook, uint64_t mask)
{
	int n = 0;

	sim_take_turn(e);
	for (struct weft_sim_domain *d = e->newest; d != NULL; d = d->older)
		if (sim_name_matches(pattern, d->name) &&
			!sim_hook_has(d, hook))
			n += weft_sim_hook_attach(d, hook, mask) == 0;
	return n;
}

/* The hooks that a firing has called, so that none is called twice. */
struct called {
	struct weft_sim_hook **at; /* owned, unless it is `few` */
	int n, cap;
	struct weft_sim_hook *few[16];
};

/* Notes the hook. Returns false if it was called already. */
static bool
note(struct called *c, struct weft_sim_hook *hook)
{
	for (int i = 0; i < c->n; i++)
		if (c->at[i] == hook)
			return false;
	if (c->n == c->cap) {
		struct weft_sim_hook **at = c->at == c->few ? NULL : c->at;

		c->cap *= 2;
		at = mem_resize(at, (size_t)c->cap, sizeof(void *));
		if (c->at == c->few)
			memcpy(at, c->few, sizeof c->few);
		c->at = at;
	}
	c->at[c->n++] = hook;
	return true;
}

/* Calls the hooks of a held list. A hook may change the list, which grows at
 * its end and keeps its order. `called` is NULL if the lists of ancestors are
 * not called. */
static inline __attribute__((always_inline)) void
call_list(struct weft_sim_hooks *hooks, const struct weft_sim_hook_ctx *ctx,
	bool above, struct called *called)
{
	int n = hooks->list.n;

	for (int i = 0; i < n; i++) {
		struct hook_entry *at = &hooks->list.at[i];

		if (at->hook == NULL || (at->mask & ctx->pos->mask) == 0)
			continue;
		if (called != NULL &&
			((above && !at->below) || at->fresh >= hooks->firing ||
				!note(called, at->hook)))
			continue;
		at->hook->call(at->hook, ctx);
	}
}

/* Calls hooks of the domain and of its ancestors. Holds all lists first, so
 * that hooks attached by a called hook are not called. */
static __attribute__((noinline)) void
fire_up(const struct weft_sim_hook_ctx *ctx)
{
	struct called called = { .cap = sizeof called.few / sizeof(void *) };

	called.at = called.few;
	for (struct weft_sim_domain *d = ctx->domain; d != NULL; d = d->parent)
		if (d->hooks != NULL)
			hold(d->hooks);
	for (struct weft_sim_domain *d = ctx->domain; d != NULL; d = d->parent)
		if (d->hooks != NULL)
			call_list(d->hooks, ctx, d != ctx->domain, &called);
	for (struct weft_sim_domain *d = ctx->domain; d != NULL; d = d->parent)
		if (d->hooks != NULL && d->hooks->firing > 0)
			release(d->hooks); /* else the list was made during
			                    * this firing and is not held */
	if (called.at != called.few)
		mem_free(called.at);
}

/* Calls all hooks that want the position. */
static __attribute__((noinline)) void
fire(const struct weft_sim_hook_ctx *ctx)
{
	struct weft_sim_hooks *hooks = ctx->domain->hooks;

	if ((ctx->domain->above & ctx->pos->mask) != 0) {
		fire_up(ctx);
	} else if (hooks != NULL) {
		hold(hooks);
		call_list(hooks, ctx, false, NULL);
		release(hooks);
	}
}

/* Calls the hook directly in the usual case of one hook; else fire() walks the
 * lists. */
void
weft_sim_hook_fire(struct weft_sim_domain *d,
	const struct weft_sim_hook_pos *pos, void *item, void *detail)
{
	struct weft_sim_hook_ctx ctx = { d, pos, item, detail };
	const struct sim_only *only;

	if (__builtin_expect(d->engine->core.in_round, 0))
		sim_wait_turn(d->engine);
	only = (const struct sim_only *)d->hooks;
	if (__builtin_expect(only != NULL && only->other != NULL &&
			    (pos->mask & (d->above | ~only->other_mask)) == 0,
		    1))
		only->other->call(only->other, &ctx);
	else
		fire(&ctx);
}
