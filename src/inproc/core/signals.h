/* SPDX-License-Identifier: MIT */
/*
 * signals.h - blocks all signals of the calling thread for a while.
 *
 *	sigset_t was;
 *	signals_block(&was);
 *	...				no handler interrupts
 *	signals_restore(&was);
 */
#ifndef WEFT_INPROC_CORE_SIGNALS_H
#define WEFT_INPROC_CORE_SIGNALS_H

#include <pthread.h>
#include <signal.h>

static inline void
signals_block(sigset_t *was)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, was);
}

static inline void
signals_restore(const sigset_t *was)
{
	pthread_sigmask(SIG_SETMASK, was, NULL);
}

#endif
