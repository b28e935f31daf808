/* SPDX-License-Identifier: MIT */
#include "inproc/core/replace.h"

#include <errno.h>
#include <pthread.h>
#include <unistd.h>

#include "inproc/core/config.h"
#include "inproc/core/drain.h"
#include "inproc/core/proc.h"
#include "inproc/core/reserve.h"
#include "inproc/core/signals.h"
#include "inproc/core/stream.h"

/* How many times to look for rings that other threads drain: for 0.1 s. */
enum { TURNS = 1000 };

/* Takes the ring of a stream that has none of these ends yet. is_left: other
 * threads have the rings of some. */
static struct stream *
take_next(struct proc *p, bool *is_left)
{
	struct stream *s;
	bool is_me = false;

	*is_left = false;
	weft_rt_lock(&p->lock, NULL);
	for (s = p->streams; s; s = s->next) {
		if (!s->has_file || s->is_replaced || !s->format->replace ||
			__atomic_load_n(&s->is_ended, __ATOMIC_SEQ_CST))
			continue;
		if (weft_rt_drain_take(s, &is_me))
			break;
		/* is_me: this is a handler that interrupted a drain */
		*is_left = *is_left || !is_me;
		is_me = false;
	}
	if (s)
		s->is_replaced = true;
	weft_rt_unlock(&p->lock);
	return s;
}

/* A flight recorder keeps its events in the ring. */
static bool
drain(struct stream *s)
{
	uint64_t head = __atomic_load_n(&s->mem.file->head, __ATOMIC_ACQUIRE);

	return weft_rt_config.full != FULL_OVERWRITE && weft_rt_drain(s) &&
		s->mem.file->tail >= head;
}

static void
end(struct proc *p, struct stream *s)
{
	bool is_whole = drain(s);

	weft_rt_lock(&p->lock, NULL);
	s->format->replace(s, true, is_whole);
	weft_rt_unlock(&p->lock);
}

/* Allows cancellation when the streams go on, as before. */
static int cancel;

static void
end_all(struct proc *p)
{
	struct stream *s;
	bool is_left = true;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	for (unsigned turn = 0; is_left && turn < TURNS; turn++) {
		while ((s = take_next(p, &is_left)) != NULL)
			end(p, s);
		if (is_left)
			weft_rt_stream_pause(turn);
	}
}

bool
weft_rt_replace(const char *path)
{
	struct proc *p = weft_rt_proc;
	const char *none = NULL;
	int error = errno;
	sigset_t was;

	if (!p || __atomic_load_n(&p->state, __ATOMIC_ACQUIRE) != PROC_READY ||
		weft_rt_proc_is_leaving() ||
		!__atomic_compare_exchange_n(&p->image, &none, path, false,
			__ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
		return false;
	signals_block(&was);
	end_all(p);
	signals_restore(&was);
	errno = error;
	return true;
}

/* Gives the ring back when the file is as it was. Call under the lock. */
static void
go_on(struct stream *s)
{
	s->is_replaced = false;
	s->format->replace(s, false, false);
	weft_rt_drain_trim(s);
	weft_rt_drain_give(s);
}

void
weft_rt_replace_undo(void)
{
	struct proc *p = weft_rt_proc;
	int error = errno;
	sigset_t was;

	signals_block(&was);
	weft_rt_lock(&p->lock, NULL);
	for (struct stream *s = p->streams; s; s = s->next)
		if (s->is_replaced)
			go_on(s);
	weft_rt_unlock(&p->lock);
	__atomic_store_n(&p->image, NULL, __ATOMIC_SEQ_CST);
	signals_restore(&was);
	pthread_setcancelstate(cancel, NULL);
	errno = error;
}
