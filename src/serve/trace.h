/* SPDX-License-Identifier: MIT */
/*
 * trace.h - a trace that is served: its index, and callbacks for questions that
 * need the trace itself.
 */
#ifndef WEFT_SERVE_TRACE_H
#define WEFT_SERVE_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct doc;
struct index;

enum serve_state {
	SERVE_READY,
	SERVE_BUILDING, /* its index is being built; a part may be shown */
	SERVE_LIVE,     /* the program still records */
	SERVE_GONE,     /* the reason is known */
};

/* A question of the form that `weft stat --json` answers. */
struct serve_stat {
	int64_t from, to;  /* in the unit of the trace */
	const char *types; /* keys with commas; NULL: those of weft stat */
	const char *by;    /* "state", "thread", "cpu" */
	const struct index *index; /* index that is shown */
	enum serve_state state;
};

/* A question for the lines of weft dump. */
struct serve_dump {
	int64_t tid;
	int64_t from, to; /* both included, in the unit of the trace */
	int most;         /* lines */
	bool *more;       /* set to true if there are more lines; or NULL */
};

/* The inputs of a trace, compared with the index. */
enum serve_input {
	SERVE_SAME,
	SERVE_CHANGED, /* an input is newer */
	SERVE_REMOVED,
};

struct serve_trace {
	const char *name;          /* for people */
	const char *path;          /* for commands; NULL: not told */
	const char *arguments;     /* options and inputs for weft stat, quoted
	                            * for a shell; NULL: the path alone */
	const struct index *index; /* borrowed; NULL: there is none yet */
	enum serve_state state;
	/* Writes the output of weft stat; called by one thread at a time.
	 * Returns false with err if the question cannot be answered. NULL: the
	 * server has only the index, not the trace. */
	bool (*stat)(void *arg, const struct serve_stat *what, struct doc *to,
		struct err *err);
	/* Appends lines of weft dump as JSON texts to an open array; called by
	 * one thread at a time, never during stat. NULL: as for stat. */
	bool (*dump)(void *arg, const struct serve_dump *what, struct doc *to,
		struct err *err);
	/* Compares the inputs with the index. May be NULL. */
	enum serve_input (*input)(void *arg, const struct index *ix);
	void *arg;
};

#endif
