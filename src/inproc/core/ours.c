/* SPDX-License-Identifier: MIT */
#include "inproc/core/ours.h"

#include <errno.h>

#include "inproc/core/signals.h"

enum { STACK_MOST = 512 << 20 };

bool
weft_rt_ours_start(
	void *(*run)(void *), void *arg, size_t stack, pthread_t *thread)
{
	pthread_attr_t attr;
	pthread_t nobodys;
	int error = EINVAL;
	sigset_t was;

	signals_block(&was);
	pthread_attr_init(&attr);
	if (!thread)
		pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	/* EINVAL: the stack is too small for the thread-local data */
	for (; error == EINVAL && stack <= STACK_MOST; stack *= 4) {
		pthread_attr_setstacksize(&attr, stack);
		error = pthread_create(
			thread ? thread : &nobodys, &attr, run, arg);
	}
	pthread_attr_destroy(&attr);
	signals_restore(&was);
	return error == 0;
}

void *
weft_rt_ours_is_last(void)
{
	sigset_t none;

	sigemptyset(&none);
	signals_restore(&none);
	return NULL;
}
