/* SPDX-License-Identifier: MIT */
/*
 * param.h - the parameters of a request: a table of them, one function that
 * reads them all.
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
 * What is not in the table, there twice, malformed or out of its range is
 * refused with a sentence that names it. What is not given stays as it is.
 */
#ifndef WEFT_SERVE_PARAM_H
#define WEFT_SERVE_PARAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct arena;

#define PARAM_NONE "none" /* the number that is no value */

/* One of number, text, choice is set. */
struct param {
	const char *name; /* NULL ends the table */
	bool needed;
	int64_t *number; /* of min to max */
	int64_t min, max;
	bool may_be_none;  /* "none" is INT64_MIN */
	const char **text; /* unescaped, from the arena */
	size_t most;       /* bytes of it */
	int *choice;       /* index of the word in choices */
	const char *choices;
	bool *given; /* set if it was; or NULL */
};

/* query: as sent, behind the "?". False with err. */
bool param_read(struct arena *a, const char *query, const struct param *table,
	struct err *err);

/* Numbers with commas: at most `most` of them, from 0 to max. Their number, or
 * -1 with err, which calls them by that name. */
int param_list(const char *text, const char *name, int64_t *to, int most,
	int64_t max, struct err *err);

/* A decimal number without a sign, at *text, which moves. False: there is none,
 * or it is larger than max. */
bool param_digits(const char **text, int64_t max, int64_t *to);

#endif
