/* SPDX-License-Identifier: MIT */
/*
 * view.h - a trace that weft view shows: its index, made if there is none that
 * is true, and what the server asks of the trace itself.
 */
#ifndef WEFT_CLI_VIEW_VIEW_H
#define WEFT_CLI_VIEW_VIEW_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "cli/trace/pipeline.h"
#include "export/index/index.h"

struct doc;
struct serve;
struct serve_stat;

struct view_trace {
	struct pipeline
		options;  /* of the command line, before anything is opened */
	const char *path; /* as given */
	bool no_file;     /* leave no index beside the trace */

	struct arena arena;
	struct index *index;
	bool is_index; /* it was given: the trace itself is not known */
	bool is_new;   /* the index was made now */
	const char *name, *shape; /* shape.h */
	enum exit_code code;      /* of the trace's findings */

	pthread_mutex_t lock; /* of what follows, for view_changed() */
	int64_t looked_ns, took_ns;
	bool changed;
};

/* Opens the index or makes it, and says why. False, said. */
bool view_open(struct view_trace *t);
void view_close(struct view_trace *t);

/* For the server (serve.h); arg is the struct view_trace. */
bool view_stat(void *arg, const struct serve_stat *what, struct doc *to,
	struct err *err);
/* Looks at the inputs, which are many files maybe, for a small share of the
 * time only; what was seen last counts meanwhile. Any thread. */
bool view_changed(void *arg);

#define VIEW_TEXT 2000 /* bytes of an address behind "#" */

/* Prints where the server is, and starts a browser if there is one. view: what
 * stands behind "#", or "". */
void view_print_address(const struct serve *s, const char *view, bool no_open);

#endif
