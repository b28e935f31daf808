/* SPDX-License-Identifier: MIT */
#include "inproc/collect/span.h"

#include <time.h>

enum { SPAN_BASE = 10000000, READINGS = 5 }; /* ns */

__extension__ typedef unsigned __int128 wide;

struct reading {
	uint64_t tsc, ns;
};

static struct reading loaded;
static bool may_count; /* atomic */
const struct weft_line *span_line;

uint64_t
span_clock(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Reads both clocks at one instant: the middle of the narrowest of several
 * tries. */
static struct reading
read_both(void)
{
	struct reading best = { 0, 0 };
	uint64_t width = UINT64_MAX;

	for (int i = 0; i < READINGS; i++) {
		uint64_t before = __builtin_ia32_rdtsc(), ns = span_clock(),
			 after = __builtin_ia32_rdtsc();

		if (after - before < width) {
			width = after - before;
			best = (struct reading){ before + width / 2, ns };
		}
	}
	return best;
}

void
span_load(void)
{
	loaded = read_both();
}

void
span_may_count(void)
{
	__atomic_store_n(&may_count, true, __ATOMIC_RELEASE);
}

/* The first thread that comes here makes the line. */
static void
make_line(void)
{
	static struct weft_line line;
	static bool is_made;
	struct reading now;

	if (__atomic_exchange_n(&is_made, true, __ATOMIC_ACQ_REL))
		return;
	now = read_both();
	line.tsc0 = now.tsc;
	line.ns0 = now.ns;
	line.mult = (uint64_t)(((wide)(now.ns - loaded.ns) << 64) /
		(now.tsc - loaded.tsc));
	__atomic_store_n(&span_line, &line, __ATOMIC_RELEASE);
}

uint64_t
span_first(void)
{
	uint64_t ns = span_clock();

	if (__atomic_load_n(&may_count, __ATOMIC_ACQUIRE) && loaded.ns != 0 &&
		ns - loaded.ns >= SPAN_BASE)
		make_line();
	return ns;
}
