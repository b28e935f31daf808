/* SPDX-License-Identifier: MIT */
/*
 * pick.h - reads the rows of a request: "r3-34,r40,g2" lists rows and groups by
 * number.
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
	const char *class; /* class that all rows must have; NULL: any */
	bool groups;       /* groups are allowed */
	int most;          /* rows and groups together, at most */
};

struct picked {
	const struct tile_row *row;
	int n;
};

/* Reads a list of rows; NULL stands for all rows of the class, in their order.
 * Returns false with err, which names the parameter "rows". */
bool pick_rows(struct arena *a, const struct pick *which, const char *text,
	struct picked *out, struct err *err);

#endif
