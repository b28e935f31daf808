/* SPDX-License-Identifier: MIT */
/*
 * causes.h - where the time of threads went, and why they waited, in a few
 * lines: at the end of weft run, and of weft stat --causes.
 */
#ifndef WEFT_CLI_TRACE_CAUSES_H
#define WEFT_CLI_TRACE_CAUSES_H

#include <stdbool.h>

#include "base/err.h"

struct pipeline;

/* Takes one line of text. */
typedef void causes_line_fn(const char *fmt, ...)
	__attribute__((format(printf, 1, 2)));

/* Emulates the open trace and hands the lines to fn. most: how many causes;
 * 0: all. Returns false and sets err if the trace is too large. */
bool causes_report(
	struct pipeline *r, int most, causes_line_fn *line, struct err *err);

/* Does the same as one JSON document on standard output, with all classes. */
bool causes_json(struct pipeline *r, int most, struct err *err);

/* Does the same for a trace that is not open, without findings. */
void causes_of(const char *trace, int most, causes_line_fn *line);

#endif
