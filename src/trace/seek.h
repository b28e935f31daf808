/* SPDX-License-Identifier: MIT */
/*
 * seek.h - the seek file of a trace, which tells at which byte offset of a
 * stream's file a time begins.
 *
 * For each stream the seek file lists byte offsets, about one every SEEK_STEP
 * bytes, each with the time of the latest event before it. To read from some
 * time on, a reader begins at the last offset listed before that time:
 *
 *	const struct seek_stream *s = seek_find(&file, "loom.a/.../thread.7");
 *	if (s != NULL && seek_is_same(&s->is, &now))
 *		begin_at(s->place.at[seek_offset(s, time)].offset);
 *
 * The file is in TRACE.weft and not part of the trace. Any command that reads a
 * trace to its end writes it, under a temporary name first. It is optional: a
 * file that is cut off, of another byte order or inconsistent is ignored. A
 * stream's entry is valid if the size, the times of change in ns, the inode and
 * a sum over the first and last 4 KiB of the stream's file are the same.
 * docs/dev/seek-format.md describes the bytes.
 */
#ifndef WEFT_TRACE_SEEK_H
#define WEFT_TRACE_SEEK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

struct arena;

#define SEEK_FILE "events.wsk"
/* Bytes of a stream between two listed offsets. */
#define SEEK_STEP (64 << 10)
/* Bytes at the beginning and at the end of a stream that are in the sum. */
#define SEEK_ENDS (4 << 10)
/* Limit of the faults per stream; no byte offsets are listed after that many
 * faults. */
#define SEEK_FAULTS_MAX 65536

/* The properties that show whether a stream's file is still the same. */
struct seek_identity {
	int64_t size;
	int64_t changed; /* st_mtim, ns since 1970, which touch(1) can set */
	int64_t written; /* st_ctim, ns since 1970, set by the file system */
	uint64_t inode;
	uint64_t ends; /* sum over its first and last SEEK_ENDS bytes */
};

struct seek_offset {
	int64_t offset; /* offset of the first byte of an event */
	int64_t time;   /* time of the latest event before it in ns, with the
	                 * stream's clock offset */
};

/*
 * A fault, which readers that begin after it must report, too: the event's
 * clock was replaced, or n bytes are not an event. In the latter case `time` is
 * SEEK_SKIPPED + n, and `last` is the time of the event before these bytes.
 */
struct seek_fault {
	int64_t offset;
	int64_t last, time; /* ns: the time that the event got, and its original
	                     * time */
};

#define SEEK_SKIPPED INT64_MIN
#define SEEK_SKIPPED_TOP (INT64_MIN / 2) /* smaller values are not times */

struct seek_stream {
	const char *name; /* as in the trace's table */
	struct seek_identity is;
	int64_t clock_offset; /* ns: included in all times below */
	int64_t first;        /* time of its first event */
	VEC(struct seek_offset) place;
	VEC(struct seek_fault)
	fault; /* faults before the last offset listed, and possibly after it */
};

struct seek_file {
	VEC(struct seek_stream) streams; /* by name, in byte order */
};

/* Reads the identity of a file. Returns false if the file cannot be read. */
bool seek_identify(const char *file, struct seek_identity *to);
bool seek_is_same(const struct seek_identity *a, const struct seek_identity *b);

/* Returns true if the file was changed so recently that a further change within
 * the same tick of the file system's clock would leave the same time. */
bool seek_is_fresh(const struct seek_identity *is);

/* Reads the seek file of a directory of outputs. If anything is wrong with it,
 * sets no streams. */
void seek_read(struct seek_file *to, struct arena *a, const char *folder);

/*
 * Writes the seek file; creates the directory if necessary. If that fails, the
 * old file stays, without any message.
 */
void seek_write(
	const struct seek_file *from, struct arena *a, const char *folder);

/* Removes a seek file that turned out to be wrong. */
void seek_remove(struct arena *a, const char *folder);

/* Returns the stream of that name, or NULL. */
const struct seek_stream *seek_find(
	const struct seek_file *file, const char *name);

/* Returns the index of the last listed offset before which all events are
 * earlier than `time` (which includes the entry's clock offset), or -1. */
int seek_offset(const struct seek_stream *s, int64_t time);

#endif
