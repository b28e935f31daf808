/* SPDX-License-Identifier: MIT */
#include "inproc/core/begin.h"

#include <time.h>
#include <unistd.h>

#include "inproc/core/clock.h"
#include "inproc/core/clocks.h"
#include "inproc/core/confined.h"
#include "inproc/core/ending.h"
#include "inproc/core/exit.h"
#include "inproc/core/fork.h"
#include "inproc/core/gate.h"
#include "inproc/core/guest.h"
#include "inproc/core/ident.h"
#include "inproc/core/pool.h"
#include "inproc/core/proc.h"
#include "inproc/core/replace.h"
#include "inproc/core/writer.h"
#include "perf/alone.h"

/* Atomic, written under the process's lock. A fork does not wipe it: it
 * distinguishes a child of fork from a new process. */
static bool was_started;

bool
weft_rt_is_child(void)
{
	weft_rt_load();
	/* in this order: was_started is set after the state */
	return __atomic_load_n(&was_started, __ATOMIC_ACQUIRE) &&
		__atomic_load_n(&weft_rt_proc->state, __ATOMIC_ACQUIRE) ==
		PROC_NEW;
}

void
weft_rt_begin(void)
{
	if (was_started)
		weft_rt_fork_forget();
	weft_rt_proc->pid = (int)getpid();
	weft_rt_proc->ident = weft_rt_ident();
	weft_rt_proc->timens = weft_rt_clocks_timens();
	weft_rt_clocks_begin();
	weft_rt_clock_start();
	__atomic_store_n(&weft_rt_proc->state, PROC_READY, __ATOMIC_RELEASE);
	__atomic_store_n(&was_started, true, __ATOMIC_RELEASE);
	weft_rt_writer_want();
}

void
weft_rt_begin_again(void)
{
	if (weft_rt_proc->state == PROC_NEW)
		weft_rt_begin();
	else
		weft_rt_writer_want();
}

void
weft_rt_rest(void)
{
	sigset_t was;

	if (weft_rt_proc->streams)
		return;
	weft_rt_writer_stop();
	weft_rt_proc_lock(&was);
	weft_rt_pool_drop();
	weft_rt_proc_unlock(&was);
}

static void
end_early(void)
{
	if (weft_rt_proc != NULL && !weft_rt_proc_is_leaving())
		weft_rt_exit();
}

static void
offer(void)
{
	if (weft_rt_proc != NULL && !weft_rt_proc_is_leaving())
		weft_rt_writer_offer();
}

static bool
pause_writer(void)
{
	return weft_rt_proc != NULL && !weft_rt_proc_is_leaving() &&
		weft_rt_writer_pause();
}

static void
stay_alone(void)
{
	__atomic_store_n(&weft_rt_config.has_writer, false, __ATOMIC_RELAXED);
	if (weft_rt_proc != NULL && !weft_rt_proc_is_leaving())
		weft_rt_writer_stop();
}

/* The time that other threads have to leave the recorder's code, where
 * they wait for 10 ms at most. */
static const struct timespec leave = { 0, 20000000 };

static bool
confine(bool all)
{
	bool is_only;

	if (weft_rt_proc == NULL || weft_rt_is_confined())
		return weft_rt_proc == NULL || weft_rt_are_confined();
	is_only = weft_is_only_thread();
	all = all || is_only;
	weft_rt_confined_set(CONFINED_SOON, false);
	if (all)
		end_early();
	else
		weft_rt_ending_now();
	weft_rt_ending_ignore();
	weft_rt_confined_set(CONFINED, all);
	if (all && !is_only)
		nanosleep(&leave, NULL);
	return all;
}

static void
load(void)
{
	static const struct host host = { .end = end_early,
		.offer = offer,
		.replace = weft_rt_replace,
		.keep = weft_rt_replace_undo,
		.pause = pause_writer,
		.resume = weft_rt_writer_resume,
		.stay_alone = stay_alone,
		.is_alone = weft_is_only_thread,
		.confine = confine,
		.line = weft_rt_clock_line };

	if (guest_hooks() != NULL)
		guest_hooks()->load(&host);
	weft_rt_gate_load();
	weft_rt_ending_load();
	weft_rt_fork_load();
}

const struct part weft_rt_core_part = { .load = load, .unload = weft_rt_exit };
