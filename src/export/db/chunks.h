/* SPDX-License-Identifier: MIT */
/*
 * chunks.h - intervals of tracks, which are written in runs of consecutive ids.
 */
#ifndef WEFT_EXPORT_DB_CHUNKS_H
#define WEFT_EXPORT_DB_CHUNKS_H

#include "base/vec.h"
#include "export/db/driver.h"

#define CHUNK_MOST 4096 /* rows of a run */

/* An interval as a row of the table: id, start, dur, value, depth. */
enum { CHUNK_ID, CHUNK_START, CHUNK_DUR, CHUNK_VALUE, CHUNK_DEPTH, CHUNK_ROW };

/* The intervals of a track that are not written yet. */
struct chunk {
	int64_t *at; /* owned: n rows of CHUNK_ROW numbers */
	int n, room;
	int64_t start, end; /* of all of them */
};

struct chunks {
	struct arena *arena; /* borrowed */
	const struct db_driver *driver;
	struct db_file *file;
	int data, chunk; /* inserts into NAME_data and NAME_chunk */
	int64_t id;      /* of the last interval written */
	int64_t held;    /* intervals for which the buffers have room */
	VEC(struct chunk) of_track;
};

/* Creates the tables NAME_data and NAME_chunk. */
void chunks_open(struct chunks *c, struct arena *a,
	const struct db_driver *driver, struct db_file *file, const char *name);

struct chunk_interval {
	int64_t start, end, value, depth;
};

/* Adds an interval of a track; tracks count from 0. */
void chunks_add(
	struct chunks *c, int track, const struct chunk_interval *interval);

/* Writes all intervals and the indexes. */
void chunks_close(struct chunks *c, const char *name);

#endif
