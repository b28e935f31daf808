/* SPDX-License-Identifier: MIT */
/*
 * make.h - makes the index of a trace for weft view.
 */
#ifndef WEFT_CLI_VIEW_MAKE_H
#define WEFT_CLI_VIEW_MAKE_H

#include "cli/view/view.h"

struct make_options {
	/* Takes a complete index; its file may be removed afterwards. Returns
	 * false with err. */
	bool (*take)(void *arg, const char *file, struct err *err);
	/* Takes an index of the trace's beginning. NULL: make none. */
	void (*part)(void *arg, const char *file);
	void *arg;
	bool hushed; /* print neither findings nor why a trace cannot be
	              * opened */
};

/* What was made. */
struct made {
	enum exit_code code;
	bool complete;  /* the trace says that no more is recorded */
	char text[508]; /* the error, if the index could not be made */
};

/* Emulates the trace into an index. If the directory of outputs is full or not
 * writable, the index is a temporary file. On failure prints the error and
 * returns false. */
bool make_index(
	struct view_trace *t, const struct make_options *o, struct made *made);

/* Makes the index in this process, and opens it. */
bool make_here(struct view_trace *t);

/* Removes files that killed processes left beside an index. */
void make_clean(const char *dir);

/* Returns the bytes of the trace's files, but no more than `most`. */
int64_t make_bytes(const struct view_trace *t, int64_t most);

#endif
