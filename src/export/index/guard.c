/* SPDX-License-Identifier: MIT */
#include "export/index/guard.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <ucontext.h>

struct guard {
	sigjmp_buf env;
	const struct guard_map *map;
	struct guard *outer;
	sigset_t mask; /* signal mask at the fault */
};

static _Thread_local struct guard *volatile innermost;
static struct sigaction before;

static bool
is_inside(const struct guard_map *map, const void *at)
{
	return (uintptr_t)at - (uintptr_t)map->at < map->size;
}

static void
on_bus(int number, siginfo_t *info, void *context)
{
	struct guard *g = innermost;

	while (g != NULL && !is_inside(g->map, info->si_addr))
		g = g->outer;
	if (g != NULL) {
		g->mask = ((const ucontext_t *)context)->uc_sigmask;
		siglongjmp(g->env, 1);
	}
	if ((before.sa_flags & SA_SIGINFO) != 0) {
		before.sa_sigaction(number, info, context);
	} else if (before.sa_handler != SIG_DFL &&
		before.sa_handler != SIG_IGN) {
		before.sa_handler(number);
	} else {
		signal(SIGBUS, SIG_DFL); /* without a handler, the same fault
		                          * comes again and ends the process */
	}
}

static void
install(void)
{
	struct sigaction act = { .sa_sigaction = on_bus,
		.sa_flags = SA_SIGINFO | SA_ONSTACK };

	sigemptyset(&act.sa_mask);
	sigaction(SIGBUS, &act, &before);
}

void
guard_install(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, install);
}

bool
guard_call(const struct guard_map *map, bool (*fn)(void *arg), void *arg,
	bool *gone)
{
	struct guard g = { .map = map, .outer = innermost };
	bool ok;

	*gone = false;
	if (sigsetjmp(g.env, 0) != 0) {
		innermost = g.outer;
		/* siglongjmp() left the handler, so its signals are still
		 * blocked. */
		pthread_sigmask(SIG_SETMASK, &g.mask, NULL);
		*gone = true;
		return false;
	}
	innermost = &g;
	ok = fn(arg);
	innermost = g.outer;
	return ok;
}
