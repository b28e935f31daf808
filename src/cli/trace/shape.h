/* SPDX-License-Identifier: MIT */
/*
 * shape.h - which options shape the records of a trace: an index made with
 * others is another one.
 */
#ifndef WEFT_CLI_TRACE_SHAPE_H
#define WEFT_CLI_TRACE_SHAPE_H

#include "cli/trace/pipeline.h"

/* The options in words, for index_identity() and index_stale(). */
const char *run_shape(struct arena *a, const struct pipeline *r);

#endif
