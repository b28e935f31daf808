/* SPDX-License-Identifier: MIT */
/*
 * memfile.h - one file of a measurement: its whole records, in order.
 *
 *	if (memfile_open(&f, &arena, path, MEM_FILE_THREAD, &findings))
 *		while ((r = memfile_next(&f)) != NULL)
 *			use(r->type, r);
 *
 * What does not check is skipped up to the next record that does, and is a
 * finding. A record that is returned has at least the size of its type's
 * struct, and lists and texts in it have room; types that this build does not
 * know are passed over. The bytes lie in the arena as long as that lives.
 */
#ifndef WEFT_MEM_DB_MEMFILE_H
#define WEFT_MEM_DB_MEMFILE_H

#include <stdbool.h>

#include "mem/db/findings.h"
#include "mem/wire.h"

struct memfile {
	const char *path;
	const char *data;
	size_t size, at;
	struct mem_head head;
	struct mem_findings *findings;
	uint64_t unknown; /* records of types that this build does not know */
};

/* True if the file begins as those of a measurement do. */
bool memfile_is(const char *path);

/* Reads a file; false with a finding. file: MEM_FILE_*, or 0 for any. */
bool memfile_open(struct memfile *f, struct arena *a, const char *path,
	uint32_t file, struct mem_findings *findings);

/* The next record, or NULL. */
const struct mem_record *memfile_next(struct memfile *f);

#endif
