/* SPDX-License-Identifier: MIT */
#include "cli/trace/summary.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/text.h"
#include "cli/times.h"
#include "cli/trace/clock_bars.h"
#include "cli/trace/pipeline.h"
#include "cli/trace/task_trace.h"

/* Writes the span of time that was read: "56.278 ms", or with a window "a
 * window of 10.000 ms (the trace lasts 56.278 ms)". */
static void
span_text(const struct pipeline *r, char to[96])
{
	const struct filter_options *o = &r->filter.options;
	int64_t ticks = r->tasks == NULL ? 1 : task_trace_ticks(r->tasks);
	int64_t end = r->duration * ticks;
	int64_t until = o->to < end ? o->to : end;
	char part[TIMES_TEXT], all[TIMES_TEXT];

	times_text(r->duration, "ns", all);
	if (!filter_args_window(&r->filter))
		snprintf(to, 96, "%s", all);
	else
		snprintf(to, 96, "a window of %s (of %s)",
			times_text(until > o->from ? until - o->from : 0,
				ticks > 1 ? "ps" : "ns", part),
			all);
}

const char *
summary_text(struct arena *a, const struct pipeline *r)
{
	const struct trace *t = &r->source->trace;
	char time[96], text[64], inside[32] = "";

	span_text(r, time);
	if (r->tasks != NULL)
		return arena_printf(a, "%s: %s, %s", t->format,
			task_trace_text(r->tasks, text), time);
	if (r->records != NULL)
		return arena_printf(a, "%s: %" PRIu64 " record%s in %s",
			t->format, r->events, text_plural(r->events), time);
	if (filter_args_window(&r->filter) && r->inputs == NULL)
		snprintf(inside, sizeof inside, "%" PRIu64 " of ", r->inside);
	return arena_printf(a,
		"%s: %d thread%s of %d process%s, %s%" PRIu64 " event%s in %s",
		t->format, r->nthreads, text_plural((unsigned)r->nthreads),
		r->nprocesses, r->nprocesses == 1 ? "" : "es", inside,
		r->events, text_plural(r->events), time);
}

const char *
summary_events(struct arena *a, const struct pipeline *r)
{
	const struct trace *t = &r->source->trace;
	char time[96], inside[32] = "";

	span_text(r, time);
	if (r->inside != r->events)
		snprintf(inside, sizeof inside, "%" PRIu64 " of ", r->inside);
	return arena_printf(a, "%s: %s%" PRIu64 " event%s of %d stream%s in %s",
		t->format, inside, r->events, text_plural(r->events),
		t->streams.n, text_plural((unsigned)t->streams.n), time);
}

void
summary_setup(struct pipeline *r, struct sink_setup *setup)
{
	const struct trace *t = &r->source->trace;

	setup->unit = t->unit;
	setup->rows_grow = t->rows_grow;
	setup->clock_error = t->clock_error;
	clock_bars_set(&r->arena, t, setup);
	setup->start_realtime = t->start_realtime != TRACE_UNKNOWN
		? t->start_realtime
		: CLOCK_UNKNOWN;
	setup->start_monotonic = t->start_monotonic != TRACE_UNKNOWN
		? t->start_monotonic
		: CLOCK_UNKNOWN;
}
