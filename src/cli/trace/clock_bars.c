/* SPDX-License-Identifier: MIT */
#include "cli/trace/clock_bars.h"

#include "base/arena.h"
#include "base/vec.h"
#include "base/wrap.h"
#include "export/sink.h"
#include "trace/align/clock_line.h"
#include "trace/clock.h"
#include "trace/trace.h"

#define PARTS 4 /* between two points */
/* Before the first point, and behind the last: distance of the nearest reading,
 * and how often it doubles, up to 50 days. */
#define NEAREST INT64_C(1000)
#define DOUBLINGS 42
#define SMALLER \
	0.9 /* part of the last error: a change down to it is left out */

/* The errors of a node, as they are read in order of time. */
struct bars {
	const struct trace *trace;
	const struct trace_node *node;
	struct arena *arena;
	VEC(struct sink_clock_error) at;
	int point;     /* see clock_line_error() */
	int64_t time;  /* of the last reading */
	int64_t error; /* there; -1: not known */
};

/* Notes that the error is at most so large from `time` on. */
static void
note(struct bars *b, int64_t time, int64_t error)
{
	struct sink_clock_error *last =
		b->at.n > 0 ? &b->at.at[b->at.n - 1] : NULL;

	if (last != NULL && error >= 0 && error <= last->error &&
		(double)error >= SMALLER * (double)last->error)
		return;
	if (last != NULL && last->error == error)
		return;
	if (last == NULL || last->time != time)
		last = VEC_ADD(&b->at, b->arena);
	*last = (struct sink_clock_error){ time, error };
}

static int64_t
error_at(struct bars *b, int64_t clock)
{
	int point = b->point;
	int64_t error = clock_line_error(&b->node->line, clock, &point);

	b->point = point;
	return error;
}

/* Reads the error at a clock of the node. Between two readings it is at most
 * the larger one. */
static void
look(struct bars *b, int64_t clock)
{
	int64_t error = error_at(b, clock);
	int64_t time = wrap_minus(clock_time(b->node, clock), b->trace->start);
	bool is_known = error >= 0 && b->error >= 0;

	if (time <= 0)
		return; /* the trace begins later */
	if (time > b->time)
		note(b, b->time,
			!is_known                  ? -1
				: error > b->error ? error
						   : b->error);
	b->time = time;
	b->error = error;
}

/* Reads the errors of a node at and between the points of its line, and in
 * growing distances outside. */
static void
read_line(struct bars *b)
{
	const struct clock_line *l = &b->node->line;
	int64_t first = l->points.at[0].local,
		last = l->points.at[l->points.n - 1].local;

	b->error = error_at(b, clock_local(b->node, b->trace->start));
	for (int i = DOUBLINGS; i >= 0; i--)
		look(b, wrap_minus(first, NEAREST << i));
	for (int i = 0; i + 1 < l->points.n; i++) {
		int64_t from = l->points.at[i].local,
			part = wrap_minus(l->points.at[i + 1].local, from) /
			PARTS;

		for (int k = 0; k < PARTS; k++)
			look(b, from + k * part);
	}
	look(b, last);
	for (int i = 0; i <= DOUBLINGS; i++)
		look(b, wrap_plus(last, NEAREST << i));
	note(b, b->time, b->error);
}

void
clock_bars_set(struct arena *a, const struct trace *t, struct sink_setup *setup)
{
	struct sink_clock *clocks;

	if (t->clock_error <= 0 || t->start == TRACE_UNKNOWN)
		return;
	clocks = ARENA_ARRAY(a, struct sink_clock, t->nodes.n);
	for (int i = 0; i < t->nodes.n; i++) {
		struct bars b = {
			.trace = t, .node = &t->nodes.at[i], .arena = a
		};

		if (b.node->clock_how == NULL)
			note(&b, 0, 0); /* the reference */
		else
			read_line(&b);
		clocks[i] =
			(struct sink_clock){ b.node->name, b.at.at, b.at.n };
	}
	setup->clocks = clocks;
	setup->nclocks = t->nodes.n;
}
