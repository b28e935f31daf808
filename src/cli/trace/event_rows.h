/* SPDX-License-Identifier: MIT */
/*
 * event_rows.h - the events of a trace as rows of a database (export/db/db.h),
 * for weft convert --events.
 */
#ifndef WEFT_CLI_TRACE_EVENT_ROWS_H
#define WEFT_CLI_TRACE_EVENT_ROWS_H

#include <stdbool.h>

#include "cli/trace/pipeline.h"

struct event_rows;

/*
 * Opens the trace at `path` a second time, by a pipeline of its own, of which r
 * holds the options. Returns NULL with err if it has no events, or they cannot
 * be read. The result is in the pipeline's arena.
 */
struct event_rows *event_rows_open(
	struct pipeline *r, const char *path, struct err *err);

/* Gives the sink the events that the filters keep, and closes the pipeline. The
 * sink is one of sink_sqlite that has got no call yet; or NULL: there is
 * none. */
void event_rows_put(struct event_rows *e, struct sink *db);

#endif
