/* SPDX-License-Identifier: MIT */
/*
 * window.h - one window of a view, as lines of Paraver's CFG 3.4.
 *
 * A window is single: it shows the last value of its types. Or it is composed
 * of two windows that came before. Windows count from 1 in their file. The
 * order of lines matters: what a composed window is made of comes before its
 * level, its times and its colours, and it takes no filter functions.
 */
#ifndef WEFT_EXPORT_PRV_WINDOW_H
#define WEFT_EXPORT_PRV_WINDOW_H

#include "base/file.h"
#include "export/prv/colors.h"

struct prv_window {
	int id;
	const char *title;
	const struct prv_type *const *type; /* of a single window */
	int ntypes;
	const char *operation; /* of a composed one; NULL: single */
	const char *factors;   /* of its parents; NULL: 1 and 1 */
	int left, right;       /* its parents */
	const char *top;       /* function over the values; NULL: as they are */
	const struct prv_colors *colors; /* or NULL */
	int64_t maximum; /* of y; Paraver fits it to what is on the screen */
	bool gradient;   /* colours by size; else by value */
	bool largest;    /* of many values on a pixel the largest is drawn */
	bool labels;     /* shows no value: its types only give labels */
	bool open;       /* shown; or only there for another */
	bool ns;         /* y in ns, not in us */
};

/* Writes the window; the arena takes texts. */
void prv_window_write(
	struct outfile *f, struct arena *a, const struct prv_window *w);

/* A title on one line without quotes, for names of windows; the key if it is
 * blank. */
const char *prv_window_title(
	struct arena *a, const char *title, const char *key);

/* A line that a view may have: "#ParaverCFG" and the rest of the header. */
void prv_window_header(struct outfile *f, struct arena *a, int windows,
	const char *description);

#endif
