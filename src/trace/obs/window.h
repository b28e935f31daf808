/* SPDX-License-Identifier: MIT */
/*
 * window.h - the bytes of a stream: a part of them in memory, around the event
 * at hand.
 *
 * They are those of the file, and behind them those of a ring that the program
 * left. The events in them: stream.h.
 */
#ifndef WEFT_TRACE_OBS_WINDOW_H
#define WEFT_TRACE_OBS_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/finding.h"
#include "trace/obs/wire.h"

struct arena;
struct ring;
struct seek_stream;

/* A step that only a damaged clock makes; no thread sleeps in a trace so. */
#define OBS_JUMP_NS (INT64_C(3600) * 1000000000)
#define OBS_LEAP_NS INT64_C(1000000000)          /* looked at more closely */
#define OBS_AWAY_NS (INT64_C(720) * OBS_JUMP_NS) /* never taken */

struct obs_stream {
	/* The current event. */
	const uint8_t *at;   /* its first byte, in the window */
	size_t length;       /* in the file; 0 before the first */
	const uint8_t *data; /* payload, of a jumbo without the size */
	uint32_t size;       /* of data */
	uint32_t key;        /* the three letters, and OBS_KEY_JUMBO */
	int64_t time;        /* ns, corrected, never less than the last,
	                      * unless raw_clocks */

	int64_t clock_offset;
	int64_t ahead; /* who merges keeps obs_stream_ahead() here */
	/* An event that begins before this may be plain; NULL: none. */
	const uint8_t *plain_end;
	int64_t about; /* struct stream's */

	/* The window. */
	const uint8_t *end; /* of what was read */
	uint8_t *buf;       /* owned */
	size_t cap;         /* of buf: the window, or one larger event */
	size_t window;
	int64_t offset;     /* of buf in the file */
	int64_t size_bytes; /* of the stream, when it was opened */
	int fd;             /* -1: opened for each read */
	bool keep_open;

	const char *file;          /* borrowed */
	const struct ring *ring;   /* goes on behind it; borrowed, or NULL */
	bool raw_clocks;           /* time may go back, which is no finding */
	bool by_weft;              /* our recorder wrote it */
	bool finished;             /* its writer ended it in an orderly way */
	bool mends;                /* goes on behind what is no event */
	int64_t skipped;           /* bytes so far that were none */
	int64_t skipped_at;        /* where they begin, if there are any */
	struct findings *findings; /* borrowed */

	/* Places of events are noted here; NULL: they are not. Borrowed. */
	struct seek_stream *notes;
	struct arena *notes_arena;
	int64_t note_at;     /* offset from which on the next one is */
	bool unread;         /* bytes that were there could not be read */
	uint64_t read_bytes; /* so far */
};

/* Where the current event begins in the file. */
static inline int64_t
obs_stream_offset(const struct obs_stream *s)
{
	return s->offset + (s->at - s->buf);
}

/* Bytes of the stream at an offset, in the window or not. Returns how many
 * there are. */
size_t obs_stream_peek(
	struct obs_stream *s, uint8_t *to, size_t n, int64_t offset);

/* True if the first four bytes of an event have three letters and none of these
 * flags. A letter below a blank borrows, which sets its upper bit. */
static inline bool
obs_has_letters(uint32_t first, uint32_t flags)
{
	return ((first | (first - UINT32_C(0x20202000))) &
		       (UINT32_C(0x80808000) | flags)) == 0;
}

/* True if an event may begin so: flags that are known, and letters. */
static inline bool
obs_is_header(uint32_t first)
{
	return obs_has_letters(first, OBS_UNKNOWN) &&
		((first & OBS_JUMBO) == 0 || (first & OBS_PAYLOAD) == 3);
}

/* Moves the unread part to the front and reads until `need` bytes are there
 * or the file ends; there are fewer when it is called. A file that is written
 * meanwhile ends where it ended when it was opened. */
void obs_stream_refill(struct obs_stream *s, size_t need);

/* The file for a read, and no longer than that unless it stays open. False with
 * errno. */
bool obs_stream_open_fd(struct obs_stream *s);
void obs_stream_release_fd(struct obs_stream *s);

/* A finding about the current event. */
struct finding obs_stream_at_byte(
	const struct obs_stream *s, enum finding_severity severity);

#endif
