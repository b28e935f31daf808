/* SPDX-License-Identifier: MIT */
/*
 * resync.h - finds the next event after bytes that are not events.
 *
 * Events have no marker. But flags and the three letters have few valid values,
 * and the clock is close to the previous one: bytes that look like this are an
 * event if the bytes that follow do, too. In random bytes, fewer than one
 * offset in 10^18 passes.
 */
#ifndef WEFT_TRACE_OBS_RESYNC_H
#define WEFT_TRACE_OBS_RESYNC_H

#include <stdbool.h>
#include <stdint.h>

struct obs_stream;

/* How the current event fits its neighbours. */
enum resync_fit {
	RESYNC_FITS,
	RESYNC_CLOCK, /* its clock is wrong */
	RESYNC_NOISE, /* the bytes are not an event */
};

/* Judges the current event by the times of the previous event, of this event,
 * and of the two following events. If its clock is wrong, sets *last to the
 * time it should get. first: there is no previous event. */
enum resync_fit resync_judge(
	struct obs_stream *s, bool first, int64_t *last, int64_t time);

/* Returns true if the size of the current jumbo event is wrong: it contains
 * whole events, and no event follows it. */
bool resync_is_too_long(struct obs_stream *s, int64_t last);

/* Returns the offset of the first event in [from, end), or -1. last: time of
 * the previous event; 0: none. */
int64_t resync_find(
	struct obs_stream *s, int64_t from, int64_t end, int64_t last);

#endif
