/* SPDX-License-Identifier: MIT */
#include "cli/trace/summary.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/text.h"
#include "cli/trace/pipeline.h"
#include "cli/trace/task_trace.h"

const char *
summary_text(struct arena *a, const struct pipeline *r)
{
	const struct trace *t = &r->source->trace;
	char time[96], text[64], inside[32] = "";

	pipeline_span_text(r, time);
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

	pipeline_span_text(r, time);
	if (r->inside != r->events)
		snprintf(inside, sizeof inside, "%" PRIu64 " of ", r->inside);
	return arena_printf(a, "%s: %s%" PRIu64 " event%s of %d stream%s in %s",
		t->format, inside, r->events, text_plural(r->events),
		t->streams.n, text_plural((unsigned)t->streams.n), time);
}

void
summary_setup(const struct pipeline *r, struct sink_setup *setup)
{
	const struct trace *t = &r->source->trace;

	setup->unit = t->unit;
	setup->rows_grow = t->rows_grow;
	setup->clock_error = t->clock_error;
	setup->start_realtime = t->start_realtime != TRACE_UNKNOWN
		? t->start_realtime
		: CLOCK_UNKNOWN;
	setup->start_monotonic = t->start_monotonic != TRACE_UNKNOWN
		? t->start_monotonic
		: CLOCK_UNKNOWN;
}
