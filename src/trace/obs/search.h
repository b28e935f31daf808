/* SPDX-License-Identifier: MIT */
/*
 * search.h - finds the streams of a trace: directories with a stream.json, or
 * with a stream.obs and the name of a thread.
 */
#ifndef WEFT_TRACE_OBS_SEARCH_H
#define WEFT_TRACE_OBS_SEARCH_H

#include "base/err.h"
#include "trace/trace.h"

#define OBS_META "stream.json"
#define OBS_EVENTS "stream.obs"

/*
 * Fills the tables of the trace with the streams below a directory, in the
 * order of their names. merge_all: searches at any depth, and treats all
 * streams as one trace. has_clocks: a table of clock offsets shows that the
 * nodes belong together. Returns false with err if there is no stream, or more
 * than one trace.
 */
bool obs_search(struct trace *t, const char *root, bool merge_all,
	bool has_clocks, struct err *err);

/* Sets the application of processes that are known only by the names of their
 * directories. Call it when all metadata is read. */
void obs_search_end(struct trace *t);

#endif
