/* SPDX-License-Identifier: MIT */
/*
 * ring.h - the events of a thread that are in its ring and not in its stream.
 *
 * The recorder keeps what is newest in a file of its own (rt/ringfile.h), which
 * survives the process. Bytes of the ring go on where stream.obs ends, so a
 * reader sees one stream. If the process still runs, that is a snapshot: what
 * the recorder moves to stream.obs meanwhile is read from there.
 *
 *	struct ringfile page;
 *	if (obs_ring_open(&ring, &where, &page, why))
 *		n = obs_ring_read(&ring, to, room, offset);
 *
 * No byte of a ring is trusted.
 */
#ifndef WEFT_TRACE_OBS_RING_H
#define WEFT_TRACE_OBS_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rt/ringfile.h"

#define OBS_RING_WHY 160

/* What stream.json says. */
struct obs_ring_place {
	const char *file;   /* of the ring */
	const char *stream; /* stream.obs */
	uint64_t id;
};

struct obs_ring {
	const char *file; /* borrowed */
	uint64_t id, size;
	uint64_t shift;       /* byte b of the stream is position b - 8 + it */
	uint64_t overwritten; /* bytes between the file and the ring's oldest */
	int64_t begin, end;   /* bytes of the stream that the ring holds */
	bool live;            /* a process still writes to it */
};

/*
 * Looks at a ring: fills it in, and the page with its first bytes. False with
 * a sentence if it is not there, somebody else's, or damaged.
 */
bool obs_ring_open(struct obs_ring *r, const struct obs_ring_place *place,
	struct ringfile *page, char why[OBS_RING_WHY]);

/* Does a process use the ring? Also true of one that we may not look at. */
bool obs_ring_is_used(const char *file);

/*
 * Up to n bytes of the stream from the offset on, which is in begin..end. -1
 * if they are no longer there: the recorder has written them to stream.obs.
 */
int64_t obs_ring_read(
	const struct obs_ring *r, void *to, size_t n, int64_t offset);

#endif
