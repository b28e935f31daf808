/* SPDX-License-Identifier: MIT */
/* breakdown_order.h - numbers that are kept sorted, for breakdown.h. */
#ifndef WEFT_EMU_BREAKDOWN_ORDER_H
#define WEFT_EMU_BREAKDOWN_ORDER_H

#include <stdbool.h>
#include <stdint.h>

struct arena;

/* Positions with the same value, up to the next run's first. */
struct breakdown_run {
	int64_t value;
	int first;
};

/* A position that changed, and its value before. */
struct breakdown_change {
	int at;
	int64_t before;
};

/* Numbers in ascending order, and the positions that have changed. */
struct breakdown_order {
	int64_t *value;
	struct breakdown_run *run;        /* ascending, with an end marker */
	struct breakdown_change *changed; /* one entry per position */
	bool *is_changed;
	int n, nruns, nchanged;
	bool begun; /* all positions were passed once */
};

/* Initialises n zeros. */
void breakdown_order_init(struct breakdown_order *o, struct arena *a, int n);

/*
 * Replaces a value, which must exist, by another, in log n steps plus one per
 * run whose border moves. Appends positions to `changed`; empty it with
 * breakdown_order_seen() after reading.
 */
void breakdown_order_replace(
	struct breakdown_order *o, int64_t from, int64_t to);

void breakdown_order_seen(struct breakdown_order *o);

/* Calls fn for the positions that have changed, and forgets that they have: in
 * ascending order if only one value was replaced. The first time calls it for
 * all positions. Does nothing if none has changed. */
void breakdown_order_pass(struct breakdown_order *o,
	void (*fn)(void *arg, int at, int64_t value), void *arg);

#endif
