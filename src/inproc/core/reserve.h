/* SPDX-License-Identifier: MIT */
/*
 * reserve.h - room in a stream's ring for the next event.
 *
 * The inline code of the public headers records as long as there is room up to
 * the ring's limit; this file handles a full ring: waiting, draining and
 * losing.
 */
#ifndef WEFT_INPROC_CORE_RESERVE_H
#define WEFT_INPROC_CORE_RESERVE_H

#include <stdbool.h>
#include <stdint.h>

struct stream;

/* Makes room for size bytes, or counts a loss and returns false. If it waits,
 * the stream records the wait before the next event. */
bool weft_rt_stream_room(struct stream *s, uint64_t size);

/* Does the same for an event whose caller took its clock. A wait recorded by
 * the stream would be later than that clock, so the caller records it: waited
 * gets the beginning and end of the wait, or 0 if there was none. must: wait
 * even where events are dropped. All signals are blocked. */
bool weft_rt_stream_room_at(struct stream *s, uint64_t size, uint64_t clock,
	bool must, uint64_t waited[2]);

/* Makes room for an event that tells the start, end or move of a thread: even
 * beyond WEFT_MAX_MB, and by waiting where other events are dropped. */
bool weft_rt_stream_keep(struct stream *s, uint64_t size);

/* Returns true if size bytes fit without a wait. */
bool weft_rt_stream_fits(struct stream *s, uint64_t size);

/* Counts an event that was not recorded. clock: its time, which the caller has
 * read; NULL: now.
 */
void weft_rt_stream_lose(struct stream *s, const uint64_t *clock);

/* Returns the number of events lost so far. */
uint64_t weft_rt_stream_lost(const struct stream *s);

/* Writes the rest; records that cannot be written count as lost. The ring stays
 * taken. */
void weft_rt_stream_drain_last(struct stream *s);

/* Writes all records of the ring, whatever WEFT_FULL says. The caller has taken
 * the ring. */
bool weft_rt_stream_drain(struct stream *s);

/* Waits a little, and longer after some turns. */
void weft_rt_stream_pause(unsigned turn);

#endif
