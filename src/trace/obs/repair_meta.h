/* SPDX-License-Identifier: MIT */
/*
 * repair_meta.h - writes a stream.json completed from the tables of the trace.
 */
#ifndef WEFT_TRACE_OBS_REPAIR_META_H
#define WEFT_TRACE_OBS_REPAIR_META_H

#include <stdbool.h>

#include "base/err.h"

struct arena;
struct findings;
struct stream;
struct trace;

enum repair_cpus {
	CPUS_KEEP,    /* the CPUs stay as they are */
	CPUS_REMOVE,  /* another stream of the node lists them */
	CPUS_REPLACE, /* the CPUs of the tables replace those of the file */
};

/* What the metadata of one stream must contain. */
struct repair_meta {
	const struct trace *trace;   /* completed */
	const struct stream *stream; /* a stream with a thread */
	bool cut;                    /* the stream ends where its writer was
	                              * killed */
	enum repair_cpus cpus;
	struct findings *done; /* findings about what was done */
};

/* Writes the completed metadata. Returns false with err when it cannot be
 * written. */
bool repair_meta(struct arena *a, const struct repair_meta *m, const char *to,
	struct err *err);

#endif
