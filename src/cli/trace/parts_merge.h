/* SPDX-License-Identifier: MIT */
/*
 * parts_merge.h - the records of several parts, in the order in which one
 * emulation of the whole trace writes them.
 */
#ifndef WEFT_CLI_TRACE_PARTS_MERGE_H
#define WEFT_CLI_TRACE_PARTS_MERGE_H

#include <stdbool.h>
#include <stdint.h>

struct arena;
struct err;
struct share;
struct sink;

struct parts_merge {
	struct share **share; /* of each part, complete */
	int n;
	int64_t from, to; /* only items from `from` on, before `to` */
	/* Some model writes in the past: the order is that of order.h, not that
	 * of the streams. */
	bool by_entry;
};

/* Passes the items to the sink. Sets err to the failure of a share, unless it
 * is set. */
void parts_merge(struct arena *a, const struct parts_merge *m, struct sink *to,
	struct err *err);

#endif
