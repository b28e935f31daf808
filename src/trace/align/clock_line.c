/* SPDX-License-Identifier: MIT */
#include "trace/align/clock_line.h"

#include <math.h>

#include "base/arena.h"

__extension__ typedef __int128 wide; /* products of a clock and a slope */

#define ONE (INT64_C(1) << 40) /* slope of 1 ns for each ns */
#define STEEPEST (ONE * CLOCK_LINE_PPM / 1000000)

/* Returns the slope between two points, or INT64_MAX if it is too steep. */
static int64_t
slope_between(const struct clock_point *a, const struct clock_point *b)
{
	wide rise = (wide)b->offset - a->offset;
	wide run = (wide)b->local - a->local;
	wide slope = rise * ONE / run;

	return slope > STEEPEST || slope < -STEEPEST ? INT64_MAX
						     : (int64_t)slope;
}

bool
clock_line_agree(
	const struct clock_point *first, const struct clock_point *second)
{
	return second->local > first->local &&
		slope_between(first, second) != INT64_MAX;
}

bool
clock_line_add(
	struct clock_line *l, struct arena *a, const struct clock_point *p)
{
	int n = l->points.n;
	int64_t slope = 0;

	if (n > 0) {
		const struct clock_point *last = &l->points.at[n - 1];

		if (p->local <= last->local)
			return false;
		if (p->jumps)
			slope = l->slope.at[n - 1];
		else
			slope = slope_between(last, p);
		if (slope == INT64_MAX)
			return false;
		l->slope.at[n - 1] = slope;
	}
	VEC_PUSH(&l->points, a, *p);
	VEC_PUSH(&l->slope, a, slope); /* the line goes on */
	return true;
}

static int64_t
corrected(const struct clock_point *p)
{
	return p->local + p->offset;
}

/* Returns the last point that is not later than a local clock, or than a
 * corrected time; 0 if all are later. */
static int
search(const struct clock_line *l, int64_t when, bool is_time)
{
	int low = 0, high = l->points.n;

	while (high - low > 1) {
		int middle = low + (high - low) / 2;
		const struct clock_point *p = &l->points.at[middle];

		if ((is_time ? corrected(p) : p->local) <= when)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* Moves *at to the point whose line holds at `local`. */
static int
find(const struct clock_line *l, int64_t local, int *at)
{
	const struct clock_point *p = &l->points.at[*at];

	if (p->local > local || (*at + 1 < l->points.n && p[1].local <= local))
		*at = search(l, local, false);
	return *at;
}

int64_t
clock_line_offset(const struct clock_line *l, int64_t local, int *at)
{
	const struct clock_point *p;
	int k;

	if (l->points.n == 0)
		return 0;
	k = find(l, local, at);
	p = &l->points.at[k];
	if (l->slope.at[k] == 0)
		return p->offset;
	return p->offset +
		(int64_t)(((wide)local - p->local) * l->slope.at[k] >> 40);
}

int64_t
clock_line_local(const struct clock_line *l, int64_t time, int *at)
{
	const struct clock_point *p;
	wide since, slope;
	int64_t local;
	int k;

	if (l->points.n == 0)
		return time;
	k = *at = search(l, time, true);
	p = &l->points.at[k];
	slope = l->slope.at[k];
	since = (wide)time - corrected(p);
	local = p->local + (int64_t)(since * ONE / (ONE + slope));
	/* The rounding of both directions may differ by a ns. */
	since = (wide)time - local - p->offset -
		(((wide)local - p->local) * slope >> 40);
	return local + (int64_t)since;
}

/* Returns the bar of point k at another local clock. */
static double
error_at(const struct clock_line *l, int k, int64_t local)
{
	const struct clock_point *p = &l->points.at[k];
	double rate = l->points.n > 1 ? CLOCK_LINE_RATE : CLOCK_LINE_DRIFT;

	return p->error < 0 ? INFINITY
			    : (double)p->error +
			fabs((double)local - (double)p->local) * rate;
}

int64_t
clock_line_error(const struct clock_line *l, int64_t local, int *at)
{
	double error;
	int k;

	if (l->points.n == 0)
		return -1;
	k = find(l, local, at);
	error = error_at(l, k, local);
	/* Between two points both bars hold, unless the clock jumped; if it
	 * stood still, already at the first of them. */
	if (k + 1 < l->points.n && local >= l->points.at[k].local)
		error = l->points.at[k + 1].jumps
			? INFINITY
			: fmin(error, error_at(l, k + 1, local));
	return error < 0x1p62 ? (int64_t)ceil(error) : -1;
}
