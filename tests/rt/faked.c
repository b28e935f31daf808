/* SPDX-License-Identifier: MIT */
/*
 * faked.c - a program that replaces clock_gettime(), as simulators do. Its
 * recording has the machine's time.
 */
#include <sys/syscall.h>
#include <time.h>

#include "ovni.h"
#include "rt/run.h"
#include "test.h"

/* The build hides functions that are not declared so. */
#define SEEN __attribute__((visibility("default")))

SEEN int
clock_gettime(clockid_t id, struct timespec *t)
{
	(void)id;
	*t = (struct timespec){ 123, 456 };
	return 0;
}

static uint64_t
machine(void)
{
	struct timespec t;

	syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void
record(void)
{
	for (int i = 0; i < 1000; i++) {
		uint64_t before = machine(), now = ovni_clock_now();

		/* 1 us: the two clocks of one instant differ a little */
		if (now + 1000 < before || now > machine() + 1000)
			_exit(78);
	}
	_exit(0);
}

static void
run_with(const char *clock)
{
	run_fresh();
	if (clock != NULL)
		setenv("WEFT_CLOCK", clock, 1);
	CHECK_INT(run_again("record"), 0);
	unsetenv("WEFT_CLOCK");
}

TEST(a_replaced_clock_does_not_change_the_time_of_events)
{
	run_with(NULL);
}

TEST(nor_without_the_counter)
{
	run_with("gettime");
}

int
main(int argc, char *argv[])
{
	static const struct test all[] = {
		RUN(a_replaced_clock_does_not_change_the_time_of_events),
		RUN(nor_without_the_counter)
	};

	(void)argv;
	if (argc > 1)
		record();
	return test_run_all(all, 2);
}
