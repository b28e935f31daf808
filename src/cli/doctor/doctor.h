/* SPDX-License-Identifier: MIT */
/*
 * doctor.h - weft doctor: what of Weft works on this machine, and what would
 * make the rest work. A file an area; each tells what it tried.
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
	const char *area;          /* of what is told next */
	VEC(const char *) missing; /* what does not work, or partly, and why */
};

/* A row: what it is, whether it works, and why not or with what. */
void doctor_tell(struct doctor *d, const char *what, enum doctor_works works,
	const char *fmt, ...) __attribute__((format(printf, 4, 5)));

void doctor_recorder(struct doctor *d);
void doctor_kernel(struct doctor *d);
void doctor_modules(struct doctor *d);
void doctor_stores(struct doctor *d);

#endif
