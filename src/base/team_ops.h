/* SPDX-License-Identifier: MIT */
/*
 * team_ops.h - what a module for an implementation of MPI gives to team.c, and
 * how the modules are found.
 *
 * The functions take sizes that fit into an int: team.c cuts longer data into
 * pieces. None returns after a failure: it calls on_failure() with the reason
 * and ends the job.
 */
#ifndef WEFT_BASE_TEAM_OPS_H
#define WEFT_BASE_TEAM_OPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

#define TEAM_SYMBOL "weft_team"
/* Version of struct team_ops; increase it with any change. */
#define TEAM_LAYOUT 2u
#define TEAM_NOBODY (-1)

/* The largest message, in bytes. */
#define TEAM_PIECE ((size_t)1 << 30)

/* How values of several ranks become one. */
enum team_op { TEAM_SUM, TEAM_MIN, TEAM_MAX, TEAM_OR };

/* Bytes for a rank and room for those of one; `to` and `from` may be
 * TEAM_NOBODY. */
struct team_swap {
	int to;
	const void *out;
	int nout, from;
	void *in;
	int nin;
	bool talks; /* the other rank answers at once, so this one is not to
	             * sleep meanwhile */
};

struct team_ops {
	unsigned layout;
	const char *name; /* "Open MPI" */
	/* Returns name and version of the library, on one line. May be called
	 * before start(). */
	const char *(*version)(void);
	/* Joins the job; ends the process if that fails. */
	void (*start)(
		int *rank, int *size, void (*on_failure)(const char *why));
	void (*stop)(void);
	/* Sends and receives at the same time. */
	void (*exchange)(const struct team_swap *s);
	void (*barrier)(void);
	void (*bcast)(int root, void *data, int n);
	void (*allgatherv)(const void *mine, int n, void *all, const int *size,
		const int *at);
	void (*exscan)(int64_t *value, int n, enum team_op op);
	void (*reduce)(int64_t *value, int n, enum team_op op);
};

/* An implementation of MPI that weft can have a module for. */
struct team_mpi {
	const char *word;    /* value of WEFT_MPI: "openmpi" */
	const char *name;    /* "Open MPI" */
	const char *package; /* package that is needed to build the module */
	const char *library; /* package that the module needs to run */
	bool is_built;
};

/* All implementations; an entry with a NULL word ends the list. */
extern const struct team_mpi team_mpis[];

/* Loads a module. Returns NULL with err, which names the package to install. */
const struct team_ops *team_load(const struct team_mpi *mpi, struct err *err);

#endif
