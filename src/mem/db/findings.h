/* SPDX-License-Identifier: MIT */
/*
 * findings.h - what is wrong with the files of a measurement.
 *
 * Damage costs what it covers, and the rest is read: each finding names the
 * file, the byte and what was lost there. A list keeps the first FINDINGS_MOST
 * and counts all.
 */
#ifndef WEFT_MEM_DB_FINDINGS_H
#define WEFT_MEM_DB_FINDINGS_H

#include <stdint.h>

#include "base/vec.h"

#define FINDINGS_MOST 1000

struct mem_finding {
	const char *file;
	uint64_t at; /* byte */
	const char *text;
};

struct mem_findings {
	struct arena *arena;
	VEC(struct mem_finding) list;
	uint64_t n; /* all, also those that are not kept */
};

void mem_findings_add(struct mem_findings *f, const char *file, uint64_t at,
	const char *fmt, ...) __attribute__((format(printf, 4, 5)));

#endif
