/* SPDX-License-Identifier: MIT */
/*
 * ring.h - the events of a stream that are in its ring and not in its file.
 *
 * The recorder keeps what is newest in a file of its own, which survives the
 * process (inproc/core/ringfile.h). Bytes of the ring go on where the stream's
 * file ends, so a reader sees one stream. If the process still runs, that is a
 * snapshot: what the recorder moves to the file meanwhile is read from there.
 *
 *	struct ringfile page;
 *	if (ring_open(&ring, file, id, &page, why) &&
 *		ring_fit(&ring, &page, bytes_of_the_file, position, why))
 *		n = ring_read(&ring, to, room, offset);
 *
 * No byte of a ring is trusted.
 */
#ifndef WEFT_TRACE_RING_H
#define WEFT_TRACE_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "inproc/core/ringfile.h"

#define RING_WHY 160

struct ring {
	const char *file; /* borrowed */
	uint64_t id, size;
	uint64_t shift;       /* byte b of the stream is position b + it, which
	                       * may wrap */
	uint64_t overwritten; /* bytes between the file and the ring's oldest */
	int64_t begin, end;   /* bytes of the stream that the ring holds */
	bool live;            /* a process still writes to it */
};

/*
 * Looks at a ring with that id: fills the page with its first bytes. False with
 * a sentence if it is not there, somebody else's, or damaged.
 */
bool ring_open(struct ring *r, const char *file, uint64_t id,
	struct ringfile *page, char why[RING_WHY]);

/*
 * Says where the stream's file ends: after so many bytes, which is at that
 * position if all is counted that was written. To be found out after
 * ring_open(): then the file may only have more than the ring says. False with
 * a sentence if the two don't fit together.
 */
bool ring_fit(struct ring *r, const struct ringfile *page, int64_t bytes,
	uint64_t position, char why[RING_WHY]);

/* Returns whether a process uses the ring, in whatever container of this
 * kernel. Also true of one that we may not look at. */
bool ring_is_used(const char *file);

/*
 * Up to n bytes of the stream from the offset on, which is in begin..end. -1
 * if they are no longer there: the recorder has written them to stream.obs.
 */
int64_t ring_read(const struct ring *r, void *to, size_t n, int64_t offset);

#endif
