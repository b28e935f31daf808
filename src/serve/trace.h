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

/* A question of the form that `weft stat --json` answers. */
struct serve_stat {
	int64_t from, to;  /* in the unit of the trace */
	const char *types; /* keys with commas; NULL: those of weft stat */
	const char *by;    /* "state", "thread", "cpu" */
};

struct serve_trace {
	const char *name; /* for people */
	const struct index *index;
	/* Writes the output of weft stat; called by one thread at a time.
	 * Returns false with err if the question cannot be answered. NULL: the
	 * server has only the index, not the trace. */
	bool (*stat)(void *arg, const struct serve_stat *what, struct doc *to,
		struct err *err);
	/* Returns true if an input is newer than the index. May be NULL. */
	bool (*changed)(void *arg);
	void *arg;
};

#endif
