/* SPDX-License-Identifier: MIT */
/*
 * findings.h - defects in the files of a measurement.
 *
 * The reader skips damaged bytes and reads the rest. Each finding names the
 * file, the byte offset and what was lost. A list keeps the first FINDINGS_MOST
 * findings and counts all.
 */
#ifndef WEFT_MEM_DB_FINDINGS_H
#define WEFT_MEM_DB_FINDINGS_H

#include <stdint.h>

#include "base/vec.h"

#define FINDINGS_MOST 1000

struct mem_finding {
	const char *file;
	uint64_t at; /* byte offset */
	const char *text;
};

struct mem_findings {
	struct arena *arena;
	VEC(struct mem_finding) list;
	uint64_t n; /* all, including those not kept */
};

void mem_findings_add(struct mem_findings *f, const char *file, uint64_t at,
	const char *fmt, ...) __attribute__((format(printf, 4, 5)));

#endif
