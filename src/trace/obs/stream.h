/* SPDX-License-Identifier: MIT */
/*
 * stream.h - one stream.obs, event by event, through a window.
 *
 * The window is read with pread, never mapped: a file that shrinks meanwhile
 * is a short read and no SIGBUS, and thousands of streams need no mappings.
 * Damage ends the stream with a finding; a clock that goes back, or jumps by
 * more than an hour for one event, is reported and replaced by the last one.
 */
#ifndef WEFT_TRACE_OBS_STREAM_H
#define WEFT_TRACE_OBS_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct findings;

struct obs_stream {
	/* The current event. */
	const uint8_t *at;   /* its first byte, in the window */
	size_t length;       /* in the file; 0 before the first */
	const uint8_t *data; /* payload, of a jumbo without the size */
	uint32_t size;       /* of data */
	uint32_t key;        /* the three letters, and OBS_KEY_JUMBO */
	int64_t time;        /* ns, corrected, never less than the last */

	/* The window. */
	const uint8_t *end; /* of what was read */
	uint8_t *buf;       /* owned */
	size_t cap;
	int64_t offset;     /* of buf in the file */
	int64_t size_bytes; /* of the file, when it was opened */
	int fd;             /* -1: opened for each read */
	bool keep_open;

	const char *file; /* borrowed */
	int64_t clock_offset;
	bool finished;             /* its writer ended it in an orderly way */
	struct findings *findings; /* borrowed */
};

#define OBS_KEY_JUMBO (1u << 24)

/* The three letters of a key; bytes that are no text become "\\x07". */
const char *obs_key_name(uint32_t key, char to[16]);

/*
 * Opens the file and reads its header. window: bytes to read at a time.
 * keep_open: hold the descriptor between reads. False with a finding if this
 * is no stream.
 */
bool obs_stream_open(struct obs_stream *s, const char *file,
	struct findings *fs, size_t window, bool keep_open);

/* Moves to the next event. False at the end, with a finding if it is torn. */
bool obs_stream_next(struct obs_stream *s);

/* Where the current event begins in the file. */
static inline int64_t
obs_stream_offset(const struct obs_stream *s)
{
	return s->offset + (s->at - s->buf);
}

/* Frees window and descriptor; fine to call twice. */
void obs_stream_close(struct obs_stream *s);

#endif
