/* SPDX-License-Identifier: MIT */
/*
 * reserve.h - room in a stream's ring for the next event.
 *
 * The code of a public header records as long as there is room up to the ring's
 * limit; here is what happens then: who waits, who drains, what is lost.
 */
#ifndef WEFT_INPROC_CORE_RESERVE_H
#define WEFT_INPROC_CORE_RESERVE_H

#include <stdbool.h>
#include <stdint.h>

struct stream;

/* Makes room for size bytes, or counts a loss and returns false. If it waits,
 * the stream says so before the event that comes. */
bool weft_rt_stream_room(struct stream *s, uint64_t size);

/* The same for an event whose caller took its clock: what the stream says of
 * the wait would be later than that, so it is left to the caller, which finds
 * when it began and ended (0: there was none). must: it waits although others
 * are dropped. All signals are blocked. */
bool weft_rt_stream_room_at(struct stream *s, uint64_t size, uint64_t clock,
	bool must, uint64_t waited[2]);

/* Makes room for what says that a thread starts, ends or moves: beyond
 * WEFT_MAX_MB, and it waits where others are dropped. */
bool weft_rt_stream_keep(struct stream *s, uint64_t size);

/* Is there room for size bytes without a wait? */
bool weft_rt_stream_fits(struct stream *s, uint64_t size);

/* Counts an event that was not recorded, at its caller's clock or now (NULL).
 */
void weft_rt_stream_lose(struct stream *s, const uint64_t *clock);

/* Events that were lost up to now. */
uint64_t weft_rt_stream_lost(const struct stream *s);

/* Writes what is left; what cannot be written is lost. The ring stays taken. */
void weft_rt_stream_drain_last(struct stream *s);

/* Writes all that the ring keeps, whatever it does when full. It is taken. */
bool weft_rt_stream_drain(struct stream *s);

/* Waits a little, longer after some turns. */
void weft_rt_stream_pause(unsigned turn);

#endif
