/* SPDX-License-Identifier: MIT */
/*
 * report_fill.h - a report while its data is put together: what goes in, in
 * which order, until it is full.
 */
#ifndef WEFT_SERVE_REPORT_FILL_H
#define WEFT_SERVE_REPORT_FILL_H

#include "base/arena.h"
#include "serve/pack.h"
#include "serve/plan.h"
#include "serve/report_options.h"
#include "serve/scrub.h"

#define REPORT_SPARE 4096 /* packed bytes kept for the summary */

/* Pieces that had no room. */
enum left {
	LEFT_LABELS,
	LEFT_FINDINGS,
	LEFT_STATS,
	LEFT_DURATIONS,
	LEFT_TABLES,
	LEFT_TIMELINES,
	LEFT_RANGES,
	LEFT_WIDER,
	LEFT_FINER,
	LEFT_KINDS,
};

struct report {
	const struct report_options *options;
	struct arena *arena;
	struct arena each; /* of one answer */
	struct pack *pack;
	struct scrub scrub;
	struct plan *plan; /* of each trace */
	struct report_held *held;
	int left[LEFT_KINDS];
	struct err err;
};

/* Puts all in its order. False with r->err: not even the names have room. */
bool report_fill(struct report *r);

/* Says what had no room: "2 timelines", or "". */
const char *report_left(struct report *r);

/* Puts what the file holds, for the page. */
void report_summarise(struct report *r, const char *left);

#endif
