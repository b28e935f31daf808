/* SPDX-License-Identifier: MIT */
/*
 * suspend.c - tests the recorder's time while the machine is suspended, or
 * while its time-stamp counter stops or is set back. The test replaces the
 * clocks by its own.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

static unsigned long long fake_rdtsc(void);
static int fake_gettime(clockid_t id, struct timespec *t);

#define __builtin_ia32_rdtsc fake_rdtsc
#define clock_gettime fake_gettime
#define weft_kernel_clock fake_gettime
/* clang-format off */
#include "inproc/core/clocks.c"
#define is_mine clock_is_mine
#define give_back clock_give_back
#define look clock_look
#include "inproc/core/clock.c"
#undef look
bool of_this_machine(void);
#define weft_tsc_is_clock of_this_machine
#include "perf/tsc.c"
#undef weft_tsc_is_clock
/* clang-format on */
#include "test.h"

#define US UINT64_C(1000)
#define MS UINT64_C(1000000)
/* how far the threads' time may be ahead after a jump of the counter */
#define LEAD (35 * MS)
#define HOUR (3600 * (uint64_t)SECOND)

/* The test's clocks in ns; the counter makes two ticks per ns. */
static struct {
	uint64_t tsc, monotonic, boot, real;
} now;

static struct weft_line no_line;
static struct weft_ring ring[3];
static uint64_t said[3]; /* the last time of each ring */
/* the largest distance from CLOCK_MONOTONIC in ns, since the test reset it */
static uint64_t worst;
static bool went_back;
static int reads, delayed; /* readings so far; the reading that is delayed */

bool
weft_tsc_is_clock(void)
{
	return true;
}

void
weft_rt_die(const char *where, const char *format, ...)
{
	(void)format;
	puts(where);
	abort();
}

static void
pass(uint64_t ns)
{
	now.tsc += 2 * ns;
	now.monotonic += ns;
	now.boot += ns;
	now.real += ns;
}

static unsigned long long
fake_rdtsc(void)
{
	pass(9);
	return now.tsc;
}

static int
fake_gettime(clockid_t id, struct timespec *t)
{
	uint64_t ns = id == CLOCK_BOOTTIME ? now.boot
		: id == CLOCK_REALTIME     ? now.real
					   : now.monotonic;

	pass(++reads == delayed ? 5 * MS : 11);
	t->tv_sec = (time_t)(ns / (uint64_t)SECOND);
	t->tv_nsec = (long)(ns % (uint64_t)SECOND);
	return 0;
}

uint64_t
weft_time(struct weft_ring *r, uint64_t tsc)
{
	return weft_rt_clock_read(r, tsc);
}

static void
fresh(void)
{
	memset(&clk, 0, sizeof(clk));
	now.tsc = 1000000 * US;
	now.monotonic = 500 * (uint64_t)SECOND;
	now.boot = 700 * (uint64_t)SECOND;
	now.real = 1700000000 * (uint64_t)SECOND;
	weft_rt_clock_load(true);
	pass(300 * US);
	weft_rt_clocks_begin();
	weft_rt_clock_start();
	for (int i = 0; i < 3; i++) {
		ring[i] = (struct weft_ring){ .line = &no_line };
		weft_rt_clock_attach(&ring[i]);
		said[i] = 0;
	}
	worst = 0;
	went_back = false;
}

/* Takes the time of an event on ring i, and notes whether it went backwards. */
static uint64_t
event(int i)
{
	uint64_t time = weft_ring_now(&ring[i]);
	uint64_t far = time > now.monotonic ? time - now.monotonic
					    : now.monotonic - time;

	went_back = went_back || time < said[i];
	said[i] = time;
	worst = far > worst ? far : worst;
	return time;
}

/* Takes times of all threads for ns: one every `step` ns. */
static void
run(uint64_t ns, uint64_t step)
{
	worst = 0;
	for (uint64_t t = 0; t < ns; t += step) {
		event((int)(t / step % 3));
		pass(step);
	}
}

/* Says what the counter does during a suspension: it runs on, stops, or starts
 * again at a number. */
enum counter { RUNS_ON, STOPS, IS_SET };

static void
suspend(uint64_t ns, enum counter counter, uint64_t number)
{
	now.boot += ns;
	now.real += ns;
	if (counter == RUNS_ON)
		now.tsc += 2 * ns;
	else if (counter == IS_SET)
		now.tsc = number;
}

static uint32_t
suspensions(void)
{
	const struct suspended *s;

	return weft_rt_clocks_suspended(&s);
}

TEST(a_suspended_machine_leaves_time_at_monotonic_time)
{
	const struct suspended *s;

	fresh();
	run(3 * (uint64_t)SECOND, MS);
	suspend(HOUR, RUNS_ON, 0);
	for (int i = 0; i < 3; i++)
		event(i);
	CHECK(worst < LEAD);
	/* until the threads' time has slowed down to the real one */
	run(8 * (uint64_t)SECOND, MS);
	CHECK(worst < LEAD);
	run(5 * (uint64_t)SECOND, MS);
	CHECK(worst < 10 * US);
	CHECK(!went_back);
	CHECK_INT(weft_rt_clocks_suspended(&s), 1);
	CHECK(s->ns > (int64_t)HOUR - 1000 && s->ns < (int64_t)HOUR + 1000);
	CHECK(s->to - s->from < SECOND);
}

TEST(a_counter_that_was_set_back_never_underflows)
{
	fresh();
	run(3 * (uint64_t)SECOND, MS);
	suspend(HOUR, IS_SET, 5000);
	for (int i = 0; i < 3; i++)
		event(i);
	CHECK(worst < LEAD);
	run(8 * (uint64_t)SECOND, MS);
	run(5 * (uint64_t)SECOND, MS);
	CHECK(worst < 10 * US);
	CHECK(!went_back);
	CHECK_INT(suspensions(), 1);
}

/* A thread has read the counter before the jump, and asks for the time only
 * after it. */
TEST(a_reading_of_before_the_jump_is_taken_anew)
{
	uint64_t before, time;

	for (int counter = RUNS_ON; counter <= IS_SET; counter++) {
		fresh();
		run(3 * (uint64_t)SECOND, MS);
		before = now.tsc;
		suspend(HOUR, (enum counter)counter, 5000);
		event(0);
		time = weft_rt_clock_read(&ring[1], before);
		CHECK(time >= said[1]);
		CHECK(time < now.monotonic + LEAD);
		said[1] = time;
		run((uint64_t)SECOND, MS);
		CHECK(!went_back);
	}
}

TEST(a_counter_that_stood_still_is_caught_up_with)
{
	fresh();
	run(3 * (uint64_t)SECOND, MS);
	now.monotonic += 20 * (uint64_t)SECOND;
	/* until the recorder compares both clocks again */
	run((uint64_t)SECOND, MS);
	run(8 * (uint64_t)SECOND, MS);
	CHECK(worst < 10 * US);
	CHECK(!went_back);
	CHECK_INT(suspensions(), 0);
}

TEST(a_suspension_that_no_counter_shows_is_seen)
{
	fresh();
	run(3 * (uint64_t)SECOND, MS);
	suspend(HOUR, STOPS, 0);
	run((uint64_t)SECOND, MS);
	CHECK(worst < 10 * US);
	CHECK(!went_back);
	CHECK_INT(suspensions(), 1);
}

TEST(who_sleeps_for_an_hour_is_not_suspended)
{
	fresh();
	run(3 * (uint64_t)SECOND, MS);
	pass(HOUR);
	run((uint64_t)SECOND, MS);
	CHECK(worst < 10 * US);
	CHECK(!went_back);
	CHECK_INT(suspensions(), 0);
}

static uint64_t
any(uint64_t most)
{
	return ((uint64_t)rand() << 24 ^ (uint64_t)rand()) % most;
}

/* Changes the clocks at random, as may happen on a real machine. */
static void
something(void)
{
	switch (any(7)) {
	case 0:
		suspend(any(HOUR), RUNS_ON, 0);
		break;
	case 1:
		suspend(any(HOUR), STOPS, 0);
		break;
	case 2: /* to before the line by which threads convert the counter */
		run((uint64_t)SECOND, MS);
		if (now.tsc > 6 * (uint64_t)SECOND)
			suspend(any(HOUR), IS_SET, any(now.tsc / 4));
		break;
	case 3:
		now.tsc += 2 * any(10 * (uint64_t)SECOND);
		break;
	case 4:
		now.monotonic += any(10 * (uint64_t)SECOND);
		break;
	case 5:
		suspend(any(200 * MS), RUNS_ON, 0);
		break;
	default:
		pass(any(100 * (uint64_t)SECOND));
	}
}

TEST(time_never_goes_back_whatever_happens)
{
	uint64_t far = 0;

	for (unsigned seed = 1; seed <= 300; seed++) {
		srand(seed);
		fresh();
		for (int i = 0; i < 20; i++) {
			run(any(3 * (uint64_t)SECOND), 1 + any(20 * MS));
			something();
			for (uint64_t n = any(4); n > 0; n--)
				event((int)any(3));
		}
		if (went_back)
			printf("# seed %u\n", seed);
		CHECK(!went_back);
		run(10 * (uint64_t)SECOND, MS);
		run((uint64_t)SECOND, MS);
		far = worst > far ? worst : far;
	}
	printf("# %llu ns from CLOCK_MONOTONIC afterwards, at most\n",
		(unsigned long long)far);
	CHECK(far < 100 * US);
}

/* A thread may lose its CPU between the readings of two clocks. */
TEST(a_delay_between_two_readings_is_no_suspension)
{
	for (delayed = 1; delayed <= 60; delayed++) {
		reads = 0;
		fresh();
		for (int i = 0; i < 10; i++) {
			pass(MS);
			weft_rt_clocks_tick();
		}
		CHECK_INT(weft_rt_clocks_look(), 0);
	}
	CHECK(reads >= 60);
	delayed = 0;
}

/* Snapshots of the clocks come once a minute at first and less often later, so
 * that the table always has room for the last one. */
TEST(a_snapshot_a_minute_and_fewer_in_the_end)
{
	const struct snap *s;
	uint32_t n;

	fresh();
	for (int i = 0; i < 3600; i++) {
		pass((uint64_t)SECOND);
		weft_rt_clocks_tick();
	}
	n = weft_rt_clocks_snaps(&s);
	CHECK_INT(n, 61);
	CHECK(s[1].monotonic - s[0].monotonic >= 60 * SECOND);
	CHECK(s[0].realtime - s[0].monotonic ==
		(int64_t)(now.real - now.monotonic));
	for (int i = 0; i < 24 * 60; i++) {
		pass(HOUR / 2);
		for (int k = 0; k < 30; k++) {
			pass(60 * (uint64_t)SECOND);
			weft_rt_clocks_tick();
		}
	}
	CHECK(weft_rt_clocks_snaps(&s) < SNAPS);
	n = weft_rt_clocks_snaps(&s);
	weft_rt_clocks_snap();
	CHECK_INT(weft_rt_clocks_snaps(&s), n + 1);
}

TEST_MAIN(RUN(a_suspended_machine_leaves_time_at_monotonic_time),
	RUN(a_counter_that_was_set_back_never_underflows),
	RUN(a_reading_of_before_the_jump_is_taken_anew),
	RUN(a_counter_that_stood_still_is_caught_up_with),
	RUN(a_suspension_that_no_counter_shows_is_seen),
	RUN(who_sleeps_for_an_hour_is_not_suspended),
	RUN(time_never_goes_back_whatever_happens),
	RUN(a_delay_between_two_readings_is_no_suspension),
	RUN(a_snapshot_a_minute_and_fewer_in_the_end))
