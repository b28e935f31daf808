/* SPDX-License-Identifier: MIT */
/*
 * lost.h - the intervals in which a stream lost events.
 *
 * The intervals lie in the page of the ring (ringfile.h), so that they survive
 * a crash. An interval begins no earlier than the last event recorded before
 * it, and ends no later than the first event recorded after it: an event
 * recorded between two losses separates them. When there are more than
 * RINGFILE_LOST intervals, the two closest to each other are joined, with the
 * events between them; intervals that the file already tells are joined first.
 * So an interval may include recorded events, but no event was lost outside of
 * all intervals.
 *
 * The intervals of a stream are changed by its producer and the producer's
 * handlers, by the thread that ends the stream, and by the drainer of a flight
 * recorder, which gives up records.
 */
#ifndef WEFT_INPROC_CORE_LOST_H
#define WEFT_INPROC_CORE_LOST_H

#include <stdbool.h>
#include <stdint.h>

#include "inproc/core/ringfile.h"

struct stream;

/* Counts an event that was refused. clock: its time, which the caller has read;
 * NULL: now. Safe in handlers. */
void weft_rt_lost_refused(struct stream *s, const uint64_t *clock);

/* Counts n events that a flight recorder gave up; they extend the open gap. All
 * signals are blocked. */
void weft_rt_lost_given_up(
	struct stream *s, uint64_t from, uint64_t to, uint64_t n);

/* Counts n events that were recorded and could not be written. */
void weft_rt_lost_unwritten(
	struct stream *s, uint64_t from, uint64_t to, uint64_t n);

/* Returns true if the newest event of the stream was refused. */
bool weft_rt_lost_is_last(const struct stream *s);

/* Stores how many events were lost in intervals that begin before time, and
 * when the next interval begins (UINT64_MAX: none). Returns false while two
 * intervals are being joined. Any thread may call it. */
bool weft_rt_lost_before(
	const struct stream *s, uint64_t time, uint64_t *n, uint64_t *next);

/* Stores the i-th interval in the order of time, overlapping ones as one, and
 * advances *i. Returns false if there is none. */
bool weft_rt_lost_next(
	const struct stream *s, uint32_t *i, struct ringfile_lost *one);

#endif
