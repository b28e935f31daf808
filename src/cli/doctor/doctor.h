/* SPDX-License-Identifier: MIT */
/*
 * doctor.h - weft doctor: which parts of Weft work on this machine, and what
 * would make the others work. Each area has a source file, whose function
 * reports what it has tried.
 */
#ifndef WEFT_CLI_DOCTOR_DOCTOR_H
#define WEFT_CLI_DOCTOR_DOCTOR_H

#include "base/arena.h"
#include "base/vec.h"
#include "cli/table.h"

enum doctor_works { DOCTOR_NO, DOCTOR_PARTLY, DOCTOR_YES };

struct doctor {
	struct arena arena;
	struct table table;
	const char *area; /* area of the following rows */
	VEC(const char *)
	missing; /* lines "THING: why it does not work, or only
	          * partly" */
};

/* Adds a row: a thing, whether it works, and why not or by which means. */
void doctor_tell(struct doctor *d, const char *what, enum doctor_works works,
	const char *fmt, ...) __attribute__((format(printf, 4, 5)));

void doctor_recorder(struct doctor *d);
void doctor_kernel(struct doctor *d);
void doctor_modules(struct doctor *d);
void doctor_stores(struct doctor *d);

#endif
