/* SPDX-License-Identifier: MIT */
/*
 * fit.h - shortens names to fit a column, but never makes different names
 * equal.
 *
 * Names that differ at their beginning are cut at the end, others in the
 * middle. If cut names would still be equal, they get a number. No cut splits a
 * number, because the rest would look like another number.
 */
#ifndef WEFT_CLI_FIT_H
#define WEFT_CLI_FIT_H

struct arena;

/*
 * Returns the n texts, each with at most `width` (at least 8) columns. Equal
 * texts stay equal, different ones stay different. A text that was not cut
 * keeps its pointer.
 */
const char **fit_texts(
	struct arena *a, const char *const *text, int n, int width);

#endif
