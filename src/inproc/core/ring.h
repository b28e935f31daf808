/* SPDX-License-Identifier: MIT */
/*
 * ring.h - the memory of a ring: allocated, prefaulted, mapped twice in a row.
 *
 * The ring lies on tmpfs if there is room (WEFT_RING_DIR, default /dev/shm),
 * else beside the stream, else in anonymous memory, which does not survive the
 * process. Because of the two mappings a record that wraps is contiguous.
 *
 * A lean ring (config.h) on tmpfs begins with little memory and gets more when
 * its thread records more. If the tmpfs is full by then, the rest is anonymous,
 * and nothing in the ring survives the process.
 */
#ifndef WEFT_INPROC_CORE_RING_H
#define WEFT_INPROC_CORE_RING_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "inproc/core/ringfile.h"
#include "weft/trace.h"

/* Bytes at the full end of the ring that only handlers use: handlers that
 * interrupt an event between its check of the limit and its reservation, or
 * that interrupt the making of room. */
#define RING_SLACK 8192

/* The owner of a ring sets its limit; the exit sets the limit to 0 to close the
 * ring, and the owner then asks for room at its next event. */
static inline void
weft_rt_ring_allow(struct weft_ring *r, uint64_t limit)
{
	__atomic_store_n(&r->limit, limit, __ATOMIC_RELAXED);
}

static inline void
weft_rt_ring_close(struct weft_ring *r)
{
	weft_rt_ring_allow(r, 0);
}

static inline uint64_t
weft_rt_ring_limit(const struct weft_ring *r)
{
	return __atomic_load_n(&r->limit, __ATOMIC_RELAXED);
}

enum ring_kind { RING_TMPFS, RING_BESIDE, RING_ANONYMOUS };

struct ring_mem {
	struct ringfile *file; /* NULL: none */
	unsigned char *data;
	enum ring_kind kind;
	int error;           /* errno that says why the ring is not on tmpfs */
	uint64_t backed;     /* the first bytes of the ring, which have memory;
	                      * atomic */
	char path[PATH_MAX]; /* empty: no file */
};

/* Makes a ring of size bytes. beside: the fallback directory; NULL: tmpfs or
 * nothing. Returns false without memory. Safe in handlers. */
bool weft_rt_ring_make(struct ring_mem *m, uint64_t size, const char *beside);

/* Gives the ring memory for positions from res to end, and for the slack behind
 * them. Lowers *limit to what has memory. Returns false if there is none.
 * Called by the owner; safe in handlers, keeps errno. */
bool weft_rt_ring_back(
	struct ring_mem *m, uint64_t res, uint64_t end, uint64_t *limit);

/* Returns true if `n` bytes from the position on have memory. */
static inline bool
weft_rt_ring_is_backed(const struct ring_mem *m, uint64_t position, uint64_t n)
{
	uint64_t backed = __atomic_load_n(&m->backed, __ATOMIC_RELAXED);

	return backed == m->file->size ||
		(position & (m->file->size - 1)) + n <= backed;
}

/* Gives the ring a new owner: new id, positions from start on, no losses. */
void weft_rt_ring_reset(struct ring_mem *m, int pid, int tid, uint64_t start);

void weft_rt_ring_drop(struct ring_mem *m);

/* Returns the directory in which rings are made if there is room. */
const char *weft_rt_ring_folder(void);

const char *weft_rt_ring_kind(enum ring_kind kind);

#endif
