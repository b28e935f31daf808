/* SPDX-License-Identifier: MIT */
#include "trace/relate.h"

#include <string.h>

#include "base/arena.h"
#include "base/intern.h"
#include "base/wrap.h"
#include "trace/clock.h"
#include "trace/relate_refuse.h"
#include "trace/trace.h"

#define CLOSE_NS (INT64_C(3600) * 1000000000) /* clocks of one boot */
#define SAME_ERROR 20                         /* ns: a reading of a clock */
#define FAR INT64_MAX

/* A relation of two places: from an input, a boot, the time of day. */
struct edge {
	int from, to;
	struct relate_step step; /* from `from` to `to` */
	int64_t error;           /* not negative */
	bool is_unknown; /* the true error is not known; `error` is a guess */
	enum relate_how how;
	bool is_reference; /* the input need not have run in that boot */
};

/* A node of an input with CLOCK_MONOTONIC. Those of one host whose clocks are
 * close, directly or by way of others, are taken for one machine. */
struct member {
	int input;
	const struct trace_node *node;
	int same;   /* index of a member of the same machine, not larger;
	             * the first one has its own */
	int before; /* index of the member before of the same host, or -1 */
	const char *boot; /* of the first one: the boot of the machine */
	bool is_mixed;    /* of the first one: members know different boots */
};

struct graph {
	struct arena *arena;
	struct relate_input *in;
	int n;
	struct intern boots; /* place n + 1 + number of the boot */
	VEC(struct edge) edges;
	VEC(struct member) members;
	int64_t *error; /* by place: of the best way; FAR: none */
	int *by;        /* by place: index of the last edge of that way */
};

static int
day_of(const struct graph *g)
{
	return g->n;
}

static int
boot_of(struct graph *g, const char *id)
{
	return g->n + 1 + (int)intern_add(&g->boots, id);
}

bool
relate_is_virtual(const struct trace *t)
{
	return !t->by_monotonic && t->since_1970 == TRACE_UNKNOWN &&
		t->start_realtime == TRACE_UNKNOWN;
}

bool
relate_is_simulated(const struct trace *t)
{
	for (int i = 0; i < t->parts.n; i++)
		if (trace_env(t->parts.at[i], "start_ts") != NULL)
			return false;
	return relate_is_virtual(t) && strcmp(t->format, "perf") != 0;
}

/* Adds two errors; the sum is less than FAR. */
static int64_t
add_errors(int64_t a, int64_t b)
{
	int64_t all;

	return __builtin_add_overflow(a, b, &all) || all == FAR ? FAR - 1 : all;
}

/* Adds an edge; an error of -1 is not known. */
static void
add_edge(struct graph *g, struct edge e)
{
	e.is_unknown = e.error < 0;
	if (e.is_unknown)
		e.error = RELATE_DAY_ERROR;
	VEC_PUSH(&g->edges, g->arena, e);
}

/* Returns the largest error of a node's correction, or -1. */
static int64_t
line_error(const struct trace_node *n)
{
	int64_t most = 0;

	for (int i = 0; i < n->line.points.n; i++) {
		int64_t error = n->line.points.at[i].error;

		if (error < 0)
			return -1;
		most = error > most ? error : most;
	}
	return most;
}

/* Relates an input to a boot by the clock of a node. */
static void
add_node(struct graph *g, int input, const struct trace_node *n,
	const char *boot, enum relate_how how)
{
	bool corrected = n->line.points.n > 0 && n->clock_how != NULL;

	add_edge(g,
		(struct edge){ .from = input,
			.to = boot_of(g, boot),
			.step = { .node = n,
				.shift = wrap_minus(
					wrap_minus(0, n->ahead), n->timens) },
			.error = corrected ? line_error(n) : SAME_ERROR,
			.how = corrected && how == RELATE_BOOT ? RELATE_TABLE
							       : how });
}

/* Relates an input to the boots of its nodes. */
static void
add_boots(struct graph *g, int input)
{
	const struct trace *t = g->in[input].trace;

	for (int i = 0; i < t->nodes.n && t->by_monotonic; i++)
		if (t->nodes.at[i].boot != NULL)
			add_node(g, input, &t->nodes.at[i], t->nodes.at[i].boot,
				RELATE_BOOT);
}

/* Relates an input whose times were corrected to the boot to which they were.
 */
static void
add_reference(struct graph *g, int input)
{
	const struct trace *t = g->in[input].trace;
	int64_t error = 0;

	if (t->reference == NULL)
		return;
	for (int i = 0; i < t->nodes.n; i++) {
		int64_t of = line_error(&t->nodes.at[i]);

		/* A node that the table does not have has the time of its
		 * own clock. */
		if (t->nodes.at[i].line.points.n == 0)
			return;
		if (error >= 0)
			error = of < 0 ? -1 : of > error ? of : error;
	}
	add_edge(g,
		(struct edge){ .from = input,
			.to = boot_of(g, t->reference),
			.error = error < 0 ? -1 : add_errors(error, SAME_ERROR),
			.how = RELATE_TABLE,
			.is_reference = true });
}

/* Returns CLOCK_MONOTONIC at the start of an input; TRACE_UNKNOWN. */
static int64_t
monotonic_of(const struct trace *t)
{
	return t->by_monotonic ? t->start_monotonic : TRACE_UNKNOWN;
}

static bool
are_close(const struct trace *a, const struct trace *b)
{
	int64_t x = monotonic_of(a), y = monotonic_of(b), apart;

	return x != TRACE_UNKNOWN && y != TRACE_UNKNOWN &&
		!__builtin_sub_overflow(x, y, &apart) && apart <= CLOSE_NS &&
		apart >= -CLOSE_NS;
}

/* Returns the first member of the machine. */
static int
first_of(const struct graph *g, int member)
{
	while (g->members.at[member].same != member)
		member = g->members.at[member].same;
	return member;
}

static void
unite(struct graph *g, int a, int b)
{
	a = first_of(g, a);
	b = first_of(g, b);
	g->members.at[a > b ? a : b].same = a > b ? b : a;
}

/* Adds a node, to the machines of those that are close. last: by host, the last
 * member. */
static void
add_member(struct graph *g, int input, const struct trace_node *node, int *last)
{
	const struct trace *t = g->in[input].trace;
	int at = g->members.n;

	VEC_PUSH(&g->members, g->arena,
		((struct member){ .input = input,
			.node = node,
			.same = at,
			.before = *last }));
	for (int i = *last; i >= 0; i = g->members.at[i].before)
		if (g->members.at[i].input == input ||
			are_close(t, g->in[g->members.at[i].input].trace))
			unite(g, i, at);
	*last = at;
}

static void
find_members(struct graph *g)
{
	struct intern hosts;
	VEC(int) last = { 0 };

	intern_init(&hosts, g->arena);
	for (int i = 0; i < g->n; i++) {
		const struct trace *t = g->in[i].trace;

		for (int k = 0; k < t->nodes.n && t->by_monotonic; k++) {
			const struct trace_node *n = &t->nodes.at[k];
			uint32_t host = intern_add(&hosts, n->host);

			while ((uint32_t)last.n <= host)
				VEC_PUSH(&last, g->arena, -1);
			add_member(g, i, n, &last.at[host]);
		}
	}
}

/* Finds the boots of machines: that which a member knows. If two differ, the
 * others may be of either, so they get one of their own. */
static void
find_boots(struct graph *g)
{
	for (int i = 0; i < g->members.n; i++) {
		struct member *first = &g->members.at[first_of(g, i)];
		const char *boot = g->members.at[i].node->boot;

		if (first->boot == NULL)
			first->boot = boot;
		else if (boot != NULL && strcmp(first->boot, boot) != 0)
			first->is_mixed = true;
	}
	for (int i = 0; i < g->members.n; i++) {
		struct member *m = &g->members.at[i];

		if (m->same == i && (m->boot == NULL || m->is_mixed))
			m->boot = arena_printf(
				g->arena, "%d %s", i, m->node->host);
	}
}

/* Relates inputs without ids of boots to those that are assumed. */
static void
add_hosts(struct graph *g)
{
	find_members(g);
	find_boots(g);
	for (int i = 0; i < g->members.n; i++) {
		const struct member *m = &g->members.at[i];

		if (m->node->boot == NULL)
			add_node(g, m->input, m->node,
				g->members.at[first_of(g, i)].boot,
				RELATE_HOST);
	}
}

static void
add_day(struct graph *g, int input)
{
	const struct trace *t = g->in[input].trace;
	int64_t shift = t->since_1970;

	if (shift == TRACE_UNKNOWN && t->start != TRACE_UNKNOWN &&
		t->start_realtime != TRACE_UNKNOWN)
		shift = wrap_minus(t->start_realtime, t->start);
	if (shift == TRACE_UNKNOWN)
		return;
	add_edge(g,
		(struct edge){ .from = input,
			.to = day_of(g),
			.step = { .shift = shift },
			.error = RELATE_DAY_ERROR,
			.how = RELATE_DAY });
}

/* Time 0 of an input whose start is not known is the time 0 of its events. */
static int64_t
zero_of(const struct graph *g, int input)
{
	int64_t start = g->in[input].trace->start;

	return start == TRACE_UNKNOWN ? 0 : start;
}

static void
add_given(struct graph *g, const struct relate_given *r)
{
	int64_t shift = wrap_plus(
		wrap_minus(zero_of(g, r->b), zero_of(g, r->a)), r->shift);

	add_edge(g,
		(struct edge){ .from = r->a,
			.to = r->b,
			.step = { .shift = shift },
			.how = RELATE_GIVEN });
}

/* Goes along an edge, number i / 2, in one direction. Returns true if the way
 * is better than the best so far. */
static bool
go_along(struct graph *g, int i)
{
	const struct edge *e = &g->edges.at[i / 2];
	int from = i % 2 == 0 ? e->from : e->to;
	int to = i % 2 == 0 ? e->to : e->from;

	int64_t error = add_errors(g->error[from], e->error);

	if (g->error[from] == FAR || error >= g->error[to])
		return false;
	g->error[to] = error;
	g->by[to] = i;
	return true;
}

/* Finds the best ways from the first input (Bellman and Ford). */
static void
find_ways(struct graph *g)
{
	int places = g->n + 1 + (int)g->boots.n;
	bool better = true;

	g->error = ARENA_ARRAY(g->arena, int64_t, places);
	g->by = ARENA_ARRAY(g->arena, int, places);
	for (int i = 0; i < places; i++)
		g->error[i] = i == 0 ? 0 : FAR;
	while (better) {
		better = false;
		for (int i = 0; i < 2 * g->edges.n; i++)
			better |= go_along(g, i);
	}
}

/* Returns the input on the other side of the edge. */
static int
other_side(
	const struct graph *g, int place, const struct edge **edge, bool *back)
{
	int i = g->by[place];

	*edge = &g->edges.at[i / 2];
	/* The way was found from the first input to this place; it is walked
	 * from here. */
	*back = i % 2 == 0;
	return i % 2 == 0 ? (*edge)->from : (*edge)->to;
}

/* Notes the way from the input to the first one. */
static void
take_way(struct graph *g, int input)
{
	struct relate_input *in = &g->in[input];
	int place = input;
	bool is_unknown = g->error[place] == FAR - 1;

	in->is_related = g->error[place] != FAR;
	in->how = input == 0 ? RELATE_FIRST : RELATE_BOOT;
	while (in->is_related && place != 0) {
		const struct edge *e;
		bool back;

		place = other_side(g, place, &e, &back);
		VEC_PUSH(&in->way, g->arena, e->step);
		in->way.at[in->way.n - 1].back = back;
		is_unknown |= e->is_unknown || e->how == RELATE_HOST;
		if (e->how > in->how)
			in->how = e->how;
	}
	in->error = is_unknown ? -1 : g->error[input];
}

/* Gives inputs with a common boot the same number. */
static void
number_machines(struct graph *g)
{
	for (int i = 0; i < g->n; i++)
		g->in[i].machine = i;
	for (int i = 0; i < g->edges.n; i++)
		for (int k = 0; k < i; k++) {
			const struct edge *a = &g->edges.at[k],
					  *b = &g->edges.at[i];
			int to = g->in[a->from].machine,
			    from = g->in[b->from].machine;

			if (a->to != b->to || a->to <= day_of(g) ||
				a->is_reference || b->is_reference)
				continue;
			for (int m = 0; m < g->n; m++)
				if (g->in[m].machine == from)
					g->in[m].machine = to;
		}
}

/* Puts all inputs side by side: each begins at 0. */
static void
put_beside(struct graph *g)
{
	for (int i = 0; i < g->n; i++) {
		struct relate_input *in = &g->in[i];

		in->is_related = true;
		in->how = i == 0 ? RELATE_FIRST : RELATE_BESIDE;
		in->error = -1;
		VEC_PUSH(&in->way, g->arena,
			((struct relate_step){
				.shift = wrap_minus(
					zero_of(g, 0), zero_of(g, i)) }));
	}
}

static bool
refuse(const struct relate_input *first, const struct relate_input *in,
	struct err *err)
{
	struct relate_side a = { first->name, first->trace,
		relate_is_virtual(first->trace) },
			   b = { in->name, in->trace,
				   relate_is_virtual(in->trace) };

	return relate_refuse(&a, &b, err);
}

bool
relate(struct arena *a, struct relate_input *in, int n,
	const struct relate_options *o, struct err *err)
{
	struct graph g = { .arena = a, .in = in, .n = n };

	intern_init(&g.boots, a);
	for (int i = 0; i < n; i++) {
		in[i].zero = in[i].trace->start;
		add_boots(&g, i);
		add_reference(&g, i);
		add_day(&g, i);
	}
	add_hosts(&g);
	number_machines(&g);
	for (int i = 0; i < o->ngiven; i++)
		add_given(&g, &o->given[i]);
	if (o->beside) {
		put_beside(&g);
		return true;
	}
	find_ways(&g);
	for (int i = 0; i < n; i++) {
		take_way(&g, i);
		if (!in[i].is_related)
			return refuse(&in[0], &in[i], err);
	}
	return true;
}

int64_t
relate_time(const struct relate_input *in, int64_t time)
{
	for (int i = 0; i < in->way.n; i++) {
		const struct relate_step *s = &in->way.at[i];

		if (s->back)
			time = clock_time(s->node, wrap_minus(time, s->shift));
		else
			time = wrap_plus(clock_local(s->node, time), s->shift);
	}
	return time;
}

int64_t
relate_local(const struct relate_input *in, int64_t axis)
{
	for (int i = in->way.n - 1; i >= 0; i--) {
		const struct relate_step *s = &in->way.at[i];

		if (s->back)
			axis = wrap_plus(clock_local(s->node, axis), s->shift);
		else
			axis = clock_time(s->node, wrap_minus(axis, s->shift));
	}
	return axis;
}

const char *
relate_how_name(enum relate_how how)
{
	static const char *const names[] = {
		[RELATE_FIRST] = "itself",
		[RELATE_BOOT] = "boot id",
		[RELATE_TABLE] = "a table of clocks",
		[RELATE_HOST] = "host name",
		[RELATE_DAY] = "the time of day",
		[RELATE_GIVEN] = "--relate",
		[RELATE_BESIDE] = "--side-by-side",
	};

	return names[how];
}
