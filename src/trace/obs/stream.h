/* SPDX-License-Identifier: MIT */
/*
 * stream.h - one stream.obs, event by event, through a window.
 *
 * The window is read with pread, never mapped: if the file shrinks meanwhile, a
 * read is short and there is no SIGBUS, and thousands of streams need no
 * mappings. Bytes that are not events (such as zeros, which file systems leave
 * where data was never written) are one finding: the stream continues at the
 * next event found after them (resync.h), or ends. A clock that goes back, or
 * jumps ahead for one event, is reported and replaced by the previous one.
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
struct ring_tail;
struct seek_fault;
struct seek_stream;

#define OBS_KEY_JUMBO (1u << 24)
#define OBS_UNSURE (-1)

/* Writes the three letters of a key; bytes that are not text become "\\x07".
 * Returns `to`. */
const char *obs_key_name(uint32_t key, char to[16]);

/*
 * Opens the file and reads its header. window: bytes to read at a time.
 * keep_open: keeps the file descriptor open between reads. Returns false with a
 * finding if the file is not a stream.
 */
bool obs_stream_open(struct obs_stream *s, const char *file,
	struct findings *fs, size_t window, bool keep_open);

/* Makes the stream continue with the contents of a ring; NULL: none. Call it
 * right after obs_stream_open(). */
void obs_stream_extend(struct obs_stream *s, const struct ring_tail *ring);

/* Sets the time of the current event, which must be the first. */
void obs_stream_begin_at(struct obs_stream *s, int64_t time);

/* Does the same as obs_stream_next(), for any event. */
bool obs_stream_step(struct obs_stream *s);

/* Returns true if the next event needs no further check; *time is then its
 * time. */
static inline bool
obs_stream_sees(const struct obs_stream *s, int64_t *time)
{
	const uint8_t *at = s->at + s->length;
	uint64_t clock;
	uint32_t first;

	/* Among hundreds of streams, the hardware does not notice that this one
	 * is read sequentially. */
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

/* Returns the time of the next event, or OBS_UNSURE if it needs a further
 * check. */
static inline int64_t
obs_stream_ahead(const struct obs_stream *s)
{
	int64_t time;

	return obs_stream_sees(s, &time) ? time : OBS_UNSURE;
}

/* Moves to the next event, whose time obs_stream_ahead() returned. */
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

/* Moves to the next event and returns true, unless the event needs a further
 * check: then returns false and changes nothing. */
static inline bool
obs_stream_plain(struct obs_stream *s)
{
	int64_t time;

	if (__builtin_expect(!obs_stream_sees(s, &time), 0))
		return false;
	obs_stream_take(s, time);
	return true;
}

/* Moves to the next event. Returns false at the end, with a finding if the
 * bytes there are not an event; the stream then stays there. */
static inline bool
obs_stream_next(struct obs_stream *s)
{
	return __builtin_expect(obs_stream_plain(s), 1) || obs_stream_step(s);
}

/* Makes the event at a file offset the next one. */
void obs_stream_go_to(struct obs_stream *s, int64_t offset);

/* Starts noting byte offsets and clock faults; the stream must be at its first
 * event. to = NULL: stops. */
void obs_stream_note(
	struct obs_stream *s, struct arena *a, struct seek_stream *to);

/* Adds the finding about a clock that was replaced, or bytes that were left
 * out. */
void obs_stream_say(const struct obs_stream *s, const struct seek_fault *f);

/*
 * Moves to the first event of the stream at or after `time`, or to one shortly
 * before it, as if all earlier events had been read, but without their
 * findings. Checks `known` against the file, from the offset before the one
 * used. If the events differ from `known`, moves to the first event and returns
 * false. `time` includes the stream's clock offset.
 */
bool obs_stream_seek(
	struct obs_stream *s, const struct seek_stream *known, int64_t time);

/* Frees the window and closes the file; may be called twice. */
void obs_stream_close(struct obs_stream *s);

#endif
