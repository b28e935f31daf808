/* SPDX-License-Identifier: MIT */
/*
 * still.h - room in a thread's ring, and the times for which it stood still.
 *
 * A thread that writes its ring out says so by the pair OF[ OF]. An event of
 * weft_*, whose time is taken when it has room, comes behind the pair. The
 * caller of ovni_ev_emit() took the clock before: that event comes first, and
 * the pair before the first event that is later than it. If none comes any more
 * the pair is forgotten, so that nothing lies behind the thread's end.
 */
#ifndef WEFT_INPROC_OVNI_STILL_H
#define WEFT_INPROC_OVNI_STILL_H

#include <stdbool.h>
#include <stdint.h>

struct thread;

/* Makes room for an event of size bytes, whose caller took its clock or who
 * will take it (NULL), or counts a loss and returns false. must: of an event
 * that has a clock, it may not be dropped. True: the caller stores the event,
 * then calls weft_rt_still_end(). Signals that came while an event with a clock
 * waited come in there: what their handlers record is later. */
bool weft_rt_still_room(
	struct thread *th, uint64_t size, const uint64_t *clock, bool must);

/* Lets in the signals that such a wait holds back, if there was one. */
void weft_rt_still_end(struct thread *th);

/* Says what was kept, if the event that comes is later. Without room it is
 * forgotten: behind that event it would be in the past. */
void weft_rt_still_say(struct thread *th, const uint64_t *clock);

/* Writes the ring out and keeps the pair. */
void weft_rt_still_flush(struct thread *th);

#endif
