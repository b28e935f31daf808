/* SPDX-License-Identifier: MIT */
#include "inproc/collect/span.h"

#include <time.h>

#include "perf/kernel_clock.h"

enum { SPAN_BASE = 10000000 /* ns */ };

static bool (*fill)(struct weft_line *to); /* set at load */
static uint64_t due; /* atomic: when to ask for the line, ns; 0: not at all */
const struct weft_line *span_line;

uint64_t
span_clock(void)
{
	struct timespec t;

	weft_kernel_clock(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void
span_take_line(bool (*line)(struct weft_line *to))
{
	fill = line;
	__atomic_store_n(&due, span_clock() + SPAN_BASE, __ATOMIC_RELEASE);
}

/* The first thread that comes here asks for the line. Where there is none, one
 * thread asks again each SPAN_BASE. */
static void
make_line(uint64_t now)
{
	static struct weft_line line;
	static bool is_made;

	if (__atomic_exchange_n(&is_made, true, __ATOMIC_ACQ_REL))
		return;
	if (fill(&line)) {
		__atomic_store_n(&span_line, &line, __ATOMIC_RELEASE);
		return;
	}
	__atomic_store_n(&due, now + SPAN_BASE, __ATOMIC_RELEASE);
	__atomic_store_n(&is_made, false, __ATOMIC_RELEASE);
}

uint64_t
span_first(void)
{
	uint64_t ns = span_clock(),
		 at = __atomic_load_n(&due, __ATOMIC_ACQUIRE);

	if (at != 0 && ns >= at)
		make_line(ns);
	return ns;
}
