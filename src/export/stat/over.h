/* SPDX-License-Identifier: MIT */
/*
 * over.h - the cells of a table of statistics that do not fit in memory: in an
 * unnamed file, divided into parts by their values.
 *
 * All pieces of a value are in one part, so that the parts can be added up one
 * after the other: the sums are exact, and each part fits in memory.
 *
 *	stat_over_add(&o, lane, &cell);
 *	for (int part = 0; part < STAT_PARTS; part++)
 *		stat_over_each(&o, part, fn, arg);
 *
 * Sticky: after a failure nothing is kept, and o.file.err has the cause.
 */
#ifndef WEFT_EXPORT_STAT_OVER_H
#define WEFT_EXPORT_STAT_OVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/tempfile.h"
#include "base/vec.h"

struct arena;

#define STAT_PARTS 64

/* Time of one value, or a part of that time. */
struct stat_cell {
	int64_t value;  /* or VALUE_NONE */
	int64_t time;   /* in the unit of the setup */
	uint64_t times; /* how often the value was entered */
	uint64_t runs;  /* executions of tasks of this type */
};

struct stat_piece {
	uint32_t lane;
	struct stat_cell cell;
};

#define STAT_BLOCK 256 /* pieces written at once */

struct stat_part {
	int n; /* pieces in the buffer */
	struct stat_piece buf[STAT_BLOCK];
	VEC(int64_t) block; /* file offsets of the blocks written */
};

struct stat_over {
	struct arena *arena;    /* borrowed */
	struct tempfile file;   /* its err is the first failure */
	struct stat_part *part; /* NULL: nothing was added */
};

/* Returns the part of a value. */
int stat_over_part(int64_t value);

void stat_over_add(
	struct stat_over *o, uint32_t lane, const struct stat_cell *cell);

/* Calls fn for all pieces of a part. Returns false with o->file.err. */
bool stat_over_each(struct stat_over *o, int part,
	void (*fn)(void *arg, const struct stat_piece *piece), void *arg);

void stat_over_fini(struct stat_over *o);

#endif
