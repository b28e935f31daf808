/* SPDX-License-Identifier: MIT */
/*
 * queue.h - a sink in front of another sink, which it runs on a second thread:
 * one thread makes records while the other writes them.
 *
 *	struct sink *s = queue_open(&arena, sinks_open(&other, ...));
 *	... (a producer writes into it)
 *	ok = sink_close(s, &err);
 *
 * States, links and advances are passed in batches, in their order; when all
 * batches are full the producer waits, so memory is bounded. All rare calls
 * (rows, types, labels, panels, losses, close) wait until the second thread is
 * idle, and then run on the producer's thread. So the next sink gets one call
 * at a time and needs no locks. The thread starts when the first batch is full:
 * a short trace needs none, and if no thread can be started, the producer
 * writes everything itself.
 */
#ifndef WEFT_EXPORT_QUEUE_H
#define WEFT_EXPORT_QUEUE_H

#include "export/sink.h"

/*
 * Opens a queue in front of `next`, and closes `next` when it is closed. Until
 * then, the producer must not use the arena of `next`.
 */
struct sink *queue_open(struct arena *a, struct sink *next);

#endif
