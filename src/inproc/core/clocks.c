/* SPDX-License-Identifier: MIT */
#include "inproc/core/clocks.h"

#include <stdbool.h>
#include <time.h>

#include "inproc/core/assert.h"
#include "perf/timens.h"

enum {
	SNAPS = 4096,
	SUSPENSIONS = 256,
	BRACKETS = 8,
	LEAST = 1000000 /* ns: a suspension is longer */
};

#define SECOND INT64_C(1000000000)

/* Written by the thread that set busy. Other threads read only the first nsnaps
 * and nsuspended entries. */
static struct {
	int busy;                    /* atomic: a thread adds to a list */
	uint32_t nsnaps, nsuspended; /* atomic */
	int64_t period;              /* s between two snapshots */
	int64_t looked, apart; /* CLOCK_MONOTONIC of the last look, and the
	                        * least distance of CLOCK_BOOTTIME ahead of
	                        * it */
	struct snap snap[SNAPS];
	struct suspended suspended[SUSPENSIONS];
} clocks;

static int64_t
read_clock(clockid_t id)
{
	struct timespec t = { 0, 0 };

	clock_gettime(id, &t);
	return (int64_t)t.tv_sec * SECOND + t.tv_nsec;
}

/* Reads a clock and CLOCK_MONOTONIC at one instant: the middle of the narrowest
 * of several brackets. Returns the bracket's width. */
static int64_t
bracket(clockid_t id, int64_t *monotonic, int64_t *value)
{
	int64_t best = INT64_MAX;

	for (int i = 0; i < BRACKETS; i++) {
		int64_t before = read_clock(CLOCK_MONOTONIC);
		int64_t now = read_clock(id);
		int64_t width = read_clock(CLOCK_MONOTONIC) - before;

		if (width < best) {
			best = width;
			*monotonic = before + width / 2;
			*value = now;
		}
	}
	return best;
}

static struct snap
take(void)
{
	struct snap s = { 0, 0, 0, 0 };
	int64_t at = 0, width;

	s.width = bracket(CLOCK_REALTIME, &s.monotonic, &s.realtime);
	width = bracket(CLOCK_MONOTONIC_RAW, &at, &s.raw);
	/* read microseconds later: in so short a time both clocks advance
	 * equally */
	s.raw -= at - s.monotonic;
	if (width > s.width)
		s.width = width;
	return s;
}

/* Each time half of the remaining entries is used, the distance between
 * snapshots doubles: so entries never run out. */
static void
add(void)
{
	uint32_t n = clocks.nsnaps;

	if (n >= SNAPS)
		return;
	clocks.snap[n] = take();
	WEFT_ASSERT(snapshots_are_in_the_order_of_time,
		n == 0 ||
			clocks.snap[n].monotonic >=
				clocks.snap[n - 1].monotonic);
	__atomic_store_n(&clocks.nsnaps, n + 1, __ATOMIC_RELEASE);
	if (n > 0 && n < SNAPS - 1 && ((SNAPS - n) & (SNAPS - n - 1)) == 0)
		clocks.period *= 2;
}

static bool
is_mine(void)
{
	return __atomic_exchange_n(&clocks.busy, 1, __ATOMIC_ACQUIRE) == 0;
}

static void
give_back(void)
{
	__atomic_store_n(&clocks.busy, 0, __ATOMIC_RELEASE);
}

/* Returns how far CLOCK_BOOTTIME is ahead of CLOCK_MONOTONIC, whose value *now
 * receives. CLOCK_BOOTTIME is read first: a delay between the two readings
 * makes the distance smaller, never larger, so that no delay counts as a
 * suspension. */
static int64_t
distance(int64_t *now)
{
	int64_t boottime = read_clock(CLOCK_BOOTTIME);

	*now = read_clock(CLOCK_MONOTONIC);
	return boottime - *now;
}

void
weft_rt_clocks_begin(void)
{
	clocks.busy = 0; /* a thread of the parent may have set it */
	clocks.nsnaps = clocks.nsuspended = 0;
	clocks.period = 60;
	/* One delayed reading here would make every later distance look like
	 * the end of a suspension. */
	clocks.apart = INT64_MIN;
	for (int i = 0; i < BRACKETS; i++) {
		int64_t apart = distance(&clocks.looked);

		if (apart > clocks.apart)
			clocks.apart = apart;
	}
	add();
}

bool
weft_rt_clocks_are_old(void)
{
	uint32_t n = __atomic_load_n(&clocks.nsnaps, __ATOMIC_ACQUIRE);

	return n < 2 ||
		read_clock(CLOCK_MONOTONIC) - clocks.snap[n - 1].monotonic >=
		SECOND;
}

void
weft_rt_clocks_snap(void)
{
	if (!weft_rt_clocks_are_old() || !is_mine())
		return;
	add();
	give_back();
}

static void
look(void)
{
	int64_t now, apart = distance(&now);
	uint32_t n = clocks.nsuspended;

	WEFT_ASSERT(looks_are_in_the_order_of_time, now >= clocks.looked);
	if (apart - clocks.apart > LEAST && n < SUSPENSIONS) {
		clocks.suspended[n] = (struct suspended){ clocks.looked, now,
			apart - clocks.apart };
		__atomic_store_n(&clocks.nsuspended, n + 1, __ATOMIC_RELEASE);
	}
	if (apart > clocks.apart)
		clocks.apart = apart;
	clocks.looked = now;
}

uint32_t
weft_rt_clocks_look(void)
{
	if (is_mine()) {
		look();
		give_back();
	}
	return __atomic_load_n(&clocks.nsuspended, __ATOMIC_ACQUIRE);
}

void
weft_rt_clocks_tick(void)
{
	if (!is_mine())
		return;
	look();
	/* the last entry is reserved for the end */
	if (clocks.nsnaps > 0 && clocks.nsnaps < SNAPS - 1 &&
		clocks.looked - clocks.snap[clocks.nsnaps - 1].monotonic >=
			clocks.period * SECOND)
		add();
	give_back();
}

uint32_t
weft_rt_clocks_snaps(const struct snap **list)
{
	*list = clocks.snap;
	return __atomic_load_n(&clocks.nsnaps, __ATOMIC_ACQUIRE);
}

uint32_t
weft_rt_clocks_suspended(const struct suspended **list)
{
	*list = clocks.suspended;
	return __atomic_load_n(&clocks.nsuspended, __ATOMIC_ACQUIRE);
}

int64_t
weft_rt_clocks_epoch(void)
{
	return clocks.snap[0].realtime - clocks.snap[0].monotonic;
}

int64_t
weft_rt_clocks_timens(void)
{
	return timens_read();
}
