/* SPDX-License-Identifier: MIT */
/*
 * places.h - what the reader of ovni streams does with a seek file.
 *
 * When a trace is opened, its streams are held against the file: which are
 * known? Of the others places are noted while they are read, and if all were
 * read to their ends, the file is written anew. Streams that are short, have a
 * ring or were changed just now have no places; nor has a small trace.
 */
#ifndef WEFT_TRACE_OBS_PLACES_H
#define WEFT_TRACE_OBS_PLACES_H

#include <stdbool.h>
#include <stdint.h>

struct obs_places;
struct obs_stream;
struct trace;

#define OBS_PLACES_MIN (4u << 20) /* bytes of a trace that is worth it */

/* For streams that were opened and have read their first event. folder: of
 * outputs, borrowed. */
struct obs_places *obs_places_open(
	struct trace *t, struct obs_stream *streams, const char *folder);

/* Moves every stream on to the last known place before the time, and says what
 * is wrong with the clocks up to there. */
void obs_places_seek(struct obs_places *p, int64_t time);

/* The trace is no longer read. Before the streams are closed. */
void obs_places_close(struct obs_places *p);

/* Bytes that were read for it. */
uint64_t obs_places_bytes(const struct obs_places *p);

#endif
