/* SPDX-License-Identifier: MIT */
/*
 * window.h - the part of a stream around the current event that is in memory.
 *
 * A stream consists of the bytes of its file followed by the bytes of a ring
 * that the program left. stream.h finds the events in them.
 */
#ifndef WEFT_TRACE_OBS_WINDOW_H
#define WEFT_TRACE_OBS_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/align/clock_line.h"
#include "trace/finding.h"
#include "trace/obs/wire.h"

struct arena;
struct ring_tail;
struct seek_stream;

/* Time steps between two events of a stream. A step over OBS_JUMP_NS for one
 * event alone is a damaged clock: no thread sleeps for an hour in a trace. */
#define OBS_JUMP_NS (INT64_C(3600) * 1000000000)
#define OBS_LEAP_NS INT64_C(1000000000)          /* larger steps are checked */
#define OBS_AWAY_NS (INT64_C(720) * OBS_JUMP_NS) /* never accepted */

struct obs_stream {
	/* The current event. */
	const uint8_t *at;   /* its first byte, in the window */
	size_t length;       /* bytes of the event in the file; 0 before the
	                      * first event */
	const uint8_t *data; /* payload, without the size word of a jumbo */
	uint32_t size;       /* bytes of data */
	uint32_t key;        /* the three letters, and OBS_KEY_JUMBO */
	int64_t time; /* ns, with clock offset, never less than the time of the
	               * previous event, unless raw_clocks */

	int64_t clock_offset; /* added to every clock, if line is NULL */
	const struct clock_line *line; /* correction of the clocks, or NULL */
	int line_at;   /* point of the line that the last clock used */
	int64_t ahead; /* result of obs_stream_ahead(), which the code that
	                * merges streams keeps here */
	/* obs_stream_sees() works for events that begin before this; NULL:
	 * none. */
	const uint8_t *plain_end;
	int64_t about; /* as in struct stream */

	/* The window. */
	const uint8_t *end; /* end of the bytes read */
	uint8_t *buf;       /* owned */
	size_t cap; /* size of buf: `window`, or more for a larger event */
	size_t window;
	int64_t offset;     /* offset of buf in the file */
	int64_t size_bytes; /* size of the stream when it was opened */
	int fd;             /* -1: opened for each read */
	bool keep_open;

	const char *file; /* borrowed */
	/* the bytes after the file's end; borrowed, or NULL */
	const struct ring_tail *ring;
	bool raw_clocks;           /* time may go back without a finding */
	bool by_weft;              /* our recorder wrote it */
	bool finished;             /* stream.json says that it is complete */
	bool mends;                /* skips bytes that are not events */
	int64_t skipped;           /* bytes skipped so far */
	int64_t skipped_at;        /* offset of the first skipped byte, if
	                            * any */
	struct findings *findings; /* borrowed */

	/* List to which byte offsets of events are added; NULL: none.
	 * Borrowed. */
	struct seek_stream *notes;
	struct arena *notes_arena;
	int64_t note_at; /* the next byte offset is noted from here on */
	bool unread;     /* some bytes could not be read */
};

struct trace_node;

/* Makes the stream correct its clocks as those of the node; NULL: not at all.
 * Call it before the first event. */
void obs_stream_correct_by(struct obs_stream *s, const struct trace_node *n);

/* Stores the corrected time of a clock of the stream. Returns false if it does
 * not fit. */
static inline bool
obs_stream_correct(struct obs_stream *s, int64_t clock, int64_t *time)
{
	int64_t offset = s->line == NULL
		? s->clock_offset
		: clock_line_offset(s->line, clock, &s->line_at);

	return !__builtin_add_overflow(clock, offset, time);
}

/* Returns the byte offset of the current event in the file. */
static inline int64_t
obs_stream_offset(const struct obs_stream *s)
{
	return s->offset + (s->at - s->buf);
}

/* Copies bytes of the stream at an offset, in the window or not. Returns the
 * number of bytes copied. */
size_t obs_stream_peek(
	struct obs_stream *s, uint8_t *to, size_t n, int64_t offset);

/* Returns true if the first four bytes of an event have three letters and none
 * of these flags. The subtraction borrows for a letter below a blank, which
 * sets the letter's upper bit. */
static inline bool
obs_has_letters(uint32_t first, uint32_t flags)
{
	return ((first | (first - UINT32_C(0x20202000))) &
		       (UINT32_C(0x80808000) | flags)) == 0;
}

/* Returns true if an event may begin with these bytes: valid flags, and
 * letters. */
static inline bool
obs_is_header(uint32_t first)
{
	return obs_has_letters(first, OBS_UNKNOWN) &&
		((first & OBS_JUMBO) == 0 || (first & OBS_PAYLOAD) == 3);
}

/* Moves the unread part to the front of the window and reads until `need` bytes
 * are available or the file ends. Call it only when fewer are available. If the
 * file grows meanwhile, reading still stops at the end that the file had when
 * it was opened. */
void obs_stream_refill(struct obs_stream *s, size_t need);

/* Open the file for a read, and close it again unless it stays open.
 * obs_stream_open_fd() returns false with errno. */
bool obs_stream_open_fd(struct obs_stream *s);
void obs_stream_release_fd(struct obs_stream *s);

/* Returns a finding about the current event, without text. */
struct finding obs_stream_at_byte(
	const struct obs_stream *s, enum finding_severity severity);

#endif
