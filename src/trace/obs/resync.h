/* SPDX-License-Identifier: MIT */
/*
 * resync.h - finds the next event behind bytes that are none.
 *
 * An event has no mark of its own. But its flags and its three letters have
 * few values, and its clock is near the one before: bytes that look so are an
 * event if what follows them looks so too. Of random bytes, fewer than one
 * place in 10^18 does.
 */
#ifndef WEFT_TRACE_OBS_RESYNC_H
#define WEFT_TRACE_OBS_RESYNC_H

#include <stdbool.h>
#include <stdint.h>

struct obs_stream;

/* How the event at hand fits between its neighbours. */
enum resync_fit {
	RESYNC_FITS,
	RESYNC_CLOCK, /* its clock is wrong */
	RESYNC_NOISE, /* it is no event */
};

/* Judges the current event by its time, that of the one before it, and the two
 * behind it. If its clock is wrong, *last is the time that it gets. first: none
 * is before it. */
enum resync_fit resync_judge(
	struct obs_stream *s, bool first, int64_t *last, int64_t time);

/* True if the jumbo event at hand holds whole events and none follows it: then
 * its size is wrong. */
bool resync_is_too_long(struct obs_stream *s, int64_t last);

/* Offset of the first event in [from, end), when the one before is of the time
 * last (0: there is none), or -1. */
int64_t resync_find(
	struct obs_stream *s, int64_t from, int64_t end, int64_t last);

#endif
