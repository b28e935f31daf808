/* SPDX-License-Identifier: MIT */
/*
 * param.h - reads all parameters of a request by a table.
 *
 *	int64_t width, by;
 *	const struct param table[] = {
 *		{ .name = "w", .needed = true, .number = &width,
 *		  .min = 1, .max = INT64_MAX },
 *		{ .name = "by", .choice = &by, .choices = "label,row" },
 *		{ 0 },
 *	};
 *	if (!param_read(&arena, query, table, &err))  -> 400 with err.text
 *
 * A parameter that is unknown, repeated, malformed or out of range is refused
 * with a sentence that names it. The variable of an absent parameter keeps its
 * value.
 */
#ifndef WEFT_SERVE_PARAM_H
#define WEFT_SERVE_PARAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct arena;

#define PARAM_NONE "none" /* the word for "no value" */

/* One parameter; exactly one of number, text and choice is set. */
struct param {
	const char *name; /* name; NULL ends the table */
	bool needed;
	int64_t *number; /* receives a number from min to max */
	int64_t min, max;
	bool may_be_none;  /* accepts "none", which becomes INT64_MIN */
	const char **text; /* unescaped, from the arena */
	size_t most;       /* limit of the text in bytes */
	int *choice;       /* set to the index of the word in choices */
	const char *choices;
	bool *given; /* set to true if the parameter is present; or NULL */
};

/* Reads the query, which is the escaped text after the "?". Returns false with
 * err. */
bool param_read(struct arena *a, const char *query, const struct param *table,
	struct err *err);

/* Reads a list of numbers from 0 to max with commas, at most `most` of them.
 * Returns their number, or -1 with err, which names the parameter. */
int param_list(const char *text, const char *name, int64_t *to, int most,
	int64_t max, struct err *err);

/* Reads decimal digits at *text and moves *text past them. Returns false if
 * there are none, or if the number is larger than max. */
bool param_digits(const char **text, int64_t max, int64_t *to);

#endif
