/* SPDX-License-Identifier: MIT */
/*
 * journals.h - the journals that lie beside a store: of the run that is being
 * written, and of runs whose simulator was killed.
 *
 *	struct journals j;
 *	journals_find(&j, &arena, &place);
 *	for (int i = 0; i < j.run.n; i++)
 *		printf("%llu: %s\n", j.run.at[i].run, j.run.at[i].path);
 *
 * Of a file or folder F the journal is "F.journal", and when another run
 * follows one that was killed, that one's becomes "F.RUN.journal". Of a
 * database D it is "weft-D.RUN.journal" in the current folder; the journal says
 * which database it is of, as two servers may have one of that name.
 */
#ifndef WEFT_TASK_JOURNALS_H
#define WEFT_TASK_JOURNALS_H

#include <stdint.h>

#include "base/err.h"
#include "base/vec.h"
#include "store/place.h"

struct arena;

struct journals_run {
	uint64_t run;
	const char *path;
};

struct journals {
	VEC(struct journals_run) run; /* by number */
	uint64_t greatest; /* of all names of journals, even of another store;
	                    * 0: none */
};

/* Finds those of a place. */
void journals_find(
	struct journals *j, struct arena *a, const struct store_place *place);

/* The journal of a run, or NULL. */
const char *journals_path(const struct journals *j, uint64_t run);

/* The server and database of a place, as a journal notes it: without a user;
 * "" of a file, which may be moved. */
const char *journals_store(struct arena *a, const struct store_place *place);

/*
 * Makes the file for the journal of a new run, whose number is *run or
 * greater, and gives its name. A journal that lies there is kept. NULL: no file
 * can be made there; *why gets an errno.
 */
const char *journals_claim(struct arena *a, const struct store_place *place,
	uint64_t *run, int *why);

#endif
