/* SPDX-License-Identifier: MIT */
/*
 * match.h - matches names by a part of the name, or by a POSIX extended regular
 * expression between slashes.
 *
 * {n} and \1 are refused: a short expression with them can need any amount of
 * memory, and a user's mistake must not end the server.
 */
#ifndef WEFT_SERVE_MATCH_H
#define WEFT_SERVE_MATCH_H

#include <regex.h>
#include <stdbool.h>

#include "base/err.h"

#define MATCH_TEXT 200 /* bytes of a pattern, at most */

struct match {
	const char *part; /* borrowed; NULL: use the regular expression */
	regex_t regex;
};

/* Reads "text" or "/re/", the value of the parameter `name`. Returns false
 * with err, and then nothing needs to be freed. */
bool match_init(
	struct match *m, const char *text, const char *name, struct err *err);

/* Reads a regular expression without slashes. */
bool match_regex(
	struct match *m, const char *text, const char *name, struct err *err);

bool match_fits(const struct match *m, const char *text);

void match_fini(struct match *m);

#endif
