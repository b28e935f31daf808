/* SPDX-License-Identifier: MIT */
/*
 * still.h - makes room in a thread's ring, and records the times when the
 * thread waited.
 *
 * A thread that writes its own ring records the pair OF[ OF]. An event of
 * weft_* takes its time when there is room, so it comes after the pair. The
 * caller of ovni_ev_emit() took the clock before: that event comes first, and
 * the pair is kept until the first event that is later than the pair. If no
 * such event comes, the pair is dropped, so that nothing follows the thread's
 * end.
 */
#ifndef WEFT_INPROC_OVNI_STILL_H
#define WEFT_INPROC_OVNI_STILL_H

#include <stdbool.h>
#include <stdint.h>

struct thread;

/* Makes room for an event of size bytes, or counts a loss and returns false.
 * clock: time of the event, which the caller has read; NULL: it is read later.
 * must: the event has a clock and must not be dropped. If this returns true,
 * the caller stores the event and then calls weft_rt_still_end(). If an event
 * with a clock has to wait for room, signals that arrive meanwhile are
 * delivered in weft_rt_still_end(), so that the events of their handlers come
 * after it. */
bool weft_rt_still_room(
	struct thread *th, uint64_t size, const uint64_t *clock, bool must);

/* Delivers the signals that the wait of weft_rt_still_room() held back, if
 * there was such a wait. */
void weft_rt_still_end(struct thread *th);

/* Records the kept pair if the next event, at *clock or now (NULL), is later
 * than the pair. If the ring has no room, the pair is dropped: recorded after
 * that event it would go back in time. */
void weft_rt_still_say(struct thread *th, const uint64_t *clock);

/* Writes the ring to the file and keeps the pair. */
void weft_rt_still_flush(struct thread *th);

#endif
