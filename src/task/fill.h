/* SPDX-License-Identifier: MIT */
/*
 * fill.h - a thread that copies a journal into a store.
 *
 *	struct fill *f = fill_start(journal, store, run);
 *	...                              (the simulation goes on)
 *	ok = fill_close(f, &report, &err);
 *
 * So the simulation waits neither for batches, texts and indexes nor for a
 * database that cannot be reached. From start to close the store belongs to the
 * thread.
 */
#ifndef WEFT_TASK_FILL_H
#define WEFT_TASK_FILL_H

#include "store/store.h"
#include "task/journal.h"

struct fill;

/* Starts the thread. Returns NULL if no thread could be made; the store is then
 * unchanged. */
struct fill *fill_start(struct journal *j, struct store *s, uint64_t run);

/* Waits until the whole journal is in the store, stores open tasks with their
 * `open` set, and closes the store. Returns the result of store_close(). */
bool fill_close(struct fill *f, struct store_report *report, struct err *err);

#endif
