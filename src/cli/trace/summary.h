/* SPDX-License-Identifier: MIT */
/*
 * summary.h - what commands that write the records of a trace have in common:
 * the line about the trace that was read, and its clocks.
 */
#ifndef WEFT_CLI_TRACE_SUMMARY_H
#define WEFT_CLI_TRACE_SUMMARY_H

struct arena;
struct pipeline;
struct sink_setup;

/* Returns "ovni v3: 33 threads of 1 process, 3209 events in 56.278 ms". */
const char *summary_text(struct arena *a, const struct pipeline *r);

/* Returns "ovni v3: 3209 events of 33 streams in 56.278 ms". */
const char *summary_events(struct arena *a, const struct pipeline *r);

/* Sets the unit, whether rows may appear late, and the clocks of time 0. */
void summary_setup(struct pipeline *r, struct sink_setup *setup);

#endif
