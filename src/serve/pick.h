/* SPDX-License-Identifier: MIT */
/*
 * pick.h - which rows a request is about: "r3-34,r40,g2" are rows and groups by
 * their numbers.
 */
#ifndef WEFT_SERVE_PICK_H
#define WEFT_SERVE_PICK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "export/index/tile.h"

struct arena;

struct pick {
	const struct index_meta *meta;
	const char *class; /* all are to be of this one; NULL: of any */
	bool groups;       /* they are allowed */
	int most;          /* rows and groups, in all */
};

struct picked {
	const struct tile_row *row;
	int n;
};

/* The rows of a text; NULL: all of the class, in their order. False with err,
 * which names the parameter "rows". */
bool pick_rows(struct arena *a, const struct pick *which, const char *text,
	struct picked *out, struct err *err);

#endif
