/* SPDX-License-Identifier: MIT */
/*
 * perf_ring.h - reads the ring of a perf event record by record.
 */
#ifndef WEFT_PERF_PERF_RING_H
#define WEFT_PERF_PERF_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct perf_event_header;

struct weft_perf_ring {
	void *map; /* a page for the positions, then the ring */
	size_t bytes;
	uint64_t until; /* end of the records to read now */
};

/* Maps the ring of the event with `bytes` bytes, a power of two. If less memory
 * may be locked, halves the size, down to least. Returns false with errno. */
bool weft_perf_ring_map(
	struct weft_perf_ring *r, int fd, size_t bytes, size_t least);

/* Limits weft_perf_ring_next() to the present records: reading them may create
 * more. */
void weft_perf_ring_look(struct weft_perf_ring *r);

/* Removes the next record and copies at most `room` bytes of it. Returns its
 * full size; 0 if there is no record. */
size_t weft_perf_ring_next(
	struct weft_perf_ring *r, struct perf_event_header *to, size_t room);

/* Copies n bytes, which may wrap around the end of the ring. */
void weft_perf_ring_copy(
	const struct weft_perf_ring *r, uint64_t from, void *to, size_t n);

/* Returns the address of n bytes in one piece, or NULL if they wrap around the
 * end. */
const unsigned char *weft_perf_ring_at(
	const struct weft_perf_ring *r, uint64_t from, size_t n);

void weft_perf_ring_unmap(struct weft_perf_ring *r);

#endif
