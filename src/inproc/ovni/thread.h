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

/* Whether a thread left the end of its stream to the exit, and whether it ended
 * regularly. */
enum thread_left { LEFT_NOT, LEFT_CUT, LEFT_WHOLE };

/* Accessed by the thread itself; after its end by the thread or the exit,
 * whichever ends the stream and has taken the ring for good (stream.h).
 * Comments at fields state exceptions. */
struct thread {
	struct stream stream;  /* first member */
	struct weft_ring ring; /* target of weft_self; its limit is atomic,
	                        * because the exit changes it, too */
	int tid;               /* never changes; the writer reads it, too */
	bool is_auto; /* started by its first event, so the library ends it; the
	               * drainer reads it, too */
	bool is_late; /* started when the process ended: in no list, records
	               * nothing */
	enum thread_left left; /* atomic; set when the thread leaves its end to
	                        * the exit */
	int32_t cpu;           /* set by its first event; -1: any CPU */
	uint64_t still_from, still_to; /* the kept pair; 0: none */
	sigset_t still_was; /* the signal mask from before the wait for an
	                     * event that is not recorded yet */
	bool is_still;      /* that wait holds signals back */
	uint64_t ring_id; /* the ring's, while an exec has ended the stream; 0:
	                   * it has not */
	struct resume resume; /* used by the drainer */
	/* Changed under the process's lock until the exit begins
	 * (weft_rt_life_change), then by the exit. */
	struct meta meta;
	/* From here on a field is written before it is read, so these fields
	 * need no zeroing; fewer page faults than with a new stack. */
	char path[STREAM_PATH], temp[PATH_MAX + 80];
	char scratch[8192]; /* the metadata text begins here */
};

enum thread_state weft_rt_thread_state(void);

/* Returns the calling thread if it is READY, else NULL. */
struct thread *weft_rt_thread(void);

/* Make th the calling thread, with all signals blocked; mark the calling thread
 * as FINISHED. */
struct thread *weft_rt_thread_attach(struct thread *th);
void weft_rt_thread_detach(void);

/* Stands for a thread for which there was no memory: records nothing. */
extern struct thread weft_rt_thread_nobody;

/* Gives the thread a ring without room. */
void weft_rt_thread_none(struct thread *th);

/* Records an event with a given time, outside of the fast path. The caller made
 * sure of room. */
void weft_rt_thread_put(struct thread *th, uint32_t first, uint64_t time,
	const void *data, uint64_t n);

/* Returns true if this thread's metadata has the process's clocks: that of the
 * first thread has them; after the end of the first thread, that of the last
 * thread to end. */
bool weft_rt_thread_tells(const struct thread *th);

/* Returns the arguments for saving the thread's metadata. */
struct meta_of weft_rt_thread_meta(struct thread *th);

#endif
