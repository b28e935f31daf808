/* SPDX-License-Identifier: MIT */
/*
 * drain.h - from the ring to the file.
 *
 * One thread at a time drains a ring: the writer, its own thread when the ring
 * is full and the writer is missing or late, or who ends it. A byte of the ring
 * has its place in the file, so that writing it twice does no harm.
 */
#ifndef WEFT_INPROC_CORE_DRAIN_H
#define WEFT_INPROC_CORE_DRAIN_H

#include <stdbool.h>
#include <stdint.h>

struct stream;

/* Takes the ring for draining. False: somebody has it; is_me says whether it is
 * the calling thread, interrupted by a handler. */
bool weft_rt_drain_take(struct stream *s, bool *is_me);
void weft_rt_drain_give(struct stream *s);

/* Takes it for good: nobody drains it again. */
bool weft_rt_drain_claim(struct stream *s, bool *is_me);

/* Waits until who drains the ring gives it back. */
void weft_rt_drain_wait(struct stream *s);

/* Writes all that is whole and new, or leaves it to the writer if only that has
 * descriptors. The ring is taken. False: the file can't be written now. */
bool weft_rt_drain(struct stream *s);

/* Writes what stands before records, and none. The ring is taken. False with
 * errno. */
bool weft_rt_drain_head(struct stream *s);

/* Writes an event of two parts behind the tail, past the empty ring, and moves
 * the tail on. The ring is taken. */
bool weft_rt_drain_direct(struct stream *s, const void *head, uint64_t nhead,
	const void *data, uint64_t n);

/* After the last drain: cuts a record off that went out in part. */
void weft_rt_drain_trim(struct stream *s);

#endif
