/* SPDX-License-Identifier: MIT */
/*
 * report_fill.h - puts the data of a report together: chooses the pieces and
 * their order, until the report is full.
 */
#ifndef WEFT_SERVE_REPORT_FILL_H
#define WEFT_SERVE_REPORT_FILL_H

#include "base/arena.h"
#include "base/scrub.h"
#include "serve/lengths.h"
#include "serve/pack.h"
#include "serve/plan.h"
#include "serve/report_options.h"

#define REPORT_SPARE \
	4096 /* compressed bytes that are reserved for the \
	      * summary */

/* Counts of the pieces that had no room. */
enum left {
	LEFT_LABELS,
	LEFT_FINDINGS,
	LEFT_STATS,
	LEFT_DURATIONS,
	LEFT_TABLES,
	LEFT_TIMELINES,
	LEFT_EXACT,
	LEFT_RANGES,
	LEFT_WIDER,
	LEFT_FINER,
	LEFT_LONG, /* from here on: left out for lack of time */
	LEFT_LATE,
	LEFT_KINDS,
};

struct report {
	const struct report_options *options;
	struct arena *arena;
	struct arena each; /* memory of one answer */
	struct pack *pack;
	struct scrub scrub;
	struct plan *plan; /* plan of each trace */
	struct report_held *held;
	struct lengths_all lengths; /* intervals of the type whose durations are
	                             * being added */
	int64_t nlengths;           /* intervals that were read for durations */
	int64_t cost; /* cost of the columns in further widths so far */
	int left[LEFT_KINDS];
	struct err err;
};

/* Adds all pieces in order. Returns false with r->err if not even the names
 * have room. */
bool report_fill(struct report *r);

#endif
