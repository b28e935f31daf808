/* SPDX-License-Identifier: MIT */
/* clock_bars.h - how exact the clock of each node is over time. */
#ifndef WEFT_CLI_TRACE_CLOCK_BARS_H
#define WEFT_CLI_TRACE_CLOCK_BARS_H

struct arena;
struct sink_setup;
struct trace;

/* Sets the clocks of the setup if the trace has nodes whose clocks were
 * measured. */
void clock_bars_set(
	struct arena *a, const struct trace *t, struct sink_setup *setup);

#endif
