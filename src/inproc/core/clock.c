/* SPDX-License-Identifier: MIT */
#include "inproc/core/clock.h"

#include <time.h>

#include "inproc/core/assert.h"
#include "inproc/core/clocks.h"
#include "inproc/core/pause.h"
#include "inproc/core/say.h"
#include "perf/tsc.h"
#include "weft/trace.h"

__extension__ typedef unsigned __int128 wide;

enum {
	LINES = 4096,           /* a thread may sleep on a line for about an
	                         * hour */
	FIRST_SPAN = 1000000,   /* ns; each line spans four times the previous
	                         * one, up to LAST_SPAN */
	LAST_SPAN = 1000000000, /* ns: one second */
	EARLY = 4,              /* number of first lines, whose slope is less
	                         * certain */
	LEAST_SPAN = 10000000,  /* ns since load that a line for the guest
	                         * spans */
	MARGIN = 1000000, /* ns by which a line may be wrong, and more with its
	                   * length; beyond that a clock has jumped */
	LOOKS = 32,       /* per span */
	SPINS = 100       /* turns to wait while another thread announces a
	                   * line */
};

struct reading {
	uint64_t tsc, ns;
};

/* Any thread may announce a line, after it set busy. Only that thread writes
 * atomic fields (reach: any thread does); all threads read them. */
static struct {
	bool is_tsc;                  /* set at load */
	struct reading loaded;        /* set at load */
	int busy;                     /* atomic: a thread announces a line */
	uint64_t n;                   /* atomic: lines announced so far */
	struct weft_line line[LINES]; /* written before n counts it;
	                               * put_line() */
	uint64_t due;   /* atomic: tsc at which to make the next line */
	uint64_t jump;  /* atomic: number of lines before the line that began at
	                 * a jump of a clock */
	uint64_t ahead; /* atomic: ns by which the newest line begins later than
	                 * CLOCK_MONOTONIC */
	uint64_t reach; /* atomic: tsc up to which a ring may use its line */

	/* Used only by the thread that set busy. */
	uint64_t span; /* ns of the next line */
	struct reading first, last;
	uint64_t rate;  /* ns per tick, times 2^64 */
	uint64_t odd;   /* the last measured rate that was far from rate */
	uint32_t slept; /* suspensions that are taken into account */
} clk;

const struct weft_line weft_rt_clock_none;

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

static struct reading
read_both(void)
{
	struct reading now = { 0, 0 };

	weft_tsc_read_both(&now.tsc, &now.ns);
	return now;
}

static bool
has_line(void)
{
	return clk.is_tsc && __atomic_load_n(&clk.n, __ATOMIC_ACQUIRE) > 0;
}

/* Returns the ticks from b to a, signed: readings of two CPUs may differ
 * slightly, and a counter may be set back. */
static int64_t
after(uint64_t a, uint64_t b)
{
	return (int64_t)(a - b);
}

static uint64_t
along(uint64_t ticks, uint64_t mult)
{
	return (uint64_t)((wide)ticks * mult >> 64);
}

/* Returns ns per tick, times 2^64. */
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
	/* slightly before the line's beginning: read on another CPU */
	return after(tsc, l->tsc0) >= 0
		? l->ns0 + along(tsc - l->tsc0, l->mult)
		: l->ns0 - along(l->tsc0 - tsc, l->mult);
}

void
weft_rt_clock_load(bool may_count)
{
	clk.is_tsc = may_count && weft_tsc_is_clock();
	if (clk.is_tsc)
		clk.first = clk.loaded = read_both();
}

/* Replaces a line. A thread may still use the old line in this slot after a
 * long sleep: while the slot changes, tsc0 makes the line invalid. */
static void
put_line(struct weft_line *to, struct weft_line line)
{
	__atomic_store_n(
		&to->tsc0, line.tsc0 + (UINT64_C(1) << 62), __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	to->ns0 = line.ns0;
	to->mult = line.mult;
	to->look = line.look;
	__atomic_store_n(&to->tsc0, line.tsc0, __ATOMIC_RELEASE);
}

void
weft_rt_clock_forget(void)
{
	__atomic_store_n(&clk.n, 0, __ATOMIC_RELEASE);
	clk.due = clk.span = clk.ahead = 0;
	if (clk.is_tsc)
		clk.first = read_both();
	__atomic_store_n(&clk.busy, 0, __ATOMIC_RELEASE);
}

static void
announce(struct weft_line line, uint64_t span)
{
	/* The next line is made after half of the span, and begins two looks
	 * later. */
	WEFT_ASSERT(line_goes_up, line.mult > 0 && span >= LOOKS);
	line.look = ticks_of(span / LOOKS, line.mult);
	put_line(&clk.line[clk.n % LINES], line);
	clk.span = span * 4 < LAST_SPAN ? span * 4 : LAST_SPAN;
	__atomic_store_n(&clk.n, clk.n + 1, __ATOMIC_RELEASE);
	/* a thread that sees this sees the line */
	__atomic_store_n(&clk.due, line.tsc0 + ticks_of(span / 2, line.mult),
		__ATOMIC_RELEASE);
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
	clk.rate = slope(now.ns - clk.first.ns, now.tsc - clk.first.tsc);
	clk.reach = now.tsc;
	clk.jump = UINT64_MAX;
	clk.slept = weft_rt_clocks_look();
	announce(
		(struct weft_line){
			.tsc0 = now.tsc, .ns0 = now.ns, .mult = clk.rate },
		FIRST_SPAN);
}

/* Returns the line for a tick, which may precede the newest line. For a tick
 * before a jump the line may be the one after the jump; callers check that. */
static const struct weft_line *
choose(uint64_t tsc)
{
	uint64_t n = __atomic_load_n(&clk.n, __ATOMIC_ACQUIRE);
	const struct weft_line *l = &clk.line[(n - 1) % LINES];

	WEFT_ASSERT(line_is_chosen_when_there_is_one, n > 0);
	return after(tsc, l->tsc0) >= 0 || n == 1 ||
			__atomic_load_n(&clk.jump, __ATOMIC_RELAXED) == n - 1
		? l
		: &clk.line[(n - 2) % LINES];
}

/* Returns the ticks by which a tick may precede its line. */
static uint64_t
hair(const struct weft_line *l)
{
	return l->look / 16;
}

/* Returns the ns by which a line may be ahead of CLOCK_MONOTONIC: its lead at
 * the start, and the time that threads may have used before a check. */
static uint64_t
may_lead(const struct weft_line *l)
{
	return along(l->look, l->mult) +
		__atomic_load_n(&clk.ahead, __ATOMIC_RELAXED);
}

/* Returns true if the counter ran on while CLOCK_MONOTONIC stood still (the
 * machine was suspended), or stopped, or was set back. A lead of less than a
 * look does not count: threads may have used the line up to there. */
static bool
has_jumped(const struct weft_line *old, struct reading now)
{
	uint64_t ns, slack, lead;

	if (after(now.tsc, old->tsc0) < -(int64_t)hair(old))
		return true;
	ns = at(old, now.tsc);
	slack = MARGIN +
		along(now.tsc - old->tsc0, old->mult) /
			(clk.n > EARLY ? 1000 : 64);
	lead = slack + may_lead(old);
	return ns > now.ns + lead || now.ns > ns + slack;
}

/* Announces a line that begins at a tick and a time, and meets CLOCK_MONOTONIC
 * at its end, as far as the allowed slopes permit. */
static void
begin_line(uint64_t start, uint64_t from, struct reading now, uint64_t rate)
{
	uint64_t end = start + ticks_of(clk.span, rate);
	uint64_t right = now.ns + along(start - now.tsc, rate);
	uint64_t to = now.ns + along(end - now.tsc, rate);
	uint64_t least = rate - rate / 8, most = rate + rate / 8;
	uint64_t mult = to > from ? slope(to - from, end - start) : least;

	if (mult < least)
		mult = least;
	if (mult > most)
		mult = most;
	__atomic_store_n(
		&clk.ahead, from > right ? from - right : 0, __ATOMIC_RELAXED);
	announce((struct weft_line){ .tsc0 = start, .ns0 = from, .mult = mult },
		clk.span);
}

/* Begins a new line now, at a time that is not before any time that a thread
 * may have read: such a time is ahead by at most some looks. */
static void
begin_anew(struct reading now)
{
	uint64_t reach = __atomic_load_n(&clk.reach, __ATOMIC_RELAXED);
	uint64_t from = now.ns;

	for (uint64_t i = 1; i <= 2 && i <= clk.n; i++) {
		uint64_t ns = at(&clk.line[(clk.n - i) % LINES], reach);

		from = ns > from ? ns : from;
		if (clk.jump == clk.n - i)
			break;
	}
	clk.first = clk.last = now;
	__atomic_store_n(&clk.reach, now.tsc, __ATOMIC_RELAXED);
	__atomic_store_n(&clk.jump, clk.n, __ATOMIC_RELAXED);
	begin_line(now.tsc, from, now, clk.rate);
}

static bool
is_near(uint64_t a, uint64_t b)
{
	return (a > b ? a - b : b - a) < b / 256;
}

/* Returns ns per tick. Ignores a single value far from the last: a clock jumped
 * by less than has_jumped() detects. */
static uint64_t
measure(struct reading now)
{
	struct reading since = clk.n > EARLY ? clk.last : clk.first;
	uint64_t rate = slope(now.ns - since.ns, now.tsc - since.tsc);

	if (clk.n > EARLY && !is_near(rate, clk.rate) &&
		!is_near(rate, clk.odd)) {
		clk.odd = rate;
		return clk.rate;
	}
	return rate;
}

/* Announces the next line, which begins two looks from now where the old line
 * then is. */
static void
next_line(const struct weft_line *old, struct reading now, bool has_slept)
{
	uint64_t rate = has_slept ? clk.rate : measure(now);
	uint64_t start = now.tsc + 2 * old->look;

	clk.last = now;
	clk.rate = rate;
	if (after(rdtsc(), start - old->look) >= 0)
		return; /* we were delayed: other threads are past its start */
	begin_line(start, at(old, start), now, rate);
}

/* Compares the line with the clock, and announces the next line if it is
 * due. */
static void
look(void)
{
	struct reading now = read_both();
	const struct weft_line *old = choose(now.tsc);
	uint32_t slept = weft_rt_clocks_look();
	bool has_slept = slept != clk.slept;

	clk.slept = slept;
	if (has_jumped(old, now))
		begin_anew(now);
	else if (after(now.tsc, clk.due) >= 0)
		next_line(old, now, has_slept);
}

/* Sets busy. Returns false if another thread holds busy for long, or if this
 * handler interrupted that thread. */
static bool
is_mine(void)
{
	for (int i = 0; __atomic_exchange_n(&clk.busy, 1, __ATOMIC_ACQUIRE);
		i++) {
		if (i == SPINS)
			return false;
		weft_rt_pause();
	}
	return true;
}

static void
give_back(void)
{
	WEFT_ASSERT(line_is_announced_by_one_thread,
		__atomic_load_n(&clk.busy, __ATOMIC_RELAXED) == 1);
	__atomic_store_n(&clk.busy, 0, __ATOMIC_RELEASE);
}

static void
tick(uint64_t tsc)
{
	if (after(tsc, __atomic_load_n(&clk.due, __ATOMIC_ACQUIRE)) < 0 ||
		!is_mine())
		return;
	if (after(tsc, clk.due) >= 0)
		look();
	give_back();
}

/* Returns the line that holds at a tick, or NULL if none is known to. */
static const struct weft_line *
line_at(uint64_t tsc)
{
	const struct weft_line *l = choose(tsc);
	uint64_t n = __atomic_load_n(&clk.n, __ATOMIC_RELAXED);

	if (after(tsc, l->tsc0) < 0 &&
		__atomic_load_n(&clk.jump, __ATOMIC_RELAXED) == n - 1)
		return NULL;
	return tsc - l->tsc0 + hair(l) < LOOKS * l->look ? l : NULL;
}

/* Returns the line that holds now, and updates the tick: for ticks before a
 * jump, or far from recent lines. NULL: use the system's clock. */
static const struct weft_line *
settle(uint64_t *tsc)
{
	if (!is_mine())
		return NULL;
	look();
	give_back();
	*tsc = rdtsc();
	return choose(*tsc);
}

static bool
is_far_ahead(const struct weft_line *l, uint64_t tsc)
{
	return at(l, tsc) > gettime() + MARGIN + may_lead(l);
}

/* Returns a line for any tick. had: the line that the ring used, or NULL.
 * Never returns a line that began before `had`, or a line far from
 * CLOCK_MONOTONIC. */
static const struct weft_line *
find_line(uint64_t *tsc, const struct weft_line *had)
{
	const struct weft_line *l;

	tick(*tsc);
	l = line_at(*tsc);
	if (!l || (had && after(l->tsc0, had->tsc0) < 0) ||
		is_far_ahead(l, *tsc))
		l = settle(tsc);
	return l;
}

static uint64_t
ask(void)
{
	return gettime() + __atomic_load_n(&clk.ahead, __ATOMIC_RELAXED);
}

/* Lets a ring use a line up to a tick. If a handler does the same between two
 * of these stores, the ring looks again at its next event. */
static void
lend(struct weft_ring *ring, const struct weft_line *l, uint64_t until)
{
	uint64_t reach = __atomic_load_n(&clk.reach, __ATOMIC_RELAXED);

	while (after(until, reach) > 0 &&
		!__atomic_compare_exchange_n(&clk.reach, &reach, until, true,
			__ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
	__atomic_store_n(&ring->line, l, __ATOMIC_RELAXED);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	ring->check = after(until, l->tsc0) > 0 ? until - l->tsc0 : 1;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (__atomic_load_n(&ring->line, __ATOMIC_RELAXED) != l)
		ring->check = 1;
}

uint64_t
weft_rt_clock_read(struct weft_ring *ring, uint64_t tsc)
{
	const struct weft_line *l;
	uint64_t next, until;

	if (!has_line())
		return gettime();
	l = find_line(&tsc, ring->check != 0 ? ring->line : NULL);
	if (!l)
		return ask();
	if (ring->check == 0)
		return at(l, tsc);
	next = clk.line[(__atomic_load_n(&clk.n, __ATOMIC_ACQUIRE) - 1) % LINES]
		       .tsc0;
	until = tsc + l->look;
	if (after(next, tsc) > 0 && after(until, next) > 0)
		until = next;
	lend(ring, l, until);
	return at(l, tsc);
}

void
weft_rt_clock_attach(struct weft_ring *ring)
{
	if (!clk.is_tsc) {
		ring->line = &weft_rt_clock_none;
		return;
	}
	ring->line = choose(rdtsc());
	ring->check = 1; /* the first event checks */
}

uint64_t
weft_rt_clock_now(void)
{
	const struct weft_line *l;
	uint64_t tsc;

	if (!has_line())
		return gettime();
	tsc = rdtsc();
	l = find_line(&tsc, NULL);
	return l ? at(l, tsc) : ask();
}

/* Called by the writer, so that lines go on when no thread asks for the
 * time. */
void
weft_rt_clock_tick(void)
{
	uint64_t tsc = rdtsc();

	if (has_line())
		find_line(&tsc, NULL);
}

bool
weft_rt_clock_line(struct weft_line *to)
{
	struct reading now;

	if (!clk.is_tsc)
		return false;
	now = read_both();
	if (now.ns - clk.loaded.ns < LEAST_SPAN ||
		after(now.tsc, clk.loaded.tsc) <= 0)
		return false;
	*to = (struct weft_line){ .tsc0 = now.tsc,
		.ns0 = now.ns,
		.mult = slope(
			now.ns - clk.loaded.ns, now.tsc - clk.loaded.tsc) };
	return true;
}

const char *
weft_rt_clock_name(void)
{
	return clk.is_tsc ? "tsc" : "gettime";
}
