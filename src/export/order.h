/* SPDX-License-Identifier: MIT */
/*
 * order.h - puts records in time order, for producers that write in the past.
 *
 * Punctual events, lock waits and flushes whose duration is known only at their
 * end, and samples read late all yield records that are earlier than records
 * already written. This sink is put between such a producer and another sink,
 * keeps records in a window of memory, and passes them on in order. Records
 * that do not fit in the window go to a spill file as sorted spill runs, which
 * are merged at the end: no record is lost or late, however old it is.
 *
 * The order is (time, states before links, row, type, arrival), links by their
 * begin; so records of the same time come out in the same order whatever order
 * the calls had. Here advance(t) is a promise: no later call carries a time
 * before t, so all records before t may be passed on. A producer that cannot
 * promise calls it once, at the end. A record that breaks the promise is moved
 * to the promised time and counted as a loss.
 *
 * A producer that never writes in the past does not need this sink.
 */
#ifndef WEFT_EXPORT_ORDER_H
#define WEFT_EXPORT_ORDER_H

#include <stddef.h>

#include "export/sink.h"

#define ORDER_WINDOW_BYTES (64u << 20)

/*
 * Opens an ordering sink in front of `next`, and closes `next` when it is
 * closed. window_bytes: memory for records (at least 4096; the default is
 * ORDER_WINDOW_BYTES). spill_dir: directory of the unnamed spill file, which is
 * created when first needed.
 */
struct sink *order_open(struct arena *a, struct sink *next, size_t window_bytes,
	const char *spill_dir, struct err *err);

/*
 * Ends the records: passes on all that is left and frees the sink, but leaves
 * `next` open for the caller. Call it instead of sink_close().
 */
bool order_finish(struct sink *s, struct err *err);

#endif
