/* SPDX-License-Identifier: MIT */
/*
 * merge.h - merges measurements of many processes into one database.
 *
 * Images are read one after the other, so memory depends on the number of
 * different variables and call paths, not on the number of processes. With a
 * team, each rank merges a part of the images into a temporary database, and
 * rank 0 merges these. The database has the same bytes in each case.
 */
#ifndef WEFT_MEM_DB_MERGE_H
#define WEFT_MEM_DB_MERGE_H

#include "base/team.h"
#include "mem/db/profile.h"

struct merge_request {
	const char *const *path; /* directories of measurements, and databases
	                          * of earlier merges */
	int n;
	const char *output;         /* replaced when the merge is complete */
	const char *const *structs; /* as in struct profile_request */
	uint64_t min_bytes; /* least size of static variables that are listed
	                     * separately; 0: PROFILE_MIN_BYTES */
	struct team *team;
};

struct merge_result {
	int processes, variables;
	uint64_t samples;
	uint64_t damaged;             /* defects in files, of all ranks */
	struct mem_findings findings; /* those that this rank found */
};

/* Merges. Every rank must call it. Returns false with err on failure: then
 * nothing has the output's name that did not have it before. The result is
 * complete at rank 0. */
bool merge_run(struct arena *a, const struct merge_request *request,
	struct merge_result *result, struct err *err);

#endif
