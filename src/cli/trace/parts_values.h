/* SPDX-License-Identifier: MIT */
/*
 * parts_values.h - values of CPUs in breakdowns (emu/part.h), which the process
 * that writes a slice (parts_rounds.h) must know from all parts when its slice
 * begins.
 */
#ifndef WEFT_CLI_TRACE_PARTS_VALUES_H
#define WEFT_CLI_TRACE_PARTS_VALUES_H

#include <stdint.h>

struct arena;
struct share;
struct sink;
struct team;

struct parts_values *parts_values_open(struct arena *a, struct team *t);

/* Sends the values that this part's CPUs have at the beginning of each slice,
 * if they changed since the last slice of that process; sets those that arrive
 * in `front` (breakdown_join.h). Slice i: cuts[i] to cuts[i + 1]. */
void parts_values_exchange(struct parts_values *v, struct share *share,
	const int64_t *cuts, struct sink *front);

void parts_values_close(struct parts_values *v);

#endif
