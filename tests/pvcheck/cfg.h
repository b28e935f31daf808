/* SPDX-License-Identifier: MIT */
/*
 * cfg.h - the state of checking one .cfg file: first its windows, then its
 * histograms.
 */
#ifndef WEFT_TEST_PVCHECK_CFG_H
#define WEFT_TEST_PVCHECK_CFG_H

#include "names.h"
#include "pvcheck.h"

struct cfg_window {
	bool composed, has_operation, has_parents;
	int line, left, right; /* parent windows, counted from 1 */
	const char *level;
	VEC(int64_t) type;       /* event types in the filter */
	VEC(const char *) title; /* values of evt_type_label */
};

struct cfg_histogram {
	/* windows, counted from 1; 0: none */
	int line, control, data, control3d;
	bool has_statistic, has_limits;
};

struct cfg {
	struct check *c;
	const struct timeline *t;
	VEC(struct cfg_window) window;
	bool named; /* a window_name was read, its window_type was not */
	struct cfg_histogram *histogram; /* the current one, or NULL */
	int nhistograms;
};

/* Checks a list of functions by level: "{ 2, { {thread, Last Evt Val},
 * {evt_type, =} } }". */
void cfg_functions(struct cfg *g, const char *value, bool compose);

/* "thread In Evt Val { 1, { 2 1 2 } }" */
void cfg_module(struct cfg *g, const char *value);

/* "evt_type 2 10 11" */
void cfg_filter(struct cfg *g, const char *value);

/* "appl { 1, { All } }" */
void cfg_object(struct cfg *g, const char *value);

/* "{1:255,0,0},{2:0,0,255}" */
void cfg_palette(struct cfg *g, const char *value);

/* Check a line after "< NEW ANALYZER2D >", and the end of that histogram. */
void cfg_histogram_line(struct cfg *g, const char *line);
void cfg_histogram_end(struct cfg *g);

/* Checks the types of all windows: their titles, their records, and labels that
 * differ. */
void cfg_check_types(struct cfg *g);

#endif
