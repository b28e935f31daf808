/* SPDX-License-Identifier: MIT */
/*
 * may_be.c - compares weft_rt_handler_may_be() with the truth: in the program,
 * in handlers on both kinds of stack, and after these handlers.
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "inproc/core/handler.h"
#include "test.h"

/* volatile, because gcc assumes that raise() calls nothing */
static volatile bool answer;

static void
on_signal(int sig)
{
	(void)sig;
	answer = weft_rt_handler_may_be();
}

static void
on_signal_below_others(int sig)
{
	struct sigaction act = { .sa_handler = on_signal };

	(void)sig;
	sigaction(SIGUSR2, &act, NULL);
	raise(SIGUSR2);
}

static bool
in_handler(void (*handler)(int), int flags)
{
	struct sigaction act = { .sa_handler = handler, .sa_flags = flags };

	answer = false;
	sigaction(SIGUSR1, &act, NULL);
	raise(SIGUSR1);
	return answer;
}

/* Calls weft_rt_handler_may_be() on the stack of a new thread, where no earlier
 * handler left a frame. */
static void *
ask(void *to)
{
	*(bool *)to = weft_rt_handler_may_be();
	return NULL;
}

TEST(a_program_is_not_in_a_handler)
{
	bool in_thread = true;
	pthread_t thread;

	CHECK(!weft_rt_handler_may_be());
	pthread_create(&thread, NULL, ask, &in_thread);
	pthread_join(thread, NULL);
	CHECK(!in_thread);
}

TEST(a_handler_knows_that_it_is_one)
{
	CHECK(in_handler(on_signal, 0));
	CHECK(in_handler(on_signal, SA_SIGINFO));
	CHECK(in_handler(on_signal_below_others, 0));
}

TEST(a_handler_on_an_alternate_stack_knows_that_it_is_one)
{
	stack_t other = { .ss_size = 256 << 10 };

	other.ss_sp = malloc(other.ss_size);
	sigaltstack(&other, NULL);
	CHECK(in_handler(on_signal, SA_ONSTACK));
	sigaltstack(&(stack_t){ .ss_flags = SS_DISABLE }, NULL);
	free(other.ss_sp);
}

TEST(a_thread_that_was_in_no_handler_is_not_in_one_later)
{
	bool in_thread = true;
	pthread_t thread;

	pthread_create(&thread, NULL, ask, &in_thread);
	pthread_join(thread, NULL);
	CHECK(!in_thread);
}

TEST_MAIN(RUN(a_program_is_not_in_a_handler),
	RUN(a_handler_knows_that_it_is_one),
	RUN(a_handler_on_an_alternate_stack_knows_that_it_is_one),
	RUN(a_thread_that_was_in_no_handler_is_not_in_one_later))
