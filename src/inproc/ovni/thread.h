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

#include "inproc/core/part.h"
#include "inproc/core/stream.h"
#include "inproc/ovni/flight.h"
#include "inproc/ovni/meta.h"
#include "weft/trace.h"

enum thread_state { THREAD_NEW, THREAD_READY, THREAD_FINISHED };

/* Is a thread gone, that left its stream to the exit, and did it end as it
 * should? */
enum thread_left { LEFT_NOT, LEFT_CUT, LEFT_WHOLE };

struct thread {
	struct stream stream;  /* first */
	struct weft_ring ring; /* where weft_self points */
	int tid;
	bool is_auto; /* started by its first event: we end it */
	bool is_late; /* started when the process ended: in no list, records
	                 nothing */
	enum thread_left left; /* atomic; the exit ends it */
	int32_t cpu;           /* where its first event put it; -1: anywhere */
	uint64_t still_from, still_to; /* a pair to be said; 0: none */
	sigset_t still_was; /* signals before a wait whose event is to come */
	bool is_still;      /* and are blocked */
	struct flight flight;
	struct meta meta;
	/* What is written before it is read: a new stack is touched less, and
	 * each first touch of a page is a fault. */
	char path[STREAM_PATH], temp[PATH_MAX + 80];
	char scratch[8192]; /* where the text of the metadata begins */
};

extern const struct part weft_rt_thread_part;

enum thread_state weft_rt_thread_state(void);

/* The calling thread if it is READY, or NULL. */
struct thread *weft_rt_thread(void);

/* Starts the calling thread. Under no lock. */
struct thread *weft_rt_thread_start(int tid);

/* Starts it because of its first event, the process too; NULL: not here. */
struct thread *weft_rt_thread_auto(void);

/* Ends the calling thread. is_whole: it ended as it should, and says so. */
void weft_rt_thread_end(bool is_whole);

/* Records an event of a given time; for all that is not on the fast path.
 * There has to be room. */
void weft_rt_thread_put(struct thread *th, uint32_t first, uint64_t time,
	const void *data, uint64_t n);

/* Is it the thread whose metadata tells of the process's clocks? That is the
 * first one; when that has ended, the last one that ends. */
bool weft_rt_thread_tells(const struct thread *th);

/* Runs change(arg), which adds to the metadata of the calling thread, and saves
 * them: not while a handler does the same. False: the process ends, which saves
 * them itself, and no event is recorded that would need the change. */
bool weft_rt_thread_change(
	struct thread *th, void (*change)(void *), void *arg);

/* The thread's events belong to that model. */
void weft_rt_thread_require(
	struct thread *th, const char *model, const char *version);

/* Writes the metadata, through a temporary name. */
bool weft_rt_thread_save(struct thread *th, bool is_finished);

#endif
