/* SPDX-License-Identifier: MIT */
#include "rt/exit.h"

#include <unistd.h>

#include "rt/auto.h"
#include "rt/clock.h"
#include "rt/drain.h"
#include "rt/place.h"
#include "rt/proc.h"
#include "rt/record.h"
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

/* A thread that is still there when the process goes: its stream ends now. */
static void
end_other(struct thread *th)
{
	unsigned char head[RECORD_HEAD] = { 0, 'O', 'H', 'e' };
	uint64_t now;
	bool is_me, is_whole = false;

	th->ring.limit = 0;
	if (!th->has_stream || !weft_rt_drain_take(th, &is_me))
		return;
	if (weft_rt_config.full == FULL_OVERWRITE)
		weft_rt_drain_kept(th);
	else
		weft_rt_drain(th);
	now = weft_rt_clock_now();
	memcpy(head + 4, &now, 8);
	if (th->is_auto && th->mem.file->tail == th->mem.file->head)
		is_whole =
			weft_rt_drain_direct(th, head, sizeof(head), NULL, 0);
	th->is_emptied = th->mem.file->tail == th->mem.file->head;
	weft_rt_thread_save(th, is_whole);
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
	for (int i = 0; i < SPARE_RINGS; i++)
		weft_rt_ring_drop(&p->spare[i]);
	weft_rt_proc_unlock(&was);
}

__attribute__((destructor)) static void
at_exit(void)
{
	struct thread *th = weft_rt_thread();
	struct proc *p = weft_rt_proc;

	if (!p || p->state == PROC_NEW)
		return;
	if (th && th->is_auto)
		weft_rt_auto_leave(th);
	weft_rt_thread_end(th && th->is_auto);
	weft_rt_writer_stop();
	__atomic_store_n(&p->is_closing, true, __ATOMIC_SEQ_CST);
	end_all(p);
	weft_rt_place_clean();
	weft_rt_exit_say();
}
