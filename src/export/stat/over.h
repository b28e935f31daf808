/* SPDX-License-Identifier: MIT */
/*
 * over.h - what a table of statistics cannot hold in memory: pieces of cells in
 * a nameless file, in parts by their values.
 *
 * All pieces of a value lie in one part, so that the sums of one part after
 * the other are exact, and each fits in memory.
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

/* Time of one value, or a part of it. */
struct stat_cell {
	int64_t value;  /* or VALUE_NONE */
	int64_t time;   /* in the unit of the setup */
	uint64_t times; /* how often it was entered */
	uint64_t runs;  /* executions of tasks of this type */
};

struct stat_piece {
	uint32_t lane;
	struct stat_cell cell;
};

#define STAT_BLOCK 256 /* pieces that are written at once */

struct stat_part {
	int n; /* in the buffer */
	struct stat_piece buf[STAT_BLOCK];
	VEC(int64_t) block; /* where those in the file begin */
};

struct stat_over {
	struct arena *arena;    /* borrowed */
	struct tempfile file;   /* its err is the first failure */
	struct stat_part *part; /* NULL: nothing was added */
};

/* The part in which a value lies. */
int stat_over_part(int64_t value);

void stat_over_add(
	struct stat_over *o, uint32_t lane, const struct stat_cell *cell);

/* Calls fn for all pieces of a part. False with o->file.err. */
bool stat_over_each(struct stat_over *o, int part,
	void (*fn)(void *arg, const struct stat_piece *piece), void *arg);

void stat_over_fini(struct stat_over *o);

#endif
