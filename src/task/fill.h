/* SPDX-License-Identifier: MIT */
/*
 * fill.h - a thread that brings what a journal has into a store.
 *
 *	struct fill *f = fill_start(journal, store, run);
 *	...                              (the simulation goes on)
 *	ok = fill_close(f, &report, &err);
 *
 * So batches, texts, indexes and a database that is away cost the simulation
 * nothing. The store is the thread's from start to close.
 */
#ifndef WEFT_TASK_FILL_H
#define WEFT_TASK_FILL_H

#include "store/store.h"
#include "task/journal.h"

struct fill;

/* NULL: no thread could be made, the store is as it was. */
struct fill *fill_start(struct journal *j, struct store *s, uint64_t run);

/* Waits until all that the journal has is in the store; tasks that are open are
 * stored as open. The store is closed, as store_close(). */
bool fill_close(struct fill *f, struct store_report *report, struct err *err);

#endif
