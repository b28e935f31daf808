/* SPDX-License-Identifier: MIT */
#include "inproc/core/ending.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

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

/* A handler that came in behind the end of the stream would record what is
 * neither there nor counted. What a fault sends comes all the same. */
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

/* Other keys have destructors as well, which may record, also the thread's
 * first event. The C library goes round four times; who asks again is called
 * again. */
static void
at_exit_of_thread(void *none)
{
	static __thread int round;

	(void)none;
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
		weft_rt_ending_watch(); /* main may leave without an event */
}

void
weft_rt_ending_watch(void)
{
	if (has_key)
		pthread_setspecific(key, &key);
}
