/* SPDX-License-Identifier: MIT */
/*
 * match.h - names that a person searches for: by a part of them, or by a POSIX
 * extended regular expression between slashes.
 *
 * Whoever asks is let in, but a mistake may not cost the server its memory: {n}
 * and \1 are refused, with which few letters ask for any amount.
 */
#ifndef WEFT_SERVE_MATCH_H
#define WEFT_SERVE_MATCH_H

#include <regex.h>
#include <stdbool.h>

#include "base/err.h"

#define MATCH_TEXT 200 /* bytes */

struct match {
	const char *part; /* borrowed; NULL: the regular expression counts */
	regex_t regex;
};

/* "text" or "/re/", of a parameter of that name. False with err: nothing is to
 * be freed. */
bool match_init(
	struct match *m, const char *text, const char *name, struct err *err);

/* The same of a regular expression without slashes. */
bool match_regex(
	struct match *m, const char *text, const char *name, struct err *err);

bool match_fits(const struct match *m, const char *text);

void match_fini(struct match *m);

#endif
