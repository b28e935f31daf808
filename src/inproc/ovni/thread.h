/* SPDX-License-Identifier: MIT */
/*
 * thread.h - a traced thread: its ring, its stream, its metadata.
 *
 * It starts NEW, is READY between start and end, and FINISHED for the rest of
 * its life. A thread of a forked child is NEW.
 */
#ifndef WEFT_INPROC_OVNI_THREAD_H
#define WEFT_INPROC_OVNI_THREAD_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "inproc/core/stream.h"
#include "inproc/ovni/meta.h"
#include "inproc/ovni/resume.h"
#include "weft/trace.h"

enum thread_state { THREAD_NEW, THREAD_READY, THREAD_FINISHED };

/* Is a thread gone, that left its stream to the exit, and did it end as it
 * should? */
enum thread_left { LEFT_NOT, LEFT_CUT, LEFT_WHOLE };

/* The thread's own, and behind it of who ends its stream: itself, or the exit,
 * which has taken the ring for good (stream.h). What else is said stands at the
 * field. */
struct thread {
	struct stream stream;  /* first */
	struct weft_ring ring; /* where weft_self points; limit: the exit's,
	                          too, atomic */
	int tid;               /* as it began; the writer's, too */
	bool is_auto; /* started by its first event: we end it; read by who
	                 drains */
	bool is_late; /* started when the process ended: in no list, records
	                 nothing */
	enum thread_left left; /* atomic; the thread leaves it to the exit */
	int32_t cpu;           /* where its first event put it; -1: anywhere */
	uint64_t still_from, still_to; /* a pair to be said; 0: none */
	sigset_t still_was;   /* signals before a wait whose event is to come */
	bool is_still;        /* and are blocked */
	struct resume resume; /* of who drains */
	/* Changed under the process's lock as long as the exit has not begun
	 * (weft_rt_life_change), and then by the exit. */
	struct meta meta;
	/* What is written before it is read: a new stack is touched less, and
	 * each first touch of a page is a fault. */
	char path[STREAM_PATH], temp[PATH_MAX + 80];
	char scratch[8192]; /* where the text of the metadata begins */
};

enum thread_state weft_rt_thread_state(void);

/* The calling thread if it is READY, or NULL. */
struct thread *weft_rt_thread(void);

/* The calling thread is that one, with all signals blocked; it has finished. */
struct thread *weft_rt_thread_attach(struct thread *th);
void weft_rt_thread_detach(void);

/* What a thread has that there was no memory for: it records nothing. */
extern struct thread weft_rt_thread_nobody;

/* Gives it no room at all. */
void weft_rt_thread_none(struct thread *th);

/* Records an event of a given time; for all that is not on the fast path.
 * There has to be room. */
void weft_rt_thread_put(struct thread *th, uint32_t first, uint64_t time,
	const void *data, uint64_t n);

/* Is it the thread whose metadata tells of the process's clocks? That is the
 * first one; when that has ended, the last one that ends. */
bool weft_rt_thread_tells(const struct thread *th);

/* What its metadata is made of. */
struct meta_of weft_rt_thread_meta(struct thread *th);

#endif
