/* SPDX-License-Identifier: MIT */
/*
 * tracing.h - the formats of tracepoints, as a file of perf carries them: the
 * texts of tracefs, each after its size.
 */
#ifndef WEFT_TRACE_PERF_TRACING_H
#define WEFT_TRACE_PERF_TRACING_H

#include "base/bytes.h"
#include "base/vec.h"
#include "perf/tracepoint.h"

struct arena;

struct perf_tracepoints {
	VEC(struct tracepoint *) at;
};

/* Adds the formats to the list. What is damaged is left out. */
void perf_tracing_read(
	struct perf_tracepoints *to, struct arena *a, struct bytes b);

#endif
