/* SPDX-License-Identifier: MIT */
/*
 * run.h - what every command that emulates a trace does: open it, feed a sink,
 * say what was found.
 */
#ifndef WEFT_CLI_TRACE_RUN_H
#define WEFT_CLI_TRACE_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include "cli/cmd.h"
#include "cli/trace/filter_args.h"
#include "emu/emu.h"
#include "emu/model_file.h"
#include "export/sink.h"
#include "trace/seek.h"
#include "trace/source.h"

struct run_tasks;

struct run {
	/* Options of the command line. */
	const char *clock_table;
	int64_t max_findings;
	bool all_models, breakdown;
	const char *spill_folder; /* what memory cannot hold; NULL: TMPDIR */
	bool strict; /* stop at the first error, as the ovni tools do */
	const char *model_files;  /* with commas, or NULL */
	struct model_list models; /* that were read from them */
	int errors;               /* enum emu_errors */
	bool lint;          /* also check what threads leave open at the end */
	bool heap_order;    /* of events with equal clocks, as there */
	bool raw_clocks;    /* of the streams, in whatever order they are */
	bool merge_all;     /* whatever lies below the path, as there */
	bool unmerged;      /* the order of events does not matter */
	bool quiet;         /* of what is emulated only findings count */
	bool no_seek;       /* the trace has no seek file, and gets none */
	bool reads_only;    /* nothing is emulated: so nothing is inferred */
	bool plays_tasks;   /* a simulator's store will do for a trace */
	bool counts_inside; /* of a window: r->inside is wanted */
	bool may_stop;      /* ^C is a way to end the run, and no failure */
	struct filter_args filter;
	int compat;      /* enum compat_kind less 1; -1: none */
	int64_t which;   /* run of a simulator's store; 0: the last */
	int64_t threads; /* 1: all on one; 0: as many as have a free CPU */

	struct arena arena;
	struct arena sink_arena; /* of the sinks, which may have a thread */
	struct findings findings;
	struct source *source;
	struct gap_notes *gaps;  /* of a trace with lost events; else NULL */
	struct mends *mends;     /* gets what is inferred; or NULL */
	struct run_tasks *tasks; /* of a simulator's store; else NULL */
	uint64_t events;
	uint64_t inside;  /* of them: those in the window */
	int nthreads;     /* also those that events told of */
	int nprocesses;   /* with a thread, or named by the metadata */
	int64_t duration; /* ns */
	/* Called at the end for what threads have open; or NULL. */
	bool has_stacks; /* some state of threads can be open, after a run */
	void (*on_open)(void *arg, const struct emu_open_stack *open);
	void *open_arg;
	bool stopped; /* by a signal; all before it was emulated */
};

/* Findings that are told unless the user says how many; check's are 30 MB. */
#define RUN_FINDINGS 20
#define RUN_FINDINGS_CHECK 100000

#define RUN_DEFAULTS \
	{ \
		.max_findings = RUN_FINDINGS, .compat = -1 \
	}

/* Rows of an option table that fill a struct run r: of commands that read a
 * trace, of those that also emulate it, and of those that know models. */
#define EMULATE_OPTIONS(r) \
	{ 'a', "all-models", NULL, \
		"enable all models, also those that no thread requires", \
		.flag = &(r).all_models }, \
		{ 0, "errors", "MODE", \
			"CPUs with too many threads: show, null or all", \
			.choice = &(r).errors, .choices = "show,null,all" }, \
	{ \
		0, "strict", NULL, "infer nothing, stop at the first error", \
			.flag = &(r).strict \
	}
#define RUN_MODEL_OPTION(r) \
	{ \
		'm', "model", "FILES", "models from text files, with commas", \
			.text = &(r).model_files \
	}
#define READ_OPTIONS(r) \
	{ 'c', "clocks", "FILE", "table of clock offsets between hosts", \
		.text = &(r).clock_table }, \
		RUN_MODEL_OPTION(r), \
		{ 0, "no-seek", NULL, \
			"read all: neither use nor write " \
			"TRACE.weft/" SEEK_FILE, \
			.flag = &(r).no_seek }, \
	{ \
		0, "max-findings", "N", \
			"print at most N findings (default 20); all are " \
			"counted", \
			.number = &(r).max_findings \
	}

/* Reads models from files, names with commas or NULL. False with a message
 * that shows where the mistake is. */
bool run_read_models(struct arena *a, const char *files, struct model_list *to);

/* Opens the trace. False with a message. */
bool run_open(struct run *r, const char *path);

/*
 * Opens the formats of a list to write into dir (sinks.h), behind a thread of
 * their own if r->threads allows. NULL with err.
 */
struct sink *run_sinks(struct run *r, const char *formats, const char *dir,
	const struct sink_setup *setup, struct err *err);

/* Tells the sink which rows, types and labels it will have, and nothing more:
 * the trace can still be emulated. False with err as below. */
bool run_declare(struct run *r, struct sink *sink, struct err *err);

/* Reads the options of r->filter, for the open trace. False with err, a text
 * for cmd_usage_error(), if one is malformed or fits nothing. */
bool run_resolve_filter(struct run *r, struct err *err);

/* The emulator of the run, for who takes its events one by one. It lives in the
 * arena a. NULL with err if the trace is too large. */
struct emu *run_emu(
	struct run *r, struct arena *a, struct sink *sink, struct err *err);

/* All models that there are: of the build, of the user, and those that the
 * trace declares, if it is open; NULL ends. */
const struct model *const *run_models(struct run *r);

/* Emulates it into the sink, with a progress bar on a terminal. False with
 * err if the trace is too large. */
bool run_emulate(struct run *r, struct sink *sink, struct err *err);

/* Where temporary files go. */
const char *run_spill_folder(const struct run *r);

/* ^C, SIGTERM and SIGALRM end the run in an orderly way from now on, the second
 * of a kind at once. Both run_compat() and run_emulate() do this. */
void run_catch_interrupt(void);

/* True after the first of these signals. */
bool run_is_stopped(void);

/* Adds the finding that the run was interrupted at r->duration. */
void run_say_stopped(struct run *r);

/* As ctf2prv does it (emu/compat). False with err. */
bool run_compat(struct run *r, struct sink *sink, struct err *err);

/* The times that were looked at, for people: "56.278 ms", or of a window
 * "10.000 ms of 56.278 ms". */
const char *run_span_text(const struct run *r, char to[96]);

/* Prints the findings on standard error; EXIT_NO if one is an error. */
enum exit_code run_report(const struct run *r);

/* Frees everything. */
void run_close(struct run *r);

/* One line on standard error, and EXIT_UNABLE. */
enum exit_code run_unable(const struct err *err);

/* The same of a place to write to: -o gives another. */
enum exit_code run_unable_output(const struct err *err);

#endif
