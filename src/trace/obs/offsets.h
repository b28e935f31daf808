/* SPDX-License-Identifier: MIT */
/*
 * offsets.h - how the reader of ovni streams uses a seek file.
 *
 * When a trace is opened, each stream is compared with its entry in the seek
 * file. For streams without a valid entry, byte offsets and times are collected
 * while they are read; when all streams were read to their ends, the file is
 * written anew. Streams that are short, have a ring or were changed just now
 * get no entry. A small trace gets no seek file.
 */
#ifndef WEFT_TRACE_OBS_OFFSETS_H
#define WEFT_TRACE_OBS_OFFSETS_H

#include <stdbool.h>
#include <stdint.h>

struct obs_offsets;
struct obs_stream;
struct trace;

#define OBS_OFFSETS_MIN (4u << 20) /* smaller traces get no seek file */

/* Opens the seek file. The streams must be open and have read their first
 * event. folder: the directory of outputs, borrowed. */
struct obs_offsets *obs_offsets_open(
	struct trace *t, struct obs_stream *streams, const char *folder);

/* Moves every stream to its last known offset before the time, and reports the
 * clock faults up to there. */
void obs_offsets_seek(struct obs_offsets *p, int64_t time);

/* Writes the seek file if everything was read. Call it before the streams are
 * closed. */
void obs_offsets_close(struct obs_offsets *p);

#endif
