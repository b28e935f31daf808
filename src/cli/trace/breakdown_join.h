/* SPDX-License-Identifier: MIT */
/*
 * breakdown_join.h - a sink that makes the sorted rows of breakdowns from the
 * values of CPUs that the parts of an emulation write (part.h), and passes on
 * all other calls.
 */
#ifndef WEFT_CLI_TRACE_BREAKDOWN_JOIN_H
#define WEFT_CLI_TRACE_BREAKDOWN_JOIN_H

#include "export/sink.h"

struct arena;

/* Opens the sink; closing it closes `next`. */
struct sink *breakdown_join_open(struct arena *a, struct sink *next);

/* Sets a CPU's value, as a record before the first one has it; writes
 * nothing. */
void breakdown_join_set(
	struct sink *s, uint32_t row, uint32_t type, int64_t value);

/* Returns true if records of the type are values of CPUs. Call it when all
 * types are declared. */
bool breakdown_join_is(const struct sink *s, uint32_t type);

#endif
