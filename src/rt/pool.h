/* SPDX-License-Identifier: MIT */
/*
 * pool.h - threads that are ready to start: their pages and ring, touched.
 *
 * Making them takes longer than all else that a thread's first event does, so
 * the writer thread keeps some, and a thread that ends leaves its own.
 */
#ifndef WEFT_RT_POOL_H
#define WEFT_RT_POOL_H

struct thread;

/* A thread, zeroed but for its ring, which has no file if there was no memory
 * for one. NULL: no memory at all. Under the process's lock. */
struct thread *weft_rt_pool_take(void);

/* The thread ended. Under the process's lock. */
void weft_rt_pool_give(struct thread *th);

/* Makes what is missing, as long as there is tmpfs for it. Under no lock. */
void weft_rt_pool_refill(void);

/* Under the process's lock. */
void weft_rt_pool_drop(void);

#endif
