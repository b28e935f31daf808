/* SPDX-License-Identifier: MIT */
#include "trace/ctf/clocks.h"

#include <string.h>

#include "trace/ctf/stream.h"
#include "trace/trace.h"

int64_t
ctf_clock_origin(const struct trace_part *part)
{
	const struct trace_env *start = trace_env(part, "start_ts");

	return start == NULL || trace_env(part, "weft_version") == NULL
		? 0
		: start->number;
}

/* Returns true if the clock is the machine's CLOCK_MONOTONIC: LTTng and our
 * recorder call it so, and write when it began. */
static bool
is_monotonic(const struct ctf_stream *s)
{
	const struct ctf_clock *clock =
		s->class == NULL ? NULL : s->class->ticks;

	return clock != NULL && s->offset_ns != 0 && clock->name != NULL &&
		strcmp(clock->name, "monotonic") == 0;
}

void
ctf_clock_start(struct trace *t, const struct ctf_stream *s)
{
	if (s->offset_ns == 0 || s->class->ticks == NULL)
		return;
	t->start_realtime = s->time;
	if (is_monotonic(s))
		t->start_monotonic =
			(int64_t)((uint64_t)s->time - (uint64_t)s->offset_ns +
				(uint64_t)ctf_clock_origin(
					t->streams.at[s->number].part));
}

bool
ctf_clock_nodes(struct trace *t, const struct ctf_stream *streams)
{
	bool all = t->streams.n > 0;

	for (int i = 0; i < t->streams.n; i++) {
		const struct ctf_stream *s = &streams[i];
		const struct trace_part *part = t->streams.at[i].part;
		struct trace_node *node = &t->nodes.at[part->node];

		if (s->class == NULL)
			continue;
		all = all && is_monotonic(s);
		if (!is_monotonic(s) || node->boot != NULL)
			continue;
		node->ahead = (int64_t)((uint64_t)s->offset_ns -
			(uint64_t)ctf_clock_origin(part));
		node->boot = s->class->ticks->uuid;
	}
	return all;
}
