/* SPDX-License-Identifier: MIT */
/*
 * convert_events.h - passes the events of a trace to a writer
 * (trace/writer.h), with what the models know of each class: names and types
 * of arguments, and a sentence.
 */
#ifndef WEFT_CLI_TRACE_CONVERT_EVENTS_H
#define WEFT_CLI_TRACE_CONVERT_EVENTS_H

#include <stdbool.h>

#include "cli/trace/pipeline.h"
#include "trace/writer.h"

struct convert_events {
	struct pipeline *run; /* the trace is open: events_prepare() */
	const struct writer_ops *ops;
	const char *path; /* of the output */
	writer_loss_fn *loss;
	void *arg; /* argument of loss() */
};

/* Writes the events that the filters keep. Returns false with err; *usage is
 * set if the command line is wrong. */
bool convert_events(
	const struct convert_events *c, bool *usage, struct err *err);

/* Returns what an interrupted conversion says of its output. */
const char *convert_stands(struct arena *a, const char *path, bool is_complete);

#endif
