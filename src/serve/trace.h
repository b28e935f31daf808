/* SPDX-License-Identifier: MIT */
/*
 * trace.h - a trace that is served: its index, and what only the command that
 * opened it can say.
 */
#ifndef WEFT_SERVE_TRACE_H
#define WEFT_SERVE_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct doc;
struct index;

/* What `weft stat --json` is asked. */
struct serve_stat {
	int64_t from, to;  /* in the unit of the trace */
	const char *types; /* keys with commas; NULL: those of weft stat */
	const char *by;    /* "state", "thread", "cpu" */
};

struct serve_trace {
	const char *name; /* for people */
	const struct index *index;
	/* Writes what weft stat prints; the calls come one at a time. False
	 * with err: what was asked is not possible. NULL: the trace itself is
	 * not there. */
	bool (*stat)(void *arg, const struct serve_stat *what, struct doc *to,
		struct err *err);
	/* True if an input is newer than the index; or NULL. */
	bool (*changed)(void *arg);
	void *arg;
};

#endif
