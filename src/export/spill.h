/* SPDX-License-Identifier: MIT */
/*
 * spill.h - sorted runs of entries in a nameless file.
 *
 * What does not fit in memory is written as one run after the other, and read
 * back from several runs at once. The file is made when it is first needed
 * and is gone with the process, however that ends.
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
 *cause.
 */
#ifndef WEFT_EXPORT_SPILL_H
#define WEFT_EXPORT_SPILL_H

#include "base/tempfile.h"
#include "base/vec.h"
#include "export/entry.h"

struct arena;

struct run {
	int64_t at, end;    /* what is not yet in the buffer: file offsets */
	int64_t first_time; /* of the first entry not yet taken */
	char *buf;          /* while reading: its share of the buffer */
	size_t pos, have;   /* in buf */
};

struct spill {
	struct arena *arena;  /* borrowed */
	struct tempfile file; /* its err is the first failure */
	size_t budget;        /* of the buffer: more only if runs are many */
	size_t entry_max;     /* bytes of the largest entry that was added */
	size_t share;         /* of the buffer, a run's while reading */
	char *buf;            /* owned */
	size_t used, room;    /* of the buffer; used: while writing */
	VEC(struct run) runs; /* the oldest first */
};

void spill_init(
	struct spill *s, struct arena *a, const char *dir, size_t budget);
void spill_fini(struct spill *s);

/* Writes a run; the entries must come in order. */
void spill_begin(struct spill *s);
void spill_add(struct spill *s, const struct entry *e);
void spill_end(struct spill *s);

/* True if a run has an entry up to that time. */
bool spill_has(const struct spill *s, int64_t limit);

/* Starts to read. Runs are read only when their head is asked for. */
void spill_read(struct spill *s);

/* The next entry of a run until spill_next(), or NULL at its end. */
const struct entry *spill_head(struct spill *s, int run);
void spill_next(struct spill *s, int run);

/* Forgets the runs that are at their end; the others keep their places. */
void spill_read_end(struct spill *s);

#endif
