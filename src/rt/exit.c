/* SPDX-License-Identifier: MIT */
#include "rt/exit.h"

#include <unistd.h>

#include "rt/auto.h"
#include "rt/drain.h"
#include "rt/flight.h"
#include "rt/place.h"
#include "rt/pool.h"
#include "rt/proc.h"
#include "rt/say.h"
#include "rt/thread.h"
#include "rt/writer.h"

void
weft_rt_exit_say(void)
{
	uint64_t n =
		__atomic_exchange_n(&weft_rt_proc->lost, 0, __ATOMIC_RELAXED);

	if (n > 0)
		weft_rt_warn("weft: %llu events were not recorded",
			(unsigned long long)n);
}

enum { TURNS = 20000 }; /* of some 60 us: a second */

/* Its own thread may write it; not for long, as nobody makes room any more. */
static bool
take(struct thread *th)
{
	bool is_me = false;

	for (unsigned turn = 0; !weft_rt_drain_take(th, &is_me); turn++) {
		if (is_me || turn > TURNS)
			return false;
		weft_rt_thread_pause(turn);
	}
	return true;
}

/* All that is in the ring, and the end if the thread started by itself. It may
 * still fill the room that it was given. */
static bool
drain_end(struct thread *th)
{
	for (unsigned turn = 0; turn <= TURNS; turn++) {
		th->ring.limit = 0;
		if (weft_rt_config.full == FULL_OVERWRITE)
			weft_rt_flight_drain(th);
		else
			weft_rt_drain(th);
		if (!th->is_auto || weft_rt_proc->error != 0)
			return false;
		if (weft_rt_auto_end(th))
			return true;
		weft_rt_thread_pause(turn);
	}
	return false;
}

/* A thread that is still there when the process goes: its stream ends now. */
static void
end_other(struct thread *th)
{
	bool is_whole;

	if (th->has_stream && !take(th))
		return;
	if (th->has_stream) {
		is_whole = drain_end(th);
		th->is_emptied = th->mem.file->tail == th->mem.file->head;
		weft_rt_thread_save(th, is_whole);
	}
	if (th->mem.path[0] != '\0')
		unlink(th->mem.path);
	/* stays taken: nobody drains it again */
}

static void
end_all(struct proc *p)
{
	sigset_t was;

	weft_rt_proc_lock(&was);
	for (struct thread *th = p->threads; th; th = th->next)
		end_other(th);
	weft_rt_pool_drop();
	weft_rt_proc_unlock(&was);
}

void
weft_rt_exit(void)
{
	struct thread *th = weft_rt_thread();
	struct proc *p = weft_rt_proc;

	if (!p || p->state == PROC_NEW)
		return;
	weft_rt_thread_end(th && th->is_auto);
	weft_rt_writer_stop();
	__atomic_store_n(&p->is_closing, true, __ATOMIC_SEQ_CST);
	end_all(p);
	weft_rt_place_clean();
	weft_rt_exit_say();
}
