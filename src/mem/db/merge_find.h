/* SPDX-License-Identifier: MIT */
/*
 * merge_find.h - finds the program images and databases that a merge is asked
 * for, in an order that does not depend on their paths.
 */
#ifndef WEFT_MEM_DB_MERGE_FIND_H
#define WEFT_MEM_DB_MERGE_FIND_H

#include "base/err.h"
#include "mem/db/findings.h"

struct merge_image {
	const char *folder;
	uint64_t image, started; /* random number; CLOCK_REALTIME, ns */
	int32_t pid;
};

struct merge_inputs {
	VEC(struct merge_image) image; /* sorted, each once */
	VEC(const char *) database;
};

/* Returns less than, equal to or greater than 0, like strcmp(). */
int merge_order(const struct merge_image *a, const struct merge_image *b);

/* Looks into n paths. An image whose head cannot be read is a finding. Returns
 * false and sets err if a path is neither a directory with measurements nor a
 * database. */
bool merge_find(struct merge_inputs *to, struct arena *a,
	const char *const *path, int n, struct mem_findings *findings,
	struct err *err);

#endif
