/* SPDX-License-Identifier: MIT */
/*
 * pool.h - streams that are ready to start: pages for all of what has one, and
 * the ring, touched.
 *
 * Making them takes longer than all else that a thread's first event does, so
 * the writer thread keeps some, and a thread that ends leaves its own.
 */
#ifndef WEFT_INPROC_CORE_POOL_H
#define WEFT_INPROC_CORE_POOL_H

struct stream;

/* A stream of a thread, zeroed but for its ring, which has no file if there was
 * no memory for one; beside: where it lies if there is no tmpfs. NULL: no
 * memory at all. Under the process's lock. */
struct stream *weft_rt_pool_take(const char *beside);

/* It ended. Under the process's lock. */
void weft_rt_pool_give(struct stream *s);

/* One without a ring, which is nobody's; NULL: no memory. And its end. Under no
 * lock. */
struct stream *weft_rt_pool_bare(void);
void weft_rt_pool_free(struct stream *s);

/* Makes what is missing, as long as there is tmpfs for it. Under no lock. */
void weft_rt_pool_refill(void);

/* Under the process's lock. */
void weft_rt_pool_drop(void);

#endif
