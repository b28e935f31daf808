/* SPDX-License-Identifier: MIT */
/*
 * seek.h - where in a stream's file a time begins: the seek file of a trace.
 *
 * For each stream it has places, one about every SEEK_STEP bytes: an event
 * begins at this byte, and the latest event before it is of this time. Who
 * wants what happens from a time on begins at the last place before it:
 *
 *	const struct seek_stream *s = seek_find(&file, "loom.a/.../thread.7");
 *	if (s != NULL && seek_is_same(&s->is, &now))
 *		begin_at(s->place.at[seek_place(s, time)].offset);
 *
 * The file lies in TRACE.weft and is no part of the trace. It is written by
 * whoever reads a trace to its end, under a temporary name first, and nobody
 * misses it: a file that is cut, of another machine's byte order or not what it
 * says counts as none. A stream is the one that was read if its size, its times
 * of change in ns, its inode and a sum over its first and last 4 KiB are the
 * same. docs/dev/seek-format.md has the bytes.
 */
#ifndef WEFT_TRACE_SEEK_H
#define WEFT_TRACE_SEEK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

struct arena;

#define SEEK_FILE "events.wsk"
#define SEEK_STEP (64 << 10)  /* bytes of a stream between two places */
#define SEEK_ENDS (4 << 10)   /* bytes of its begin and end in the sum */
#define SEEK_FAULTS_MAX 65536 /* of a stream: behind them it has no places */

/* What tells whether a stream's file is still the same. */
struct seek_identity {
	int64_t size;
	int64_t changed; /* ns since 1970: as touch(1) likes it */
	int64_t written; /* ... and as the file system saw it */
	uint64_t inode;
	uint64_t ends; /* sum over its first and last SEEK_ENDS bytes */
};

struct seek_place {
	int64_t offset; /* of the first byte of an event */
	int64_t time;   /* ns: of the latest event before it, with the clock
	                 * offset of the stream */
};

/*
 * An event whose clock was not taken: who begins behind it says so, too. Or n
 * bytes that are no event: then time is SEEK_SKIPPED + n, and last that of the
 * event before.
 */
struct seek_fault {
	int64_t offset;
	int64_t last, time; /* ns: the time it got, and its own */
};

#define SEEK_SKIPPED INT64_MIN
#define SEEK_SKIPPED_TOP (INT64_MIN / 2) /* smaller times are none */

struct seek_stream {
	const char *name; /* as in the trace's table */
	struct seek_identity is;
	int64_t clock_offset; /* ns: in all times below */
	int64_t first;        /* time of its first event */
	VEC(struct seek_place) place;
	VEC(struct seek_fault)
	fault; /* before the last place, and maybe
	        * behind it */
};

struct seek_file {
	VEC(struct seek_stream) streams; /* by name, in byte order */
};

/* Looks at a file. False if it cannot be read. Counts the bytes that it
 * read. */
bool seek_identify(const char *file, struct seek_identity *to, uint64_t *bytes);
bool seek_is_same(const struct seek_identity *a, const struct seek_identity *b);

/* True if the file was last changed so lately that a change in the same tick
 * of its clock would not show. */
bool seek_is_fresh(const struct seek_identity *is);

/* Reads the seek file of a folder of outputs. Whatever is wrong with it: it
 * has no streams. Counts the bytes that it read. */
void seek_read(struct seek_file *to, struct arena *a, const char *folder,
	uint64_t *bytes);

/*
 * Writes the seek file; the folder is made if it is not there. What cannot be
 * written is left as it was, and no word is lost about it.
 */
void seek_write(
	const struct seek_file *from, struct arena *a, const char *folder);

/* Removes a file that was not what it said. */
void seek_remove(struct arena *a, const char *folder);

/* The stream of that name, or NULL. */
const struct seek_stream *seek_find(
	const struct seek_file *file, const char *name);

/* Index of the last place before which all events are earlier than the time
 * (of this stream: with its clock offset), or -1. */
int seek_place(const struct seek_stream *s, int64_t time);

#endif
