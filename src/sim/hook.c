/* SPDX-License-Identifier: MIT */
#include "sim/engine.h"

struct hook_entry {
	struct weft_sim_hook *hook; /* NULL: detached while it was called */
	uint64_t mask;
	bool below;
};

struct weft_sim_hooks {
	VEC(struct hook_entry) list;
	int firing; /* calls of the list under way */
	bool holes; /* entries without a hook */
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

/* The entry of the hook, or NULL. */
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

/* Positions that hooks of this very domain want; `below`: for its children. */
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

	d->above = up == NULL ? 0 : up->above | wanted(up, true);
	d->mask = d->above | wanted(d, false);
	for (struct weft_sim_domain *c = d->child; c != NULL; c = c->sibling)
		compute_masks(c);
}

/* Takes out what was detached, unless the list is being called. */
static void
close_holes(struct weft_sim_hooks *hooks)
{
	int n = 0;

	if (!hooks->holes || hooks->firing > 0)
		return;
	for (int i = 0; i < hooks->list.n; i++)
		if (hooks->list.at[i].hook != NULL)
			hooks->list.at[n++] = hooks->list.at[i];
	hooks->list.n = n;
	hooks->holes = false;
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
			((struct hook_entry){ hook, mask, below }));
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
	d->hooks->holes = true;
	close_holes(d->hooks);
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

/* True if the context's domain, or one above it but below `to`, has the hook
 * and so has called it already. */
static bool
was_called(const struct weft_sim_hook_ctx *ctx,
	const struct weft_sim_domain *to, const struct weft_sim_hook *hook)
{
	for (struct weft_sim_domain *d = ctx->domain; d != to; d = d->parent) {
		const struct hook_entry *at = find(d, hook);

		if (at != NULL && (at->mask & ctx->pos->mask) != 0 &&
			(at->below || d == ctx->domain))
			return true;
	}
	return false;
}

/* A hook may change the list: it grows at the end and keeps its order. */
static void
call_list(struct weft_sim_domain *d, const struct weft_sim_hook_ctx *ctx)
{
	struct weft_sim_hooks *hooks = d->hooks;
	int n = hooks->list.n;

	hooks->firing++;
	for (int i = 0; i < n; i++) {
		struct hook_entry *at = &hooks->list.at[i];

		if (at->hook == NULL || (at->mask & ctx->pos->mask) == 0)
			continue;
		if (d != ctx->domain &&
			(!at->below || was_called(ctx, d, at->hook)))
			continue;
		at->hook->call(at->hook, ctx);
	}
	hooks->firing--;
	if (hooks->holes)
		close_holes(hooks);
}

void
weft_sim_hook_fire(struct weft_sim_domain *d,
	const struct weft_sim_hook_pos *pos, void *item, void *detail)
{
	struct weft_sim_hook_ctx ctx = { d, pos, item, detail };

	if (d->engine->core.in_round)
		sim_take_turn(d->engine);
	for (struct weft_sim_domain *at = d; at != NULL; at = at->parent) {
		if (at->hooks != NULL)
			call_list(at, &ctx);
		if ((at->above & pos->mask) == 0)
			break;
	}
}
