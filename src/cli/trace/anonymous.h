/* SPDX-License-Identifier: MIT */
/*
 * anonymous.h - copies a trace without what tells where it was recorded, and by
 * whom: names of hosts and users, arguments of commands, absolute paths.
 *
 * The copy has the files that the readers of traces need, and nothing else.
 * Every text keeps its length (base/scrub.h), so that metadata, streams and
 * names of directories stay valid for all tools.
 */
#ifndef WEFT_CLI_TRACE_ANONYMOUS_H
#define WEFT_CLI_TRACE_ANONYMOUS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/scrub.h"
#include "base/vec.h"
#include "trace/event.h"

struct pipeline;
struct source;

struct anonymous {
	struct pipeline *run; /* its trace is open */
	const char *title;    /* of the trace */

	/* What anonymous_find() found: */
	struct scrub scrub;
	const char *root; /* of the trace's files */
	const char *top;  /* the last part of the title, scrubbed */

	/* What anonymous_copy() made: */
	const char *dir;      /* temporary directory */
	const char *path;     /* of the copy, in it */
	VEC(int64_t) covered; /* by stream: bytes that were looked at */
};

/* Finds the names to take out. Returns false with err: there is no way to. */
bool anonymous_find(struct anonymous *n, struct err *err);

/* Copies the trace, whose names are found. Returns false with err: a name or a
 * text cannot be taken out, or a file cannot be read or written. */
bool anonymous_copy(struct anonymous *n, struct err *err);

/* Returns the path of the copy of a file, or NULL with err if the file is not
 * below the root of the trace. */
const char *anonymous_name(
	const struct anonymous *n, const char *file, struct err *err);

/* Takes texts out of the streams of the copy (anonymous_events.c). */
bool anonymous_events(struct anonymous *n, struct err *err);

#endif
