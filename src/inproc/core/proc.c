/* SPDX-License-Identifier: MIT */
#include "inproc/core/proc.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "inproc/core/config.h"
#include "inproc/core/futex.h"
#include "inproc/core/part.h"
#include "inproc/core/pause.h"
#include "inproc/core/say.h"
#include "inproc/core/signals.h"
#include "inproc/core/unsaid.h"
#include "inproc/core/wiped.h"

struct proc *weft_rt_proc;

static void
load(void)
{
	weft_rt_proc = wiped_map(sizeof(struct proc), 0);
	if (!weft_rt_proc)
		weft_rt_die("libovni", "no memory:");
	weft_rt_slow_keep(weft_rt_proc->slow);
	weft_rt_config_read();
	PART_CALL(load);
}

/* Runs before the constructors of a program that links the archive. */
__attribute__((constructor(101))) void
weft_rt_load(void)
{
	static int state; /* 1: a thread loads, 2: loaded */
	sigset_t was;
	int expected = 0;

	if (__atomic_load_n(&state, __ATOMIC_ACQUIRE) == 2)
		return;
	signals_block(&was);
	if (__atomic_compare_exchange_n(&state, &expected, 1, false,
		    __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
		load();
		__atomic_store_n(&state, 2, __ATOMIC_RELEASE);
	}
	while (__atomic_load_n(&state, __ATOMIC_ACQUIRE) != 2)
		weft_rt_pause();
	signals_restore(&was);
}

/* Runs after the program's own destructors. It stands in this file so that a
 * program that links the archive contains it. */
__attribute__((destructor(101))) static void
unload(void)
{
	PART_CALL(unload);
}

bool
weft_rt_proc_is_leaving(void)
{
	return __atomic_load_n(&weft_rt_proc->is_leaving, __ATOMIC_SEQ_CST);
}

void
weft_rt_proc_let_exit(void)
{
	static const struct timespec most = { 0, 10000000 };
	struct proc *p = weft_rt_proc;

	if (!__atomic_load_n(&p->has_exited, __ATOMIC_ACQUIRE))
		futex_wait(&p->has_exited, 0, &most);
}

void
weft_rt_proc_work(bool begins)
{
	struct proc *p = weft_rt_proc;
	int was = __atomic_fetch_add(
		&p->at_work, begins ? 1 : -1, __ATOMIC_SEQ_CST);

	if (was == 1 && !begins &&
		__atomic_load_n(&p->is_closing, __ATOMIC_SEQ_CST))
		futex_wake(&p->at_work);
}

void
weft_rt_proc_wake(void)
{
	struct proc *p = weft_rt_proc;

	if (__atomic_load_n(&p->nap, __ATOMIC_SEQ_CST) != 0 &&
		__atomic_exchange_n(&p->nap, 0, __ATOMIC_SEQ_CST) != 0)
		futex_wake(&p->nap);
}

void
weft_rt_proc_lock(sigset_t *was)
{
	weft_rt_load();
	signals_block(was);
	/* the thread that ends the process must accept a fatal signal while it
	 * waits */
	weft_rt_lock(
		&weft_rt_proc->lock, weft_rt_proc_is_leaving() ? was : NULL);
}

bool
weft_rt_proc_enter(sigset_t *was)
{
	struct proc *p;

	weft_rt_load();
	p = weft_rt_proc;
	signals_block(was);
	if (!weft_rt_proc_is_leaving() &&
		weft_rt_lock_unless(&p->lock, &p->is_leaving)) {
		if (!weft_rt_proc_is_leaving())
			return true;
		weft_rt_unlock(&p->lock);
	}
	signals_restore(was);
	return false;
}

void
weft_rt_proc_unlock(const sigset_t *was)
{
	weft_rt_unlock(&weft_rt_proc->lock);
	signals_restore(was);
}

bool
weft_rt_proc_is_ready(void)
{
	weft_rt_load();
	return __atomic_load_n(&weft_rt_proc->state, __ATOMIC_ACQUIRE) ==
		PROC_READY;
}

const char *
weft_rt_proc_directory(void)
{
	const struct proc *p = weft_rt_proc;

	return p->temp[0] != '\0' ? p->temp : p->folder;
}

void
weft_rt_proc_trouble(int error, const char *path)
{
	if (__atomic_exchange_n(
		    &weft_rt_proc->has_warned, true, __ATOMIC_RELAXED))
		return;
	if (!weft_rt_unsaid_is_first()) {
		__atomic_store_n(
			&weft_rt_proc->is_mute, true, __ATOMIC_RELAXED);
		return;
	}
	errno = error;
	weft_rt_warn("weft: recording stops, the program goes on: %s:", path);
}
