/* SPDX-License-Identifier: MIT */
#include "trace/align/align.h"

#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/bug.h"
#include "trace/align/bounds.h"

void
align_init(
	struct align *a, struct arena *arena, int nnodes, int64_t min_latency)
{
	*a = (struct align){
		.arena = arena, .nnodes = nnodes, .min_latency = min_latency
	};
	a->first = ARENA_ARRAY(arena, struct clock_line, nnodes);
	a->line = ARENA_ARRAY(arena, struct clock_line, nnodes);
	a->at = ARENA_ARRAY(arena, int, nnodes);
	a->nprobes = ARENA_ARRAY(arena, int, nnodes);
}

void
align_fini(struct align *a)
{
	bounds_fini(&a->bounds);
}

void
align_probe(struct align *a, const struct align_probe *p)
{
	BUG_ON(p->node < 0 || p->node >= a->nnodes || p->reference < 0 ||
		p->reference >= a->nnodes);
	if (p->node != 0 && p->node != p->reference)
		VEC_PUSH(&a->probes, a->arena, *p);
}

static int
by_node_and_time(const void *x, const void *y)
{
	const struct align_probe *a = x, *b = y;

	if (a->node != b->node)
		return a->node < b->node ? -1 : 1;
	return (a->local > b->local) - (a->local < b->local);
}

/* Returns what a probe says of its node; the line of its reference is known. */
static struct clock_point
point_of(struct align *a, const struct align_probe *p)
{
	const struct clock_line *r = &a->first[p->reference];
	int64_t there = p->local + p->offset;
	int *at = &a->at[p->reference];
	int64_t error = p->reference == 0 ? 0 : clock_line_error(r, there, at);

	return (struct clock_point){ .local = p->local,
		.offset = p->offset + clock_line_offset(r, there, at),
		.error = error < 0 ? -1 : error + (p->delay + 1) / 2 };
}

/* Adds the points of a node's probes. A point far from the line is an error of
 * its probe, or the clock has jumped: the next point tells. */
static void
make_line(struct align *a, const struct align_probe *p,
	const struct align_probe *end, const bool *is_known)
{
	struct clock_line *l = &a->first[p->node];
	struct clock_point odd = { .error = -1 };
	bool has_odd = false;

	for (; p < end; p++) {
		struct clock_point point;

		if (!is_known[p->reference])
			continue;
		point = point_of(a, p);
		if (clock_line_add(l, a->arena, &point)) {
			has_odd = false;
			continue;
		}
		if (has_odd && clock_line_agree(&odd, &point)) {
			odd.jumps = true;
			clock_line_add(l, a->arena, &odd);
			clock_line_add(l, a->arena, &point);
			has_odd = false;
			continue;
		}
		odd = point;
		has_odd = true;
	}
}

/* Makes the lines of all nodes whose references have lines. Returns false if
 * there is none. The probes are sorted by node. */
static bool
make_lines(struct align *a, bool *is_known)
{
	bool any = false;

	for (int i = 0, end; i < a->probes.n; i = end) {
		const struct align_probe *p = &a->probes.at[i];
		int node = p->node;
		bool usable = false;

		for (end = i;
			end < a->probes.n && a->probes.at[end].node == node;
			end++)
			usable |= is_known[a->probes.at[end].reference];
		if (is_known[node] || !usable)
			continue;
		make_line(a, p, a->probes.at + end, is_known);
		a->nprobes[node] = a->first[node].points.n;
		is_known[node] = any = true;
	}
	return any;
}

/* A probe is two messages: one each way. */
static void
add_bounds(struct align *a, const struct align_probe *p)
{
	int64_t half = (p->delay + 1) / 2, there = p->local + p->offset;

	align_message(a,
		&(struct align_message){ p->node, p->reference, p->local,
			there + half + a->min_latency });
	align_message(a,
		&(struct align_message){ p->reference, p->node,
			there - half - a->min_latency, p->local });
}

static void
begin_bounds(struct align *a, int64_t from, int64_t to)
{
	bounds_init(&a->bounds, a->arena, a->first, a->nnodes, from, to);
	for (int i = 0; i < a->probes.n; i++)
		add_bounds(a, &a->probes.at[i]);
	a->nmessages = a->ndropped = 0;
}

void
align_begin(struct align *a, int64_t from, int64_t to)
{
	bool *is_known = ARENA_ARRAY(a->arena, bool, a->nnodes);

	if (a->probes.n > 1)
		qsort(a->probes.at, (size_t)a->probes.n, sizeof *a->probes.at,
			by_node_and_time);
	is_known[0] = true;
	while (make_lines(a, is_known))
		;
	begin_bounds(a, from, to);
}

/* Makes the first line of points of the result, a quarter of its time apart:
 * the errors of nearer points would look like a drift that changes. */
static void
resume_line(struct align *a, int node)
{
	const struct bounds *b = &a->bounds;
	int64_t least = b->step * (b->nknots - 1) / 4, last = INT64_MIN;
	struct clock_line *l = &a->first[node];

	l->points.n = l->slope.n = 0;
	for (int k = 0, at = 0; k < b->nknots; k++) {
		int64_t time = b->begin + k * b->step;
		int64_t local = clock_line_local(&a->line[node], time, &at);
		int64_t error = clock_line_error(&a->line[node], local, &at);

		if (error < 0 || (last != INT64_MIN && time - last < least))
			continue;
		if (clock_line_add(l, a->arena,
			    &(struct clock_point){ .local = local,
				    .offset = time - local,
				    .error = error }))
			last = time;
	}
}

void
align_again(struct align *a)
{
	const struct bounds *b = &a->bounds;
	int64_t from = b->begin, to = b->begin + (b->nknots - 1) * b->step;

	for (int i = 1; i < a->nnodes; i++) {
		if (a->nprobes[i] == 0)
			resume_line(a, i);
		a->line[i] = (struct clock_line){ 0 };
		a->at[i] = 0;
	}
	a->line[0] = (struct clock_line){ 0 };
	bounds_fini(&a->bounds);
	begin_bounds(a, from, to);
}

/* Returns how far the first line of a node may be from the truth at a local
 * clock, whatever the clock did between two probes. */
static double
doubt(const struct align *a, int node, int64_t local)
{
	const struct clock_line *l = &a->first[node];
	const struct clock_point *p = l->points.at;
	int k = a->at[node];
	double far;

	if (node == 0)
		return 0;
	if (a->nprobes[node] == 0)
		return INFINITY;
	far = fabs((double)local - (double)p[k].local);
	if (k + 1 < l->points.n)
		far = fmin(far, fabs((double)p[k + 1].local - (double)local));
	return p[k].error < 0 ? INFINITY
			      : (double)p[k].error + far * CLOCK_LINE_DRIFT;
}

/* Returns true if the node's clock jumped between the two points that the last
 * look-up found. */
static bool
jumped(const struct align *a, int node)
{
	const struct clock_line *l = &a->first[node];
	int k = a->at[node];

	return k + 1 < l->points.n && l->points.at[k + 1].jumps;
}

/* A node without probes starts with the offset that its first message would
 * have without any latency. */
static void
start_line(struct align *a, int node, int64_t local, int64_t there)
{
	clock_line_add(&a->first[node], a->arena,
		&(struct clock_point){
			.local = local, .offset = there - local, .error = -1 });
}

static bool
has_line(const struct align *a, int node)
{
	return node == 0 || a->first[node].points.n > 0;
}

void
align_message(struct align *a, const struct align_message *m)
{
	int i = m->from, j = m->to;
	int64_t sent, received;
	double most;

	if (i == j)
		return;
	sent = m->sent + clock_line_offset(&a->first[i], m->sent, &a->at[i]);
	received = m->received +
		clock_line_offset(&a->first[j], m->received, &a->at[j]);
	a->nmessages++;
	if (!has_line(a, i) && !has_line(a, j))
		return;
	if (!has_line(a, i))
		start_line(a, i, m->sent, sent = received);
	else if (!has_line(a, j))
		start_line(a, j, m->received, received = sent);
	most = (double)(received - sent - a->min_latency);
	if (jumped(a, i) || jumped(a, j))
		return;
	if (most < -(doubt(a, i, m->sent) + doubt(a, j, m->received)))
		a->ndropped++;
	else
		bounds_add(&a->bounds, i, j, received, most);
}

/* Returns the correction at a knot, and its bar. */
static struct clock_point
point_at(struct align *a, int node, int knot)
{
	const struct bounds *b = &a->bounds;
	size_t i = (size_t)node * (size_t)b->nknots + (size_t)knot;
	const struct clock_line *first = &a->first[node];
	int64_t time = b->begin + knot * b->step;
	int64_t local = clock_line_local(first, time, &a->at[node]);
	double up = b->up[i], low = -b->down[i], e = 0, bar;

	if (up < low) /* contradictory to the end */
		return (struct clock_point){ local, time - local, -1, false };
	if (a->nprobes[node] >= 3)
		e = fmin(fmax(0, low), up);
	else if (isfinite(up) && isfinite(low))
		e = (up + low) / 2;
	bar = fmax(up - e, e - low) + b->rate[i] * (double)b->step / 2;
	return (struct clock_point){ local, time - local + (int64_t)llround(e),
		isfinite(bar) ? (int64_t)ceil(bar) : -1, false };
}

enum { RUN = 32 }; /* knots that may be left out in a row */

/* Returns true if the line from p[0] to p[n] says of all points between them
 * what they say. */
static bool
is_line(const struct clock_point *p, int n)
{
	double run = (double)(p[n].local - p[0].local);
	double rise = (double)(p[n].offset - p[0].offset);

	for (int i = 1; i < n; i++) {
		double x = (double)(p[i].local - p[0].local);
		double to_end = run - x;
		double off =
			rise * x / run - (double)(p[i].offset - p[0].offset);
		double bar = fmin((double)p[0].error + x * CLOCK_LINE_RATE,
			(double)p[n].error + to_end * CLOCK_LINE_RATE);

		if (p[i].jumps)
			return false;
		if ((p[0].error < 0 || p[n].error < 0) != (p[i].error < 0))
			return false;
		if (p[i].error >= 0 &&
			(fabs(off) * 10 > (double)p[i].error ||
				bar + 1 < (double)p[i].error))
			return false;
		if (p[i].error < 0 && fabs(off) > 1)
			return false;
	}
	return true;
}

static void
thin(struct align *a, struct clock_line *l, const struct clock_point *p, int n)
{
	for (int i = 0, next; i < n; i = next) {
		clock_line_add(l, a->arena, &p[i]);
		next = i + 1;
		while (next + 1 < n && next + 1 - i <= RUN &&
			is_line(p + i, next + 1 - i))
			next++;
	}
}

/* Stores the points of a node, without those where its clock may have jumped.
 * Returns their number. */
static int
collect(struct align *a, int node, struct clock_point *p)
{
	bool jumps = false;
	int n = 0;

	a->at[node] = 0;
	for (int k = 0; k < a->bounds.nknots; k++) {
		struct clock_point point = point_at(a, node, k);

		if (jumped(a, node)) {
			jumps = true;
			continue;
		}
		point.jumps = jumps && n > 0;
		jumps = false;
		p[n++] = point;
	}
	return n;
}

void
align_solve(struct align *a)
{
	struct clock_point *p;

	bounds_solve(&a->bounds);
	p = ARENA_ARRAY(a->arena, struct clock_point, a->bounds.nknots);
	clock_line_add(&a->line[0], a->arena,
		&(struct clock_point){ .local = a->bounds.begin });
	for (int node = 1; node < a->nnodes; node++)
		thin(a, &a->line[node], p, collect(a, node, p));
}

const struct clock_line *
align_line(const struct align *a, int node)
{
	return &a->line[node];
}

const struct clock_line *
align_first(const struct align *a, int node)
{
	return &a->first[node];
}
