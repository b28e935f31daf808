/* SPDX-License-Identifier: MIT */
/*
 * shape.h - lists the options that shape the records of a trace. An index that
 * was made with other options is stale.
 */
#ifndef WEFT_CLI_TRACE_SHAPE_H
#define WEFT_CLI_TRACE_SHAPE_H

#include "cli/trace/pipeline.h"

/* Returns the options as text, for index_identity() and index_stale(). */
const char *run_shape(struct arena *a, const struct pipeline *r);

#endif
