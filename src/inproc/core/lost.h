/* SPDX-License-Identifier: MIT */
/*
 * lost.h - the intervals in which a stream lost events.
 *
 * They lie in the page of the ring (ringfile.h), so that a crash leaves them.
 * An interval begins no earlier than the last event that was recorded before
 * it, and ends no later than the first one behind it: what is recorded between
 * two losses divides them. Of more than RINGFILE_LOST intervals the two that
 * are closest to each other become one, with what lies between; those that the
 * file tells of already come first. So an interval may hold events that were
 * recorded, but none was lost outside of all.
 *
 * The producer of a stream changes them, and its handlers; or who ends it; and
 * who drains a flight recorder, which gives records up.
 */
#ifndef WEFT_INPROC_CORE_LOST_H
#define WEFT_INPROC_CORE_LOST_H

#include <stdbool.h>
#include <stdint.h>

#include "inproc/core/ringfile.h"

struct stream;

/* Counts an event that was refused: at the clock that its caller took, or now
 * (NULL). Safe in handlers. */
void weft_rt_lost_refused(struct stream *s, const uint64_t *clock);

/* Counts n events that a flight recorder gave up; they continue the gap that
 * is open. All signals are blocked. */
void weft_rt_lost_given_up(
	struct stream *s, uint64_t from, uint64_t to, uint64_t n);

/* Counts n events that were recorded and could not be written. */
void weft_rt_lost_unwritten(
	struct stream *s, uint64_t from, uint64_t to, uint64_t n);

/* Was the newest event of the stream refused? */
bool weft_rt_lost_is_last(const struct stream *s);

/* How many events were lost in intervals that begin before a time, and when the
 * next one begins (UINT64_MAX: there is none). False: two intervals are being
 * joined at this moment. Any thread. */
bool weft_rt_lost_before(
	const struct stream *s, uint64_t time, uint64_t *n, uint64_t *next);

/* The intervals in the order of time, those that overlap as one: the i-th, from
 * which i moves on. False: there is none. */
bool weft_rt_lost_next(
	const struct stream *s, uint32_t *i, struct ringfile_lost *one);

#endif
