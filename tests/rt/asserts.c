/* SPDX-License-Identifier: MIT */
/* asserts.c - a failed assert of the recorder prints its name and code location
 * and aborts the process, without calling any function of the program. */
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

#include "inproc/core/assert.h"
#include "inproc/core/held.h"
#include "inproc/core/proc.h"
#include "inproc/core/ringfile.h"
#include "rt/run.h"
#include "test.h"
#include "weft/trace.h"

enum { SMALL_STACK = 16 << 10 };

static volatile int never;

static void
fail(int signal)
{
	(void)signal;
	WEFT_ASSERT(asserts_are_tested, never == 1);
}

static const char said[] = "BUG asserts_are_tested: ../../tests/rt/asserts.c:";

static void
check_said(int status)
{
	CHECK(WIFSIGNALED(status));
	CHECK_INT(WTERMSIG(status), SIGABRT);
	CHECK(strncmp(run_said, said, sizeof(said) - 1) == 0);
	CHECK(strstr(run_said, ": never == 1\n") != NULL);
	/* the message is a single line */
	CHECK(strchr(run_said, '\n') == run_said + strlen(run_said) - 1);
}

static void
fail_plainly(void)
{
	fail(0);
}

TEST(failed_assert_says_its_name_and_place)
{
	check_said(run_child(fail_plainly));
}

static void
say_handler(int signal)
{
	(void)signal;
	if (write(STDERR_FILENO, "the program's handler\n", 22) < 0)
		_exit(1);
}

static void
fail_with_handler(void)
{
	sigset_t all;

	signal(SIGABRT, say_handler);
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	fail(0);
}

TEST(handler_of_the_program_does_not_run)
{
	check_said(run_child(fail_with_handler));
}

/* Fails in a signal handler on the smallest stack, while malloc() may hold its
 * lock. */
static void
fail_in_handler(void)
{
	static char stack[SMALL_STACK];
	stack_t other = { .ss_sp = stack, .ss_size = sizeof(stack) };
	struct sigaction a = { .sa_handler = fail, .sa_flags = SA_ONSTACK };

	sigaltstack(&other, NULL);
	sigaction(SIGALRM, &a, NULL);
	ualarm(2000, 0);
	for (;;)
		free(malloc(100));
}

TEST(assert_fails_in_a_handler_of_a_signal)
{
	check_said(run_child(fail_in_handler));
}

static void
fail_without_stderr(void)
{
	close(STDERR_FILENO);
	fail(0);
}

TEST(process_ends_though_nothing_can_be_said)
{
	int status = run_child(fail_without_stderr);

	CHECK(WIFSIGNALED(status));
	CHECK_INT(WTERMSIG(status), SIGABRT);
	CHECK_STR(run_said, "");
}

/* Moves the ring's tail as if the writer had read more than there is. */
static void
spoil_tail(void)
{
	struct ringfile *f;

	weft_ev("OB.");
	f = (void *)((char *)weft_self->head - offsetof(struct ringfile, head));
	__atomic_store_n(&f->tail, f->head + 8, __ATOMIC_RELEASE);
	weft_dump();
}

TEST(spoilt_position_is_found_by_who_drains)
{
	int status;

	run_fresh();
	setenv("WEFT_WRITER", "inline", 1);
	status = run_again("spoil");
	unsetenv("WEFT_WRITER");
	CHECK(WIFSIGNALED(status));
	CHECK_INT(WTERMSIG(status), SIGABRT);
	CHECK(strstr(run_said,
		      "BUG tail_is_at_most_a_ring_behind_the_head: ") != NULL);
}

static void
lock_twice(void)
{
	sigset_t was;

	weft_rt_proc_lock(&was);
	weft_rt_proc_lock(&was);
}

TEST(lock_that_is_held_is_not_waited_for)
{
	int status = run_child(lock_twice);

	CHECK(WIFSIGNALED(status));
	CHECK(strstr(run_said, "BUG locks_are_taken_in_order: ") != NULL);
}

static void
take_in_wrong_order(void)
{
	held_before(RANK_ROOM);
	held_take(RANK_ROOM);
	held_before(RANK_PATHS);
}

static void
take_in_order(void)
{
	held_before(RANK_PATHS);
	held_take(RANK_PATHS);
	held_before(RANK_ROOM);
	held_take(RANK_ROOM);
	held_give(RANK_PATHS);
	held_give(RANK_ROOM);
	held_before(RANK_PROC);
}

TEST(locks_have_one_order)
{
	CHECK(WIFSIGNALED(run_child(take_in_wrong_order)));
	CHECK(strstr(run_said, "BUG locks_are_taken_in_order: ") != NULL);
	CHECK_INT(run_child(take_in_order), 0);
}

int
main(int argc, char *argv[])
{
	static const struct test all[] = {
		RUN(failed_assert_says_its_name_and_place),
		RUN(handler_of_the_program_does_not_run),
		RUN(assert_fails_in_a_handler_of_a_signal),
		RUN(process_ends_though_nothing_can_be_said),
		RUN(spoilt_position_is_found_by_who_drains),
		RUN(lock_that_is_held_is_not_waited_for),
		RUN(locks_have_one_order)
	};

	(void)argv;
	if (argc > 1)
		spoil_tail();
	return test_run_all(all, (int)(sizeof all / sizeof *all));
}
