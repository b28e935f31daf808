/* SPDX-License-Identifier: MIT */
/*
 * pool.h - streams that are ready to start: memory for the stream of any part,
 * and the ring with its pages touched.
 *
 * Making them takes longer than everything else in a thread's first event, so
 * the writer thread keeps some in advance, and a thread that ends gives its
 * stream back.
 */
#ifndef WEFT_INPROC_CORE_POOL_H
#define WEFT_INPROC_CORE_POOL_H

struct stream;

/* Returns a stream for a thread, zeroed except for its ring; the ring has no
 * file if there was no memory for one. beside: the directory for the ring if
 * there is no tmpfs. Returns NULL if there is no memory at all. Call under the
 * process's lock. */
struct stream *weft_rt_pool_take(const char *beside);

/* Takes back the stream of a thread that ended. Call under the process's
 * lock. */
void weft_rt_pool_give(struct stream *s);

/* Makes a stream without a ring that is in no list; NULL: no memory.
 * weft_rt_pool_free() frees it. Call both without the lock. */
struct stream *weft_rt_pool_bare(void);
void weft_rt_pool_free(struct stream *s);

/* Makes missing streams, as long as tmpfs has room. Call without the lock. */
void weft_rt_pool_refill(void);

/* Drops all spare streams. Call under the process's lock. */
void weft_rt_pool_drop(void);

#endif
