/* SPDX-License-Identifier: MIT */
/*
 * order.h - puts records in time order, for producers that write in the past.
 *
 * Punctual events, lock waits and flushes known only at their end, drained
 * samples: their records lie before others that were already written. This
 * sink stands between such a producer and a sink, keeps records in a window
 * of memory, and passes them on in order. What does not fit in the window goes
 * to a spill file as sorted runs, which are merged at the end: nothing is
 * lost or late, however far back a record lies.
 *
 * The order is (time, states before links, row, type, arrival), links by their
 * begin; so equal times come out the same way whatever order the calls came
 * in. Here advance(t) is a promise: no later call carries a time before t.
 * Everything before t may go out. A producer that cannot promise calls it once,
 * at the end. A record that breaks the promise is moved to the promised time
 * and counted as a loss.
 *
 * A producer that never writes in the past does without and pays nothing.
 */
#ifndef WEFT_EXPORT_ORDER_H
#define WEFT_EXPORT_ORDER_H

#include <stddef.h>

#include "export/sink.h"

#define ORDER_WINDOW_BYTES (64u << 20)

/*
 * Opens an ordering sink in front of `next`, which it closes when it is
 * closed. window_bytes: memory for records (at least 4096; the default is
 * ORDER_WINDOW_BYTES). spill_dir: folder of the nameless spill file, made when
 * it is first needed.
 */
struct sink *order_open(struct arena *a, struct sink *next, size_t window_bytes,
	const char *spill_dir, struct err *err);

/*
 * The end of the records: passes on all that is left and frees the sink, but
 * leaves `next` open, which the caller closes. Instead of sink_close().
 */
bool order_finish(struct sink *s, struct err *err);

#endif
