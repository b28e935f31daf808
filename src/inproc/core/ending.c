/* SPDX-License-Identifier: MIT */
#include "inproc/core/ending.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

#include "inproc/core/confined.h"
#include "inproc/core/part.h"
#include "inproc/core/writer.h"

enum { ROUNDS = 3 };

static pthread_key_t key;
static bool has_key;

void
weft_rt_ending_now(void)
{
	PART_CALL(thread_end);
}

/* Blocks signals: a handler after the end of the stream would record an event
 * that is neither stored nor counted. Signals that a fault raises stay
 * unblocked: blocking them would have no use. */
static void
block_signals(void)
{
	static const int faults[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP,
		SIGABRT, SIGSYS };
	sigset_t set;

	sigfillset(&set);
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		sigdelset(&set, faults[i]);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
}

/* Other keys have destructors as well, which may record, even the thread's
 * first event. The C library calls destructors up to four times, as long as
 * values are set again; so the thread ends in our third round. */
static void
at_exit_of_thread(void *none)
{
	static __thread int round;

	(void)none;
	if (weft_rt_is_confined())
		return;
	if (++round < ROUNDS) {
		weft_rt_ending_watch();
		return;
	}
	block_signals();
	weft_rt_ending_now();
	if (gettid() == getpid())
		weft_rt_writer_stays();
}

void
weft_rt_ending_load(void)
{
	has_key = pthread_key_create(&key, at_exit_of_thread) == 0;
	if (gettid() == getpid())
		weft_rt_ending_watch(); /* main may end without an event */
}

void
weft_rt_ending_watch(void)
{
	if (has_key)
		pthread_setspecific(key, &key);
}

void
weft_rt_ending_ignore(void)
{
	if (has_key)
		pthread_setspecific(key, NULL);
}
