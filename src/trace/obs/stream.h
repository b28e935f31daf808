/* SPDX-License-Identifier: MIT */
/*
 * stream.h - one stream.obs, event by event, through a window.
 *
 * The window is read with pread, never mapped: a file that shrinks meanwhile
 * is a short read and no SIGBUS, and thousands of streams need no mappings.
 * Bytes that are no event (zeros, which file systems leave of what was never
 * written, or others) are one finding: the stream goes on at the next event
 * that is found behind them (resync.h), or ends. A clock that goes back, or
 * jumps ahead for one event, is reported and replaced by the last one.
 */
#ifndef WEFT_TRACE_OBS_STREAM_H
#define WEFT_TRACE_OBS_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "trace/obs/window.h"
#include "trace/obs/wire.h"

struct arena;
struct findings;
struct ring;
struct seek_fault;
struct seek_stream;

#define OBS_KEY_JUMBO (1u << 24)
#define OBS_UNSURE (-1)

/* The three letters of a key; bytes that are no text become "\\x07". */
const char *obs_key_name(uint32_t key, char to[16]);

/*
 * Opens the file and reads its header. window: bytes to read at a time.
 * keep_open: hold the descriptor between reads. False with a finding if this
 * is no stream.
 */
bool obs_stream_open(struct obs_stream *s, const char *file,
	struct findings *fs, size_t window, bool keep_open);

/* The stream goes on with what a ring holds; NULL: it does not. For a stream
 * that was just opened. */
void obs_stream_extend(struct obs_stream *s, const struct ring *ring);

/* Takes the clock of the current event, which is the first, as this time. */
void obs_stream_begin_at(struct obs_stream *s, int64_t time);

/* obs_stream_next() for any event, also the rare ones. */
bool obs_stream_step(struct obs_stream *s);

/* True if the next event needs no closer look: then *time is its time. */
static inline bool
obs_stream_sees(const struct obs_stream *s, int64_t *time)
{
	const uint8_t *at = s->at + s->length;
	uint64_t clock;
	uint32_t first;

	/* Among hundreds of streams no hardware sees that this one goes on. */
	__builtin_prefetch(at + 128);
	if (__builtin_expect(at >= s->plain_end, 0))
		return false;
	memcpy(&first, at, sizeof first);
	memcpy(&clock, at + offsetof(struct obs_event_header, clock),
		sizeof clock);
	clock += (uint64_t)s->clock_offset;
	*time = (int64_t)clock;
	return __builtin_expect(
		       obs_has_letters(first, OBS_UNKNOWN | OBS_JUMBO), 1) &&
		__builtin_expect(
			clock - (uint64_t)s->time < (uint64_t)OBS_LEAP_NS, 1);
}

/* The time of the next event, or OBS_UNSURE if that needs a closer look. */
static inline int64_t
obs_stream_ahead(const struct obs_stream *s)
{
	int64_t time;

	return obs_stream_sees(s, &time) ? time : OBS_UNSURE;
}

/* Moves to the next event, whose time is not unsure. */
static inline void
obs_stream_take(struct obs_stream *s, int64_t time)
{
	const uint8_t *at = s->at + s->length;
	uint32_t first, size;

	memcpy(&first, at, sizeof first);
	size = first & OBS_PAYLOAD;
	size += size > 0;
	s->at = at;
	s->length = sizeof(struct obs_event_header) + size;
	s->data = at + sizeof(struct obs_event_header);
	s->size = size;
	s->key = first >> 8;
	s->time = time;
}

/* Moves to the next event, unless it needs a closer look: then false, and
 * nothing has changed. */
static inline bool
obs_stream_plain(struct obs_stream *s)
{
	int64_t time;

	if (__builtin_expect(!obs_stream_sees(s, &time), 0))
		return false;
	obs_stream_take(s, time);
	return true;
}

/* Moves to the next event. False at the end, with a finding if what follows is
 * no event; the stream then stands there. */
static inline bool
obs_stream_next(struct obs_stream *s)
{
	return __builtin_expect(obs_stream_plain(s), 1) || obs_stream_step(s);
}

/* Makes an offset of the file the place of the next event. */
void obs_stream_go_to(struct obs_stream *s, int64_t offset);

/* Notes places of events and faults of clocks from now on, for a stream at its
 * first event; to NULL: no longer. */
void obs_stream_note(
	struct obs_stream *s, struct arena *a, struct seek_stream *to);

/* Adds the finding about a clock that was not taken, or bytes left out. */
void obs_stream_say(const struct obs_stream *s, const struct seek_fault *f);

/*
 * Moves to the first event of a known stream that is of the time or later, or
 * a little before that, as if all before it had been read, but for findings.
 * Nothing known is trusted: the events must be as it says, from the place
 * before the one that is used on. If they are not, the stream is at its first
 * event and the answer is false. The time fits the stream's clock offset.
 */
bool obs_stream_seek(
	struct obs_stream *s, const struct seek_stream *known, int64_t time);

/* Frees window and descriptor; fine to call twice. */
void obs_stream_close(struct obs_stream *s);

#endif
