/* SPDX-License-Identifier: MIT */
#include "inproc/core/exit.h"

#include <unistd.h>

#include "inproc/core/assert.h"
#include "inproc/core/confined.h"
#include "inproc/core/drain.h"
#include "inproc/core/ending.h"
#include "inproc/core/futex.h"
#include "inproc/core/part.h"
#include "inproc/core/pool.h"
#include "inproc/core/proc.h"
#include "inproc/core/say.h"
#include "inproc/core/stream.h"
#include "inproc/core/writer.h"

void
weft_rt_exit_say(void)
{
	uint64_t n =
		__atomic_exchange_n(&weft_rt_proc->lost, 0, __ATOMIC_RELAXED);

	if (n > 0 && !__atomic_load_n(&weft_rt_proc->is_mute, __ATOMIC_RELAXED))
		weft_rt_warn("weft: %llu events were not recorded",
			(unsigned long long)n);
}

/* Takes the ring for good. Returns false if the exit has the ring: the exit
 * keeps it, and may wait for this thread. */
static bool
claim(struct stream *s)
{
	bool is_me = false;

	while (s->has_file && !weft_rt_drain_claim(s, &is_me) && !is_me) {
		if (__atomic_load_n(
			    &weft_rt_proc->is_closing, __ATOMIC_SEQ_CST))
			return false;
		weft_rt_drain_wait(s);
	}
	return true;
}

bool
weft_rt_exit_may_end(struct stream *s)
{
	weft_rt_proc_work(true);
	if (!weft_rt_proc_is_leaving() && claim(s))
		return true;
	weft_rt_proc_work(false);
	return false;
}

void
weft_rt_exit_has_ended(struct stream *s)
{
	WEFT_ASSERT(stream_ends_once,
		!s->has_file ||
			!__atomic_load_n(&s->is_ended, __ATOMIC_RELAXED));
	__atomic_store_n(&s->is_ended, true, __ATOMIC_SEQ_CST);
	weft_rt_proc_work(false);
}

/* Returns a stream to end, whose ring we have for good. is_left: other streams
 * are still taken by their threads. */
static struct stream *
take_next(struct proc *p, bool *is_left)
{
	struct stream *s;
	sigset_t was;
	bool is_me = false;

	*is_left = false;
	weft_rt_proc_lock(&was);
	for (s = p->streams; s; s = s->next) {
		if (__atomic_load_n(&s->is_ended, __ATOMIC_SEQ_CST))
			continue;
		if (!s->has_file || weft_rt_drain_claim(s, &is_me))
			break;
		/* is_me: a handler that interrupted a drain ends the process */
		*is_left = *is_left || !is_me;
		is_me = false;
	}
	weft_rt_proc_unlock(&was);
	return s;
}

static void
end_one(struct stream *s)
{
	WEFT_ASSERT(stream_is_ended_by_the_exit_once,
		!__atomic_load_n(&s->is_ended, __ATOMIC_RELAXED));
	s->format->end(s);
	__atomic_store_n(&s->is_ended, true, __ATOMIC_SEQ_CST);
}

/* Waits until the last thread at work wakes us. */
static void
wait_for_work(struct proc *p)
{
	int n = __atomic_load_n(&p->at_work, __ATOMIC_SEQ_CST);

	if (n > 0)
		futex_wait(&p->at_work, n, NULL);
}

/* Removes rings of ended streams: they are not needed any more. */
static void
drop_rings(struct proc *p)
{
	sigset_t was;

	weft_rt_proc_lock(&was);
	for (struct stream *s = p->streams; s; s = s->next)
		if (__atomic_load_n(&s->is_ended, __ATOMIC_RELAXED) &&
			s->mem.path[0] != '\0')
			unlink(s->mem.path);
	weft_rt_pool_drop();
	weft_rt_proc_unlock(&was);
}

/* Closes all rings: only their present records are left to write, and what each
 * thread may still record below its last limit. */
static void
close_all(struct proc *p)
{
	sigset_t was;

	__atomic_store_n(&p->is_closing, true, __ATOMIC_SEQ_CST);
	weft_rt_proc_lock(&was);
	for (struct stream *s = p->streams; s; s = s->next)
		weft_rt_ring_close(s->ring);
	weft_rt_proc_unlock(&was);
}

static void
end_all(struct proc *p)
{
	struct stream *s;
	bool is_left = true;

	while (is_left) {
		while ((s = take_next(p, &is_left)) != NULL)
			end_one(s);
		if (is_left)
			wait_for_work(p);
	}
	drop_rings(p);
}

void
weft_rt_exit(void)
{
	struct proc *p = weft_rt_proc;

	if (!p || __atomic_load_n(&p->state, __ATOMIC_ACQUIRE) == PROC_NEW ||
		weft_rt_is_confined())
		return;
	__atomic_store_n(&p->is_leaving, true, __ATOMIC_SEQ_CST);
	weft_rt_ending_now();
	close_all(p);
	weft_rt_writer_stop();
	PART_CALL(stop);
	end_all(p);
	PART_CALL(end);
	weft_rt_exit_say();
	__atomic_store_n(&p->has_exited, 1, __ATOMIC_RELEASE);
	futex_wake(&p->has_exited);
}
