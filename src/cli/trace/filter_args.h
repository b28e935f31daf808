/* SPDX-License-Identifier: MIT */
/*
 * filter_args.h - the options that choose a part of a trace: of its states for
 * commands that emulate one, of its events (events.h) for those that read it.
 *
 *	FILTER_WINDOW(r.filter, NULL), FILTER_OPTIONS(r.filter),
 *		                                  (in its option table)
 *	if (!run_resolve_filter(&r, &err))                (the trace is open)
 *		return cmd_usage_error(&cmd_emu, "%s", err.text);
 *	sink = filter_args_open(&r->filter, &r->arena, sink);
 *
 * Threads and CPUs are chosen by the numbers that the trace knows them by:
 * --thread alone shows no CPU, --cpu alone no thread, both show both. --loom
 * narrows either. What is computed over all CPUs is shown only if all rows are.
 * An option that fits nothing in the trace is a mistake in asking, and the
 * message lists what there is.
 */
#ifndef WEFT_CLI_TRACE_FILTER_ARGS_H
#define WEFT_CLI_TRACE_FILTER_ARGS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "export/filter.h"

struct arena;
struct model;
struct trace;

/* Rows of one class, by their position in it. */
struct filter_rows {
	bool *keep;
	int n;
	int seen;    /* while the rows are declared */
	bool any;    /* one is kept */
	bool by_tid; /* threads, which are not known before their events */
};

struct filter_args {
	const char *unit; /* of the times of the trace that it is for */
	/* Options of the command line; lists have commas. NULL: not given. */
	const char *from, *to;
	const char *threads, *cpus, *looms, *models, *types, *views;
	bool of_events; /* they choose events: a model is that of an event */

	/* What they mean in the trace. */
	struct filter_options options;
	struct filter_rows thread, cpu;
	const char *needed; /* types kept whatever is asked for, or NULL */
	bool *streams;      /* those whose thread is kept; NULL: all */
	/* Threads that only events tell of, as in CTF: their tids, and which
	 * were met. */
	bool by_tid;
	int ntids;
	int64_t *tid;
	bool *tid_met;
};

/*
 * Rows of an option table that fill a struct filter_args f. words: the option
 * that --to was, too, where it took words; or NULL.
 */
#define FILTER_WINDOW(f, words) \
	{ 0, "from", "TIME", \
		"only from there on: ns since the start, 1.5s, " \
		"@CLOCK, 14:03:10.5", \
		.text = &(f).from }, \
	{ \
		0, "to", "TIME", \
			"only up to there, without that moment; +5ms: after " \
			"--from", \
			.text = &(f).to, .old_words = (words) \
	}
#define FILTER_OPTIONS(f) \
	{ 0, "thread", "LIST", "only these threads, by TID", \
		.text = &(f).threads }, \
		{ 0, "cpu", "LIST", \
			"only these CPUs, by the kernel's number (-1: the " \
			"virtual one)", \
			.text = &(f).cpus }, \
		{ 0, "loom", "LIST", "only threads and CPUs of these looms", \
			.text = &(f).looms }, \
		{ 0, "only-model", "LIST", "only these models", \
			.text = &(f).models }, \
		{ 0, "type", "LIST", \
			"only these types of state: key or Paraver number", \
			.text = &(f).types }, \
	{ \
		'v', "view", "LIST", "only what these views show, by name", \
			.text = &(f).views \
	}

/* The trace that is filtered. */
struct filter_trace {
	struct arena *arena;
	const struct trace *trace;
	const struct model *const *models; /* all that there are; NULL ends */
	/* Tells the sink which rows, types and labels there will be. */
	bool (*declare)(void *arg, struct sink *sink, struct err *err);
	void *arg;
};

/*
 * Reads the options, for an open trace. False with err, a text for
 * cmd_usage_error(), if one is malformed or fits nothing.
 */
bool filter_args_resolve(
	struct filter_args *f, const struct filter_trace *of, struct err *err);

/* A filter in front of `next`, or `next` itself if nothing was asked for.
 * f is borrowed for the life of the sink. */
struct sink *filter_args_open(
	struct filter_args *f, struct arena *a, struct sink *next);

/* True if anything was asked for. */
bool filter_args_any(const struct filter_args *f);

/* True if it was a window of time. */
static inline bool
filter_args_window(const struct filter_args *f)
{
	return f->from != NULL || f->to != NULL;
}

/* True if a list with commas has this item, or if there is no list. */
bool filter_args_listed(const char *list, const char *item);

/* True if a thread that only events tell of is kept; notes that it was met. */
bool filter_args_keeps_tid(struct filter_args *f, int64_t tid);

/* Warns if the window begins after the end of the trace, and of threads that
 * no event told of. */
void filter_args_report(const struct filter_args *f, int64_t duration);

#endif
