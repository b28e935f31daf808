/* SPDX-License-Identifier: MIT */
#include "rt/clock.h"

#include <time.h>

#include "perf/tsc.h"
#include "rt/say.h"
#include "weft/trace.h"

__extension__ typedef unsigned __int128 wide;

enum {
	LINES = 4096,          /* a thread may sleep on one for about an hour */
	FIRST_SPAN = 1000000,  /* ns; each line spans four times the last's, */
	LAST_SPAN = 1000000000 /* until a second */
};

struct reading {
	uint64_t tsc, ns;
};

static struct {
	bool is_tsc;
	uint64_t n; /* lines announced so far */
	struct weft_line line[LINES];
	int busy;      /* somebody announces a line */
	uint64_t due;  /* tsc at which the next one should be */
	uint64_t span; /* ns of the next one */
	struct reading first, last;
} clk;

static uint64_t
gettime(void)
{
	struct timespec t;

	if (clock_gettime(CLOCK_MONOTONIC, &t) != 0)
		weft_rt_die("ovni_clock_now", "clock_gettime() failed:");
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

#ifdef __x86_64__
static uint64_t
rdtsc(void)
{
	return __builtin_ia32_rdtsc();
}
#else
static uint64_t
rdtsc(void)
{
	return 0;
}
#endif

/* Both clocks at one instant: the middle of the narrowest of some tries. */
static struct reading
read_both(void)
{
	struct reading best = { 0, 0 };
	uint64_t width = UINT64_MAX;

	for (int i = 0; i < 8; i++) {
		uint64_t before = rdtsc(), ns = gettime(), after = rdtsc();

		if (after - before < width) {
			width = after - before;
			best = (struct reading){ before + width / 2, ns };
		}
	}
	return best;
}

static bool
has_line(void)
{
	return clk.is_tsc && __atomic_load_n(&clk.n, __ATOMIC_ACQUIRE) > 0;
}

static uint64_t
along(uint64_t ticks, uint64_t mult)
{
	return (uint64_t)((wide)ticks * mult >> 64);
}

/* ns per tick, times 2^64. */
static uint64_t
slope(uint64_t ns, uint64_t ticks)
{
	return (uint64_t)(((wide)ns << 64) / ticks);
}

static uint64_t
ticks_of(uint64_t ns, uint64_t mult)
{
	return (uint64_t)(((wide)ns << 64) / mult);
}

static uint64_t
at(const struct weft_line *l, uint64_t tsc)
{
	/* before its beginning by a hair: another CPU's counter */
	return tsc >= l->tsc0 ? l->ns0 + along(tsc - l->tsc0, l->mult)
			      : l->ns0 - along(l->tsc0 - tsc, l->mult);
}

void
weft_rt_clock_load(bool may_count)
{
	clk.is_tsc = may_count && weft_tsc_is_clock();
	if (clk.is_tsc)
		clk.first = read_both();
}

static void
announce(struct weft_line line, uint64_t span)
{
	/* Half of the span passes until the next line is made, which begins
	 * two looks after that. */
	line.look = ticks_of(span / 8, line.mult);
	clk.line[clk.n % LINES] = line;
	__atomic_store_n(&clk.due, line.tsc0 + ticks_of(span / 2, line.mult),
		__ATOMIC_RELAXED);
	clk.span = span * 4 < LAST_SPAN ? span * 4 : LAST_SPAN;
	__atomic_store_n(&clk.n, clk.n + 1, __ATOMIC_RELEASE);
}

void
weft_rt_clock_start(void)
{
	struct reading now;

	if (!clk.is_tsc || clk.n > 0)
		return;
	do
		now = read_both();
	while (now.ns - clk.first.ns < 200000);
	clk.last = now;
	announce((struct weft_line){ .tsc0 = now.tsc,
			 .ns0 = now.ns,
			 .mult = slope(now.ns - clk.first.ns,
				 now.tsc - clk.first.tsc) },
		FIRST_SPAN);
}

/* The line that begins two looks from now where the old one is then, and is
 * right again at its own end. */
static void
next_line(void)
{
	const struct weft_line *old = &clk.line[(clk.n - 1) % LINES];
	struct reading now = read_both();
	struct reading since = clk.n > 4 ? clk.last : clk.first;
	uint64_t rate = slope(now.ns - since.ns, now.tsc - since.tsc);
	uint64_t start = now.tsc + 2 * old->look;
	uint64_t end = start + ticks_of(clk.span, rate);
	uint64_t from = at(old, start);
	uint64_t to = now.ns + along(end - now.tsc, rate);
	uint64_t least = rate - rate / 8, most = rate + rate / 8;
	uint64_t mult = to > from ? slope(to - from, end - start) : least;

	if (mult < least)
		mult = least;
	if (mult > most)
		mult = most;
	clk.last = now;
	if (rdtsc() >= start - old->look)
		return; /* we were held up: others are past the beginning */
	announce((struct weft_line){ .tsc0 = start, .ns0 = from, .mult = mult },
		clk.span);
}

static void
tick(uint64_t tsc)
{
	if (tsc < __atomic_load_n(&clk.due, __ATOMIC_RELAXED) ||
		__atomic_exchange_n(&clk.busy, 1, __ATOMIC_ACQUIRE))
		return;
	if (tsc >= clk.due)
		next_line();
	__atomic_store_n(&clk.busy, 0, __ATOMIC_RELEASE);
}

/* The line that holds at a tick. */
static const struct weft_line *
line_at(uint64_t tsc)
{
	uint64_t n = __atomic_load_n(&clk.n, __ATOMIC_ACQUIRE);
	const struct weft_line *l = &clk.line[(n - 1) % LINES];

	return tsc >= l->tsc0 || n == 1 ? l : &clk.line[(n - 2) % LINES];
}

uint64_t
weft_rt_clock_read(struct weft_ring *ring, uint64_t tsc)
{
	const struct weft_line *l;
	uint64_t next;

	if (!has_line())
		return gettime();
	tick(tsc);
	l = line_at(tsc);
	if (ring->check == 0)
		return at(l, tsc);
	/* A handler may do the same between any two of these lines: each pair
	 * of a line and an earlier check is good. */
	next = clk.line[(__atomic_load_n(&clk.n, __ATOMIC_ACQUIRE) - 1) % LINES]
		       .tsc0;
	ring->line = l;
	ring->check = next > tsc && next < tsc + l->look ? next : tsc + l->look;
	return at(l, tsc);
}

void
weft_rt_clock_attach(struct weft_ring *ring)
{
	if (!clk.is_tsc)
		return;
	ring->line = line_at(rdtsc());
	ring->check = 1; /* the first event looks */
}

uint64_t
weft_rt_clock_now(void)
{
	uint64_t tsc = rdtsc();

	if (!has_line())
		return gettime();
	return at(line_at(tsc), tsc);
}

void
weft_rt_clock_tick(void)
{
	if (has_line())
		tick(rdtsc());
}

const char *
weft_rt_clock_name(void)
{
	return clk.is_tsc ? "tsc" : "gettime";
}
