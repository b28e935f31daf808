/* SPDX-License-Identifier: MIT */
/*
 * filter_args.h - the options that choose a part of a trace: states for
 * commands that emulate the trace, events (events.h) for commands that read
 * events.
 *
 *	FILTER_WINDOW(r.filter, NULL), FILTER_OPTIONS(r.filter),
 *	                                   (in its option table)
 *	if (!pipeline_resolve_filter(&r, &err))         (the trace is open)
 *		return cmd_usage_error(&cmd_emu, "%s", err.text);
 *	sink = filter_args_open(&r->filter, &r->arena, sink);
 *
 * Threads and CPUs are named by their numbers in the trace: --thread alone
 * shows no CPU, --cpu alone no thread, both options show both. --loom narrows
 * either. Rows that are computed over all CPUs are shown only if every row is
 * kept. An option that matches nothing in the trace is a usage error, and the
 * message lists the possible values.
 */
#ifndef WEFT_CLI_TRACE_FILTER_ARGS_H
#define WEFT_CLI_TRACE_FILTER_ARGS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "cli/trace/proposals.h"
#include "cli/trace/type_list.h"
#include "export/filter.h"

struct arena;
struct model;
struct trace;

/* The rows of one class, indexed by their position in the class. */
struct filter_rows {
	bool *keep;
	int n;
	int seen;    /* rows declared so far */
	bool any;    /* at least one is kept */
	bool by_tid; /* threads that are known only from their events */
};

struct filter_args {
	const char *unit; /* unit of the trace's times: "ns" or "ps" */
	/* Options of the command line; lists have commas. NULL: not given. */
	const char *from, *to;
	const char *threads, *cpus, *looms, *models, *types, *views;
	bool is_lenient; /* an item that names nothing in this trace is no
	                  * error: another input may have it */
	bool rows_apart; /* rows are chosen in front of this filter */
	bool of_events;  /* filters events: --only-model compares the event's
	                  * model */

	/* The rows, types and times that the options select in the open
	 * trace. */
	struct filter_options options;
	struct filter_rows thread, cpu;
	const char *needed; /* types that are kept in any case, with commas;
	                     * or NULL */
	bool *streams;      /* by stream, true if its thread is kept; NULL:
	                     * all */
	/* Threads that only events name, as in CTF: their TIDs, and which of
	 * them have appeared. */
	bool by_tid;
	bool types_later, type_met; /* types may appear with their first record;
	                             * one did */
	int ntids;
	int64_t *tid;
	bool *tid_met;
};

/*
 * Rows of an option table that fill a struct filter_args f. words: the option
 * that was spelled --to in the previous version ("format"); it gets an argument
 * of --to that cannot be a time. NULL: there is none.
 */
#define FILTER_WINDOW(f, words) \
	{ 0, "from", "TIME", \
		"leave out all before TIME: ns since the start, 1.5s, " \
		"@CLOCK, 14:03:10.5", \
		.text = &(f).from }, \
	{ \
		0, "to", "TIME", \
			"leave out all from TIME on; +5ms: 5 ms after " \
			"--from", \
			.text = &(f).to, .old_words = (words) \
	}
#define FILTER_OPTIONS(f) \
	{ 0, "thread", "LIST", "only these threads, by TID", \
		.text = &(f).threads }, \
		{ 0, "cpu", "LIST", \
			"only these CPUs, by the kernel's number; -1: the " \
			"virtual CPU", \
			.text = &(f).cpus }, \
		{ 0, "loom", "LIST", "only threads and CPUs of these looms", \
			.text = &(f).looms }, \
		{ 0, "only-model", "LIST", "only these models", \
			.text = &(f).models, .words = propose_models }, \
		{ 0, "type", "LIST", \
			"only these types of state: key or Paraver number; " \
			"cpu:KEY: that of CPUs", \
			.text = &(f).types, .words = propose_types }, \
	{ \
		'v', "view", "LIST", "only what these views show, by name", \
			.text = &(f).views, .words = propose_views \
	}

/*
 * Resolves the options for an open trace. If one is malformed or matches
 * nothing, returns false and sets err to a text for cmd_usage_error().
 */
bool filter_args_resolve(
	struct filter_args *f, const struct filter_trace *of, struct err *err);

/* Returns a filter in front of `next`, or `next` itself if no option was given.
 * f is borrowed for the life of the sink. */
struct sink *filter_args_open(
	struct filter_args *f, struct arena *a, struct sink *next);

/* Returns true if any filter option was given. */
bool filter_args_any(const struct filter_args *f);

/* Returns true if --from or --to was given. */
static inline bool
filter_args_window(const struct filter_args *f)
{
	return f->from != NULL || f->to != NULL;
}

/* Returns true if the list of --type is NULL or names the type, of which only
 * class, key and number need be set. */
bool filter_args_is_type(const char *list, const struct type *type);

/* Returns true if the list (with commas) has this item, or if list is NULL. */
bool filter_args_listed(const char *list, const char *item);

/* Returns true if the thread, which only events name, is kept. Notes that the
 * thread appeared. */
bool filter_args_keeps_tid(struct filter_args *f, int64_t tid);

/* Warns if the window begins after the end of the trace, and about threads that
 * no event named. */
void filter_args_report(const struct filter_args *f, int64_t duration);

#endif
