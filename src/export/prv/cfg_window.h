/* SPDX-License-Identifier: MIT */
/*
 * cfg_window.h - one window of a view, as lines of Paraver's CFG 3.4.
 *
 * A single window shows the last value of its types. A composed window is made
 * of two earlier windows, its parents. Windows count from 1 in their file. The
 * order of lines matters: the parents of a composed window come before its
 * level, times and colours; a composed window takes no filter functions.
 */
#ifndef WEFT_EXPORT_PRV_CFG_WINDOW_H
#define WEFT_EXPORT_PRV_CFG_WINDOW_H

#include "base/file.h"
#include "export/prv/colors.h"

struct prv_window {
	int id;
	const char *title;
	const struct prv_type *const *type; /* types of a single window */
	int ntypes;
	const char *operation; /* operation of a composed window; NULL: a single
	                        * window */
	const char *factors;   /* factors of its parents; NULL: 1 and 1 */
	int left, right;       /* its parents */
	const char *top;       /* function applied to the values; NULL: none */
	const struct prv_colors *colors; /* or NULL */
	int64_t maximum; /* largest y; Paraver fits it to the values on the
	                  * screen */
	bool gradient;   /* colours by size; false: by value */
	bool next; /* shows the value of the next record, not of the last one */
	bool largest; /* draws the largest of several values on a pixel */
	bool labels;  /* shows no values: only its types' labels are used */
	bool open;    /* Paraver shows the window; false: it is only a parent of
	               * other windows */
	bool ns;      /* y is in ns; false: y is in us */
};

/* Writes the window; the arena keeps its texts. */
void prv_window_write(
	struct outfile *f, struct arena *a, const struct prv_window *w);

/* Returns the title on one line without quotes, for names of windows; the key
 * if the title is blank. */
const char *prv_window_title(
	struct arena *a, const char *title, const char *key);

/* Writes the header of a view's file, from "#ParaverCFG" on. */
void prv_window_header(struct outfile *f, struct arena *a, int windows,
	const char *description);

#endif
