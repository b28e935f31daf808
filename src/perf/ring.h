/* SPDX-License-Identifier: MIT */
/*
 * ring.h - the ring of a perf event, read record by record.
 */
#ifndef WEFT_PERF_RING_H
#define WEFT_PERF_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct perf_event_header;

struct weft_perf_ring {
	void *map; /* a page for the positions, then the ring */
	size_t bytes;
	uint64_t until; /* position */
};

/* Maps the ring of the event, of that size, a power of two, or smaller ones
 * down to least if the memory may not be locked. False with errno. */
bool weft_perf_ring_map(
	struct weft_perf_ring *r, int fd, size_t bytes, size_t least);

/* What is there now is read next, and no more: reading it may make records. */
void weft_perf_ring_look(struct weft_perf_ring *r);

/* Moves the next record out, or as much of it as there is room for; its whole
 * size, 0: there is none. */
size_t weft_perf_ring_next(
	struct weft_perf_ring *r, struct perf_event_header *to, size_t room);

/* Copies bytes of the ring, which may lie around its end. */
void weft_perf_ring_copy(
	const struct weft_perf_ring *r, uint64_t from, void *to, size_t n);

/* Where n bytes lie in one piece, or NULL: around the end. */
const unsigned char *weft_perf_ring_at(
	const struct weft_perf_ring *r, uint64_t from, size_t n);

void weft_perf_ring_unmap(struct weft_perf_ring *r);

#endif
