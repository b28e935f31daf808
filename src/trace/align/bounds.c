/* SPDX-License-Identifier: MIT */
#include "trace/align/bounds.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

#define SECOND INT64_C(1000000000)

enum {
	DOUBLINGS = 14, /* how often the rate of a node is doubled at most */
	AROUND = 5,     /* knots on both sides whose rate is doubled */
};

static float *
new_floats(size_t n)
{
	return mem_resize(NULL, n, sizeof(float));
}

static void
fill(float *p, size_t n, float value)
{
	for (size_t i = 0; i < n; i++)
		p[i] = value;
}

static size_t
cell(const struct bounds *b, int node, int knot)
{
	return (size_t)node * (size_t)b->nknots + (size_t)knot;
}

/* Returns how much the slope of the line changes at point p, ns for each ns. */
static double
change_at(const struct clock_line *l, int p)
{
	if (p < 1 || p + 1 >= l->points.n || l->points.at[p].jumps ||
		l->points.at[p + 1].jumps)
		return 0;
	return fabs((double)l->slope.at[p] - (double)l->slope.at[p - 1]) /
		0x1p40;
}

/* A node whose drift changes between two probes is believed to change as fast
 * around them. */
static void
set_rates(struct bounds *b, const struct clock_line *l, int node)
{
	double rate = l->points.n > 1 || node == 0 ? CLOCK_LINE_RATE
						   : CLOCK_LINE_DRIFT;
	int at = 0, p = 0;

	for (int k = 0; k < b->nknots; k++) {
		int64_t local =
			clock_line_local(l, b->begin + k * b->step, &at);

		while (p + 1 < l->points.n &&
			l->points.at[p + 1].local <= local)
			p++;
		b->rate[cell(b, node, k)] = (float)(rate +
			fmax(change_at(l, p), change_at(l, p + 1)));
	}
}

void
bounds_init(struct bounds *b, struct arena *a, const struct clock_line *first,
	int nnodes, int64_t from, int64_t to)
{
	size_t n;

	*b = (struct bounds){
		.arena = a, .nnodes = nnodes, .begin = from, .step = SECOND
	};
	while ((to - from) / b->step + 2 > BOUNDS_KNOTS)
		b->step *= 2;
	b->nknots = (int)((to - from) / b->step) + 2;
	n = (size_t)nnodes * (size_t)b->nknots;
	b->rate = new_floats(n);
	b->up = new_floats(n);
	b->down = new_floats(n);
	for (int i = 0; i < nnodes; i++)
		set_rates(b, &first[i], i);
}

void
bounds_fini(struct bounds *b)
{
	for (int i = 0; i < b->pairs.n; i++) {
		mem_free(b->pairs.at[i].most);
		mem_free(b->pairs.at[i].tight);
	}
	map_fini(&b->index);
	mem_free(b->rate);
	mem_free(b->up);
	mem_free(b->down);
}

/* Keeps each second knot. A bound at the knot between two others holds at
 * both, for what the residuals may change until there. */
static void
halve_pair(const struct bounds *b, struct bounds_pair *p, int nknots)
{
	float rate = 0;

	for (int k = 0; k < nknots; k++) {
		int at = 2 * k;
		float most = p->most[at];

		for (int side = -1; side <= 1; side += 2) {
			int other = at + side;

			if (other < 0 || other >= b->nknots)
				continue;
			rate = b->rate[cell(b, p->from, other)] +
				b->rate[cell(b, p->to, other)];
			most = fminf(
				most, p->most[other] + rate * (float)b->step);
		}
		p->most[k] = most;
	}
}

static void
halve(struct bounds *b)
{
	int n = (b->nknots + 1) / 2;

	for (int i = 0; i < b->pairs.n; i++)
		halve_pair(b, &b->pairs.at[i], n);
	for (int node = 0; node < b->nnodes; node++)
		for (int k = 0; k < n; k++) {
			int other = 2 * k + 1 < b->nknots ? 2 * k + 1 : 2 * k;

			b->rate[(size_t)node * (size_t)n + (size_t)k] =
				fmaxf(b->rate[cell(b, node, 2 * k)],
					b->rate[cell(b, node, other)]);
		}
	b->nknots = n;
	b->step *= 2;
}

static struct bounds_pair *
find_pair(struct bounds *b, int from, int to)
{
	uint64_t *at = map_put(&b->index,
		(uint64_t)from * (uint64_t)b->nnodes + (uint64_t)to + 1);
	struct bounds_pair p = { .from = from, .to = to };

	if (*at != 0)
		return &b->pairs.at[*at - 1];
	while (b->nknots > 2 &&
		((uint64_t)b->pairs.n + 1) * (uint64_t)b->nknots * 8 >
			BOUNDS_BYTES)
		halve(b);
	p.most = new_floats((size_t)b->nknots);
	fill(p.most, (size_t)b->nknots, INFINITY);
	VEC_PUSH(&b->pairs, b->arena, p);
	*at = (uint64_t)b->pairs.n;
	return &b->pairs.at[b->pairs.n - 1];
}

/* Makes the bound hold at a knot that is `ns` away. */
static void
put(const struct bounds *b, struct bounds_pair *p, int knot, double ns,
	double most)
{
	double rate = (double)b->rate[cell(b, p->from, knot)] +
		(double)b->rate[cell(b, p->to, knot)];

	p->most[knot] = fminf(p->most[knot], (float)(most + rate * ns));
}

void
bounds_add(struct bounds *b, int from, int to, int64_t time, double most)
{
	struct bounds_pair *p = find_pair(b, from, to);
	int64_t since = time - b->begin, k = since / b->step;

	/* Messages of before and after belong to the first and last knots. */
	k = since < 0 ? 0 : k > b->nknots - 2 ? b->nknots - 2 : k;
	put(b, p, (int)k, fabs((double)(since - k * b->step)), most);
	put(b, p, (int)k + 1, fabs((double)((k + 1) * b->step - since)), most);
}

/* What a residual of the pair may change between knots k and k + 1. */
static float
change(const struct bounds *b, const struct bounds_pair *p, int k)
{
	const float *from = &b->rate[cell(b, p->from, k)];
	const float *to = &b->rate[cell(b, p->to, k)];

	return fmaxf(from[0] + to[0], from[1] + to[1]) * (float)b->step;
}

static void
tighten(struct bounds *b, struct bounds_pair *p)
{
	int n = b->nknots;

	if (p->tight == NULL)
		p->tight = new_floats((size_t)n);
	memcpy(p->tight, p->most, (size_t)n * sizeof *p->tight);
	for (int k = 0; k + 1 < n; k++)
		p->tight[k + 1] =
			fminf(p->tight[k + 1], p->tight[k] + change(b, p, k));
	for (int k = n - 2; k >= 0; k--)
		p->tight[k] =
			fminf(p->tight[k], p->tight[k + 1] + change(b, p, k));
}

/* to[k] = min(to[k], from[k] + length[k]). Returns true if one became less. */
static bool
relax(float *to, const float *from, const float *length, int n)
{
	int less = 0;

	for (int k = 0; k < n; k++) {
		float path = from[k] + length[k];

		less |= path < to[k];
		to[k] = path < to[k] ? path : to[k];
	}
	return less != 0;
}

/* Returns true if the bounds of a node cross at a knot. Floats of large bounds
 * have no single ns. */
static bool
is_crossed(const struct bounds *b, size_t i)
{
	return b->up[i] + b->down[i] < -1 - fabsf(b->up[i]) * 1e-6f;
}

static bool
any_crossed(const struct bounds *b)
{
	size_t n = (size_t)b->nnodes * (size_t)b->nknots;

	for (size_t i = 0; i < n; i++)
		if (is_crossed(b, i))
			return true;
	return false;
}

/* Finds the shortest paths from and to node 0. Returns false as soon as bounds
 * cross. */
static bool
find_paths(struct bounds *b)
{
	size_t n = (size_t)b->nnodes * (size_t)b->nknots;
	bool any = true;

	fill(b->up, n, INFINITY);
	fill(b->down, n, INFINITY);
	fill(b->up, (size_t)b->nknots, 0);
	fill(b->down, (size_t)b->nknots, 0);
	while (any) {
		any = false;
		for (int i = 0; i < b->pairs.n; i++) {
			const struct bounds_pair *p = &b->pairs.at[i];
			size_t from = cell(b, p->from, 0);
			size_t to = cell(b, p->to, 0);

			any |= relax(
				&b->up[from], &b->up[to], p->tight, b->nknots);
			any |= relax(&b->down[to], &b->down[from], p->tight,
				b->nknots);
		}
		if (any && any_crossed(b))
			return false;
	}
	return true;
}

/* Loosens the bounds that messages near a knot set, since the rate of a node
 * was doubled there. */
static void
widen(struct bounds *b, int node, int knot, float by)
{
	for (int i = 0; i < b->pairs.n; i++) {
		struct bounds_pair *p = &b->pairs.at[i];

		if (p->from == node || p->to == node)
			p->most[knot] += by * (float)b->step;
	}
}

/* Marks the knots around all those where bounds cross. */
static void
mark_crossed(const struct bounds *b, unsigned char *mark)
{
	memset(mark, 0, (size_t)b->nnodes * (size_t)b->nknots);
	for (int node = 0; node < b->nnodes; node++)
		for (int k = 0; k < b->nknots; k++) {
			int from = k < AROUND ? 0 : k - AROUND;
			int end = k + AROUND < b->nknots ? k + AROUND + 1
							 : b->nknots;

			if (is_crossed(b, cell(b, node, k)))
				memset(mark + cell(b, node, from), 1,
					cell(b, node, end) -
						cell(b, node, from));
		}
}

static void
double_rates(struct bounds *b, const unsigned char *mark)
{
	for (int node = 1; node < b->nnodes; node++)
		for (int k = 0; k < b->nknots; k++) {
			size_t i = cell(b, node, k);

			if (mark[i] == 0)
				continue;
			widen(b, node, k, b->rate[i]);
			b->rate[i] *= 2;
			b->ndoubled++;
		}
}

static void
drop(struct bounds *b, const unsigned char *mark)
{
	for (int node = 1; node < b->nnodes; node++)
		for (int k = 0; k < b->nknots; k++)
			if (mark[cell(b, node, k)] != 0) {
				widen(b, node, k, INFINITY);
				b->ndropped++;
			}
}

static void
tighten_all(struct bounds *b)
{
	for (int i = 0; i < b->pairs.n; i++)
		tighten(b, &b->pairs.at[i]);
}

void
bounds_solve(struct bounds *b)
{
	unsigned char *mark =
		mem_resize(NULL, (size_t)b->nnodes, (size_t)b->nknots);

	for (int i = 0; i <= DOUBLINGS + 1; i++) {
		tighten_all(b);
		if (find_paths(b) || i == DOUBLINGS + 1)
			break;
		mark_crossed(b, mark);
		if (i < DOUBLINGS)
			double_rates(b, mark);
		else
			drop(b, mark);
	}
	mem_free(mark);
}
