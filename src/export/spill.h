/* SPDX-License-Identifier: MIT */
/*
 * spill.h - sorted spill runs of entries in an unnamed file.
 *
 * Entries that do not fit in memory are written as one spill run after the
 * other; several spill runs are read back at once. The file is created when
 * first needed and disappears with the process, however that ends.
 *
 *	spill_begin(&s);
 *	spill_add(&s, entry); ...
 *	spill_end(&s);
 *
 *	spill_read(&s);
 *	while ((e = spill_head(&s, run)) != NULL && ...)
 *		spill_next(&s, run);
 *	spill_read_end(&s);
 *
 * Sticky: after a failure there is nothing to read, and s.file.err has the
 * cause.
 */
#ifndef WEFT_EXPORT_SPILL_H
#define WEFT_EXPORT_SPILL_H

#include "base/tempfile.h"
#include "base/vec.h"
#include "export/entry.h"

struct arena;

struct spill_run {
	int64_t at, end;    /* file offsets of the part that is not in the
	                     * buffer yet */
	int64_t first_time; /* time of the first entry not yet read */
	char *buf;          /* while reading: its part of the buffer */
	size_t pos, have;   /* position in buf, and number of bytes in it */
};

struct spill {
	struct arena *arena;  /* borrowed */
	struct tempfile file; /* its err is the first failure */
	size_t budget;        /* bytes of buffer; more only if there are many
	                       * spill runs */
	size_t entry_max;     /* bytes of the largest entry added */
	size_t share;         /* bytes of buffer per spill run while reading */
	char *buf;            /* owned */
	size_t used, room;    /* bytes used (while writing) and allocated */
	VEC(struct spill_run) runs; /* oldest first */
};

void spill_init(
	struct spill *s, struct arena *a, const char *dir, size_t budget);
void spill_fini(struct spill *s);

/* Write a spill run; the entries must be in order. */
void spill_begin(struct spill *s);
void spill_add(struct spill *s, const struct entry *e);
void spill_end(struct spill *s);

/* Returns true if a spill run has an entry up to that time. */
bool spill_has(const struct spill *s, int64_t limit);

/* Starts reading. A spill run is read only when its head is asked for. */
void spill_read(struct spill *s);

/* Returns the next entry of a spill run, valid until spill_next(); NULL at its
 * end. */
const struct entry *spill_head(struct spill *s, int run);
void spill_next(struct spill *s, int run);

/* Drops the spill runs that are read completely; the others keep their
 * order. */
void spill_read_end(struct spill *s);

#endif
