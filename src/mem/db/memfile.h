/* SPDX-License-Identifier: MIT */
/*
 * memfile.h - reads the whole records of one file of a measurement, in order.
 *
 *	if (memfile_open(&f, &arena, path, MEM_FILE_THREAD, &findings))
 *		while ((r = memfile_next(&f)) != NULL)
 *			use(r->type, r);
 *
 * The reader skips damaged bytes up to the next valid record and adds a
 * finding. A returned record has at least the size of its type's struct, and
 * room for its lists and texts. Records of unknown types are skipped. The bytes
 * live in the arena.
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
	uint64_t unknown; /* records of unknown types */
};

/* Returns true if the file begins with the magic of a measurement. */
bool memfile_is(const char *path);

/* Reads a file. file: MEM_FILE_*, or 0 for any. Returns false and adds a
 * finding on failure. */
bool memfile_open(struct memfile *f, struct arena *a, const char *path,
	uint32_t file, struct mem_findings *findings);

/* Returns the next record, or NULL at the end. */
const struct mem_record *memfile_next(struct memfile *f);

#endif
