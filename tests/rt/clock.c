/* SPDX-License-Identifier: MIT */
/*
 * clock.c - time is CLOCK_MONOTONIC, never goes back, and is the same for all
 * threads. An argument is the number of seconds that the test runs.
 */
#include <pthread.h>
#include <time.h>

#include "ovni.h"
#include "rt/run.h"
#include "test.h"
#include "weft/trace.h"

enum { LIMIT = 100 }; /* ns from CLOCK_MONOTONIC */

static double seconds = 1.5;
static long long worst = -1;

static uint64_t
monotonic(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Returns the distance from CLOCK_MONOTONIC, by the narrowest of some readings.
 */
static long long
distance(void)
{
	uint64_t width = UINT64_MAX;
	long long best = 0;

	for (int i = 0; i < 50; i++) {
		uint64_t before = monotonic();
		uint64_t ours = ovni_clock_now();
		uint64_t after = monotonic();

		if (after - before < width) {
			width = after - before;
			best = (long long)ours -
				(long long)(before + width / 2);
		}
	}
	return best < 0 ? -best : best;
}

static void
measure(void)
{
	uint64_t from, last = 0, now, looked;
	int fd;

	ovni_proc_init(1, "node.1", 1);
	ovni_thread_init(1);
	from = looked = monotonic();
	while ((now = ovni_clock_now()) < from + (uint64_t)(seconds * 1e9)) {
		if (now < last)
			_exit(78);
		last = now;
		if (now - looked > 5000000) {
			long long d = distance();

			worst = d > worst ? d : worst;
			looked = now;
		}
	}
	fd = 2;
	dprintf(fd, "%lld\n", worst);
	_exit(0);
}

TEST(time_is_monotonic_time_and_never_goes_back)
{
	long long far;
	int status;

	run_fresh();
	status = run_child(measure);
	CHECK_INT(WEXITSTATUS(status), 0);
	far = strtoll(run_said, NULL, 10);
	printf("# at most %lld ns from CLOCK_MONOTONIC\n", far);
	/* reading both clocks takes time, which varies */
	CHECK(far <= LIMIT * 3);
}

static void
fence(void)
{
#ifdef __x86_64__
	__builtin_ia32_lfence();
#endif
}

static uint64_t shared; /* the latest time that a thread has read */
static int backward;

static void *
watch(void *none)
{
	uint64_t until = monotonic() + (uint64_t)(seconds * 1e9 / 2);

	(void)none;
	weft_ev("OB.");
	for (uint64_t now = 0; now < until;) {
		uint64_t seen = __atomic_load_n(&shared, __ATOMIC_SEQ_CST);

		/* the fence ends the read of `shared` before ovni_clock_now()
		 * reads the counter */
		fence();
		now = ovni_clock_now();
		if (now + 50 < seen)
			backward = 1;
		if (now > seen)
			__atomic_store_n(&shared, now, __ATOMIC_SEQ_CST);
	}
	return NULL;
}

static void
two_threads(void)
{
	pthread_t th[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&th[i], NULL, watch, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(th[i], NULL);
	exit(backward ? 78 : 0);
}

TEST(all_threads_have_one_time)
{
	run_fresh();
	CHECK_INT(run_child(two_threads), 0);
}

TEST(gettime_is_a_choice)
{
	setenv("WEFT_CLOCK", "gettime", 1);
	run_fresh();
	CHECK_INT(run_again("--child"), 0);
	unsetenv("WEFT_CLOCK");
}

int
main(int argc, char **argv)
{
	static const struct test all[] = {
		RUN(time_is_monotonic_time_and_never_goes_back),
		RUN(all_threads_have_one_time), RUN(gettime_is_a_choice)
	};

	if (argc > 1 && strcmp(argv[1], "--child") == 0) {
		seconds = 0.1;
		measure();
	}
	if (argc > 1)
		seconds = atof(argv[1]);
	return test_run_all(all, 3);
}
