/* SPDX-License-Identifier: MIT */
/*
 * span.h - how long calls last in a thread that has no ring yet, at the cost of
 * rdtsc.
 *
 * The recorder has its clock only once something is recorded, but a program may
 * make millions of short calls before that. Their times are taken from one line
 * over the time-stamp counter, which the recorder makes when the process is
 * SPAN_BASE old. Until then, and where the counter may not serve as a clock,
 * they are CLOCK_MONOTONIC. The line parts from that clock by some 1e-5 of the
 * time, so only differences of times of less than that age mean something.
 */
#ifndef WEFT_INPROC_COLLECT_SPAN_H
#define WEFT_INPROC_COLLECT_SPAN_H

#include <stdbool.h>
#include <stdint.h>

#include "weft/trace.h"

/* Atomic; NULL: no line. */
extern const struct weft_line *span_line __attribute__((visibility("hidden")));

/* Takes the recorder's function that fills in the line; see `line` in
 * core/guest.h. */
void span_take_line(bool (*line)(struct weft_line *to))
	__attribute__((visibility("hidden")));

/* Returns CLOCK_MONOTONIC in ns. */
uint64_t span_clock(void) __attribute__((visibility("hidden")));

/* Does the same, and makes the line when it is time for it. */
uint64_t span_first(void) __attribute__((visibility("hidden")));

/* Returns the time of the line, ns. */
static inline uint64_t
span_now(void)
{
	const struct weft_line *l =
		__atomic_load_n(&span_line, __ATOMIC_ACQUIRE);

	if (__builtin_expect(l == NULL, 0))
		return span_first();
	__extension__ unsigned __int128 ticks =
		__builtin_ia32_rdtsc() - l->tsc0;
	return l->ns0 + (uint64_t)(ticks * l->mult >> 64);
}

#endif
