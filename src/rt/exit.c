/* SPDX-License-Identifier: MIT */
#include "rt/exit.h"

#include <unistd.h>

#include "rt/ctf.h"
#include "rt/drain.h"
#include "rt/kernel.h"
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

/* Its own thread may write it; not for long, as nobody makes room any more. */
static bool
take(struct stream *s)
{
	bool is_me = false;

	for (unsigned turn = 0; !weft_rt_drain_take(s, &is_me); turn++) {
		if (is_me || turn > EXIT_TURNS)
			return false;
		weft_rt_stream_pause(turn);
	}
	return true;
}

/* A stream that is still there when the process goes: it ends now, and stays
 * taken: nobody drains it again. */
static void
end_other(struct stream *s)
{
	if (s->has_file && !take(s))
		return;
	s->format->end(s);
	if (s->mem.path[0] != '\0')
		unlink(s->mem.path);
}

static void
end_all(struct proc *p)
{
	sigset_t was;

	weft_rt_proc_lock(&was);
	for (struct stream *s = p->streams; s; s = s->next)
		end_other(s);
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
	weft_rt_ctf_thread_end();
	weft_rt_writer_stop();
	weft_rt_kernel_end();
	__atomic_store_n(&p->is_closing, true, __ATOMIC_SEQ_CST);
	end_all(p);
	weft_rt_ctf_exit();
	weft_rt_place_clean();
	weft_rt_exit_say();
}
