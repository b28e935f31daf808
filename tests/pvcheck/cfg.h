/* SPDX-License-Identifier: MIT */
/*
 * cfg.h - one .cfg file while it is checked: its windows, then histograms.
 */
#ifndef WEFT_TEST_PVCHECK_CFG_H
#define WEFT_TEST_PVCHECK_CFG_H

#include "names.h"
#include "pvcheck.h"

struct cfg_window {
	bool composed, has_operation, has_parents;
	int line, left, right; /* parents: from 1 */
	const char *level;
	VEC(int64_t) type;       /* of the filter */
	VEC(const char *) title; /* evt_type_label */
};

struct cfg_histogram {
	int line, control, data, control3d; /* windows from 1; 0: none */
	bool has_statistic, has_limits;
};

struct cfg {
	struct check *c;
	const struct timeline *t;
	VEC(struct cfg_window) window;
	bool named; /* a window_name waits for its window_type */
	struct cfg_histogram *histogram; /* the current one, or NULL */
	int nhistograms;
};

/* The windows' lists: "{ 2, { {thread, Last Evt Val}, {evt_type, =} } }". */
void cfg_functions(struct cfg *g, const char *value, bool compose);

/* "thread In Evt Val { 1, { 2 1 2 } }" */
void cfg_module(struct cfg *g, const char *value);

/* "evt_type 2 10 11" */
void cfg_filter(struct cfg *g, const char *value);

/* "appl { 1, { All } }" */
void cfg_object(struct cfg *g, const char *value);

/* "{1:255,0,0},{2:0,0,255}" */
void cfg_palette(struct cfg *g, const char *value);

/* A line behind "< NEW ANALYZER2D >"; and the end of that histogram. */
void cfg_histogram_line(struct cfg *g, const char *line);
void cfg_histogram_end(struct cfg *g);

/* Of the whole file: titles, records, labels that collide. */
void cfg_check_types(struct cfg *g);

#endif
