/* SPDX-License-Identifier: MIT */
/* Compiled only where there are asserts. */
#include "inproc/core/assert.h"

#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Sets SIGABRT to its default action first: abort() would call the program's
 * handler, which could record or jump away, on any stack and under any lock. */
void
weft_rt_assert_failed(const char *line, size_t n)
{
	struct sigaction usual = { .sa_handler = SIG_DFL };
	sigset_t set;

	sigfillset(&set);
	pthread_sigmask(SIG_SETMASK, &set, NULL);
	syscall(SYS_write, STDERR_FILENO, line, n);
	sigaction(SIGABRT, &usual, NULL);
	sigdelset(&set, SIGABRT);
	syscall(SYS_tgkill, getpid(), gettid(), SIGABRT);
	pthread_sigmask(SIG_SETMASK, &set, NULL);
	for (;;)
		__builtin_trap();
}
