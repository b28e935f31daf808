/* SPDX-License-Identifier: MIT */
/*
 * drain.h - writes a ring to its file.
 *
 * One thread at a time drains a ring: the writer, the ring's own thread when
 * the ring is full and the writer is missing or late, or the thread that ends
 * the stream. Each byte of the ring has a fixed byte offset in the file, so
 * writing it twice does no harm.
 */
#ifndef WEFT_INPROC_CORE_DRAIN_H
#define WEFT_INPROC_CORE_DRAIN_H

#include <stdbool.h>
#include <stdint.h>

struct stream;

/* Takes the ring for draining. Returns false if a thread has it; is_me then
 * tells whether that is the calling thread, interrupted by a handler. */
bool weft_rt_drain_take(struct stream *s, bool *is_me);
void weft_rt_drain_give(struct stream *s);

/* Takes the ring for good: no thread drains it again. */
bool weft_rt_drain_claim(struct stream *s, bool *is_me);

/* Waits until the thread that drains the ring gives it back. */
void weft_rt_drain_wait(struct stream *s);

/* Writes all records that are complete and new, or leaves them to the writer if
 * only the writer has file descriptors. The caller has taken the ring. Returns
 * false if the file cannot be written now. */
bool weft_rt_drain(struct stream *s);

/* Writes the head of a packet without records. The caller has taken the ring.
 * Returns false with errno. */
bool weft_rt_drain_head(struct stream *s);

/* Writes an event of two parts after the tail, bypassing the empty ring, and
 * moves the tail on. The caller has taken the ring. Returns false with
 * errno. */
bool weft_rt_drain_direct(struct stream *s, const void *head, uint64_t nhead,
	const void *data, uint64_t n);

/* Does the same without moving the tail on: the next write, or
 * weft_rt_drain_trim(), removes the event from the file. */
bool weft_rt_drain_beyond(struct stream *s, const void *event, uint64_t n);

/* After the last drain: cuts off a record that was written in part. */
void weft_rt_drain_trim(struct stream *s);

#endif
