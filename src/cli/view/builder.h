/* SPDX-License-Identifier: MIT */
/*
 * builder.h - a process that makes the index of a trace while the server
 * already runs, and tells the server's process how far it is.
 *
 *	builder_start(&b, trace, number)         (before any thread runs)
 *	b.wanted = true                          (again when it has to be anew)
 *	while (...)
 *		builders_step(b, n, &handlers, timeout)
 *	builder_stop(&b)
 *
 * The builder is a process of its own, because an emulation has state of its
 * own (signals, progress), and because a large trace may need more memory than
 * the server may use.
 */
#ifndef WEFT_CLI_VIEW_BUILDER_H
#define WEFT_CLI_VIEW_BUILDER_H

#include <sys/types.h>

#include "cli/view/view.h"

struct builder {
	struct view_trace *trace;
	int number;   /* the trace's number in the server */
	pid_t pid;    /* process id; 0: the process has ended */
	int fd;       /* -1: ended */
	bool wanted;  /* an index is wanted, and not begun yet */
	bool working; /* the process makes one */
	bool built;   /* the process has made the whole index, at least once */
	bool shown;   /* the process has made a part */
	bool failed;
	enum exit_code code; /* exit code, after the process ended */
};

/* The caller's functions for messages from builders. */
struct builder_handlers {
	/* Takes an index, which lies in the arena. */
	void (*show)(void *arg, struct builder *b, struct index *ix,
		struct arena *a, enum serve_state state);
	void (*progress)(
		void *arg, struct builder *b, int done, uint64_t records);
	/* The index could not be made. The trace may have another one: then
	 * the builder lives on. */
	void (*failed)(void *arg, struct builder *b, const char *why);
	void *arg;
};

/* Starts the process, which waits until an index is wanted. Returns false with
 * err. */
bool builder_start(
	struct builder *b, struct view_trace *t, int number, struct err *err);

/* Returns true if the whole trace has, or had, an index. */
bool builder_has_index(const struct builder *b);

/* Lets builders begin whose index is wanted, but only a few at once. */
void builders_begin(struct builder *b, int n);

/* Waits for news of n builders, but no longer than the time, and handles them.
 */
void builders_step(struct builder *b, int n, const struct builder_handlers *to,
	int timeout_ms);

/* Ends the process, and waits until it has cleaned up. */
void builder_stop(struct builder *b);

#endif
