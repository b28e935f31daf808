/* SPDX-License-Identifier: MIT */
#include "inproc/mem/ticks.h"

#include "perf/tsc.h"

bool ticks_are_tsc;

static struct {
	uint64_t tsc, ns; /* both clocks at the last comparison */
	double rate;      /* ns per tick */
} line = { 0, 0, 1 };

void
ticks_choose(void)
{
	ticks_are_tsc = weft_tsc_is_clock();
	ticks_compare();
}

void
ticks_compare(void)
{
	static uint64_t first_tsc, first_ns;
	uint64_t tsc = 0, ns = 0;

	if (!ticks_are_tsc)
		return;
	weft_tsc_read_both(&tsc, &ns);
	if (first_tsc == 0) {
		first_tsc = tsc;
		first_ns = ns;
	} else if (tsc > first_tsc) {
		line.rate = (double)(ns - first_ns) / (double)(tsc - first_tsc);
	}
	line.tsc = tsc;
	line.ns = ns;
}

uint64_t
ticks_to_ns(uint64_t ticks)
{
	if (!ticks_are_tsc)
		return ticks;
	return line.ns +
		(uint64_t)(int64_t)((double)(int64_t)(ticks - line.tsc) *
			line.rate);
}

uint64_t
ticks_of_ns(uint64_t ns)
{
	if (!ticks_are_tsc)
		return ns;
	return line.tsc +
		(uint64_t)(int64_t)((double)(int64_t)(ns - line.ns) /
			line.rate);
}
