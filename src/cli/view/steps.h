/* SPDX-License-Identifier: MIT */
/*
 * steps.h - a sink that writes an index, and beside it indexes of the trace's
 * beginning, which are complete much earlier.
 *
 * Each of these parts has eight times as many records as the one before, so all
 * of them together cost at most a seventh of the index.
 */
#ifndef WEFT_CLI_VIEW_STEPS_H
#define WEFT_CLI_VIEW_STEPS_H

#include "export/sink.h"

struct steps_options {
	const struct sink_setup *setup; /* set-up of the index; borrowed */
	const char *dir, *file;         /* path of the index */
	const char *part; /* path of each part, which replaces the one before
	                   */
	uint64_t first;   /* records of the first part */
	uint64_t most;    /* most records of a part; below `first`: no parts */
	/* Called when a part is complete; the file is removed afterwards. */
	void (*made)(void *arg, const char *part);
	void *arg;
};

/* Opens the sink. Returns NULL with err. A part that fails is left out. */
struct sink *steps_open(
	struct arena *a, const struct steps_options *o, struct err *err);

#endif
