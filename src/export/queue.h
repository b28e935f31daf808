/* SPDX-License-Identifier: MIT */
/*
 * queue.h - a sink in front of another one that works on a thread of its own:
 * while one thread makes records, the other one writes them.
 *
 *	struct sink *s = queue_open(&arena, sinks_open(&other, ...));
 *	...                                   (a producer writes into it)
 *	ok = sink_close(s, &err);
 *
 * States, links and advances go over in batches, in their order; when all
 * batches are full the producer waits, so memory is bounded. All that is rare
 * (rows, types, labels, panels, losses, close) waits until the other thread has
 * nothing left to do, and is called on the thread of the producer: so the sink
 * behind sees one call at a time, and needs no locks. The thread begins when
 * the first batch is full: a short run has none, and where none can begin all
 * is written by the producer.
 */
#ifndef WEFT_EXPORT_QUEUE_H
#define WEFT_EXPORT_QUEUE_H

#include "export/sink.h"

/*
 * Opens a queue in front of `next`, which it closes when it is closed. The
 * arena of `next` must not be used by the producer before that.
 */
struct sink *queue_open(struct arena *a, struct sink *next);

#endif
