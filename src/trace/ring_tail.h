/* SPDX-License-Identifier: MIT */
/*
 * ring_tail.h - the events of a stream that are in its ring buffer but not yet
 * in its file.
 *
 * The recorder keeps the newest events in a ring file, which survives the
 * process (inproc/core/ringfile.h). The bytes of the ring continue the stream's
 * file, so a reader sees one stream. If the process still runs, the ring is a
 * snapshot: bytes that the recorder moves to the file meanwhile are read there.
 *
 *	struct ringfile page;
 *	if (ring_open(&ring, file, id, &page, why) &&
 *		ring_fit(&ring, &page, bytes_of_the_file, position, why))
 *		n = ring_read(&ring, to, room, offset);
 *
 * All bytes of a ring are checked before use.
 */
#ifndef WEFT_TRACE_RING_TAIL_H
#define WEFT_TRACE_RING_TAIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "inproc/core/ringfile.h"

#define RING_WHY 160

struct ring_tail {
	const char *file; /* borrowed */
	uint64_t id, size;
	uint64_t shift;       /* byte b of the stream is at position b +
	                       * shift, which may wrap */
	uint64_t overwritten; /* bytes between the end of the file and the
	                       * oldest byte of the ring */
	int64_t begin, end;   /* bytes of the stream that the ring holds */
	bool live;            /* a process still writes to it */
};

/*
 * Opens the ring with that id and fills the page with its first bytes. Returns
 * false with a reason if the file is missing, belongs to another stream, or is
 * damaged.
 */
bool ring_open(struct ring_tail *r, const char *file, uint64_t id,
	struct ringfile *page, char why[RING_WHY]);

/*
 * Tells the ring where the stream's file ends: after `bytes` bytes, at
 * `position` of all bytes ever written. Determine both after ring_open(): then
 * the file can only have more than the ring says. Returns false with a reason
 * if ring and file do not match.
 */
bool ring_fit(struct ring_tail *r, const struct ringfile *page, int64_t bytes,
	uint64_t position, char why[RING_WHY]);

/* Returns true if a process uses the ring, in any container of this kernel.
 * Also returns true for a ring that we may not access. */
bool ring_is_used(const char *file);

/*
 * Reads up to n bytes of the stream from an offset in begin..end. Returns -1 if
 * they have left the ring: the recorder has written them to stream.obs.
 */
int64_t ring_read(
	const struct ring_tail *r, void *to, size_t n, int64_t offset);

#endif
