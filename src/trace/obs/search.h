/* SPDX-License-Identifier: MIT */
/*
 * search.h - the streams of a trace: the folders that have a stream.json, or a
 * stream.obs and a name that says whose it is.
 */
#ifndef WEFT_TRACE_OBS_SEARCH_H
#define WEFT_TRACE_OBS_SEARCH_H

#include "base/err.h"
#include "trace/trace.h"

#define OBS_META "stream.json"
#define OBS_EVENTS "stream.obs"

/*
 * Fills the tables of the trace with the streams below a folder, in the order
 * of their names. merge_all: however deep they lie, and whatever lies between;
 * has_clocks: a table of clocks says that the nodes are of one run. False with
 * err if there is none, or it is more than one trace.
 */
bool obs_search(struct trace *t, const char *root, bool merge_all,
	bool has_clocks, struct err *err);

/* Gives an application to each process of which nothing but the names of
 * folders is left. When all metadata is read. */
void obs_search_end(struct trace *t);

#endif
