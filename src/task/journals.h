/* SPDX-License-Identifier: MIT */
/*
 * journals.h - the journals beside a store: the journal of the current run, and
 * journals of runs whose simulator was killed.
 *
 *	struct journals j;
 *	journals_find(&j, &arena, &address);
 *	for (int i = 0; i < j.run.n; i++)
 *		printf("%llu: %s\n", j.run.at[i].run, j.run.at[i].path);
 *
 * The journal of a file or directory F is "F.journal". When a run begins and
 * the journal of a killed run has this name, that journal becomes
 * "F.RUN.journal". The journal of a database D is "weft-D.RUN.journal" in the
 * current directory; its header names the server, because two servers may have
 * a database of the same name.
 */
#ifndef WEFT_TASK_JOURNALS_H
#define WEFT_TASK_JOURNALS_H

#include <stdint.h>

#include "base/err.h"
#include "base/vec.h"
#include "store/address.h"

struct arena;

struct journals_run {
	uint64_t run;
	const char *path;
};

struct journals {
	VEC(struct journals_run) run; /* by number */
	uint64_t greatest; /* greatest number in a journal's name, even of other
	                    * stores; 0: no journal */
};

/* Finds the journals of a store address. */
void journals_find(struct journals *j, struct arena *a,
	const struct store_address *address);

/* Returns the path of a run's journal, or NULL. */
const char *journals_path(const struct journals *j, uint64_t run);

/* Returns the server and database of a store address as the journal's header
 * has them: without the user. Returns "" for a file, because files may be
 * moved. */
const char *journals_store(
	struct arena *a, const struct store_address *address);

/*
 * Creates the journal file for a new run, whose number becomes *run or greater,
 * and returns its name. Keeps a journal that already exists. Returns NULL and
 * sets *why to an errno if no file can be created.
 */
const char *journals_claim(struct arena *a, const struct store_address *address,
	uint64_t *run, int *why);

#endif
