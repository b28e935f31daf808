/* SPDX-License-Identifier: MIT */
/*
 * pipeline.h - the pipeline of every command that reads or emulates a trace:
 * open the trace, feed a sink, report the findings.
 */
#ifndef WEFT_CLI_TRACE_PIPELINE_H
#define WEFT_CLI_TRACE_PIPELINE_H

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

struct code_names;
struct short_calls;
struct emu_part;
struct inputs;
struct parts_found;
struct record_trace;
struct task_trace;

struct pipeline {
	/* Options of the command line. */
	const char *const
		*paths; /* several inputs (pipeline_inputs.c), as given */
	int npaths;     /* 0 or 1: pipeline_open() names the only
	                 * one */
	const char *relate[CMD_TEXTS + 1]; /* B=A+TIME; NULL ends */
	bool beside;                       /* all inputs begin at 0 */
	const char *clock_table;
	int64_t max_findings;
	int64_t max_unpack; /* GiB that an archive may unpack to; 0: 64 */
	bool all_models, breakdown;
	const char *spill_folder; /* directory of temporary files; NULL:
	                           * TMPDIR */
	bool strict; /* stop at the first error, as the ovni tools do */
	/* Paths of model files, with commas; or NULL. */
	const char *model_files;
	struct model_list models; /* models read from model_files */
	int errors;               /* enum emu_errors */
	bool no_names;      /* nobody sees names of code: debug information is
	                     * not read */
	bool lint;          /* also check which states threads leave open at
	                     * the end */
	bool heap_order;    /* order events with equal clocks as the ovni
	                     * tools do */
	bool raw_clocks;    /* use the streams' clocks as they are, even if
	                     * they go back */
	bool merge_all;     /* read every stream below the path, as the ovni
	                     * tools do */
	bool as_stored;     /* read CTF that was written from another format as
	                     * CTF */
	bool unmerged;      /* the order of events does not matter */
	bool quiet;         /* report only the findings, not the progress of the
	                     * pipeline */
	bool keeps_files;   /* no output may replace a file of the input */
	bool no_seek;       /* neither use nor write a seek file */
	bool reads_only;    /* nothing is emulated, so nothing is inferred */
	bool plays_tasks;   /* the input may also be a simulator's store, or a
	                     * file of records */
	bool takes_pipe;    /* the path "-" is standard input */
	bool counts_inside; /* count the events of the window in `inside` */
	bool may_stop;      /* SIGINT ends the command regularly: no finding,
	                     * no failure */
	struct filter_args filter;
	int compat;      /* enum compat_kind minus 1; -1: none */
	int64_t which;   /* run number in a simulator's store; 0: the last */
	int64_t threads; /* 1: use one thread; 0: use as many as there are
	                  * free CPUs */

	struct arena arena;
	struct arena sink_arena; /* arena of the sinks, which may run on another
	                          * thread */
	struct findings findings;
	struct source *source;
	struct gap_notes *gaps;   /* notes on a trace with lost events; else
	                           * NULL */
	struct code_names *names; /* functions in the programs; opened when
	                           * needed */
	struct short_calls *short_calls; /* adds up calls; or NULL */
	struct mends *mends;      /* receives what is inferred; or NULL */
	struct task_trace *tasks; /* tasks of a simulator's store; NULL: the
	                           * input is a trace */
	uint64_t events;
	uint64_t inside; /* number of events in the window */
	uint64_t
		samples; /* perf: samples in the window, which no state shows */
	int nthreads; /* number of threads, also those that only events name */
	int nprocesses;   /* processes that have a thread or are named by the
	                   * metadata */
	int64_t duration; /* ns */
	bool has_stacks;  /* the threads have stacks, so a state can be open at
	                   * the end */
	/* Called at the end for each stack of a thread that is not empty; or
	 * NULL. */
	void (*on_open)(void *arg, const struct emu_open_stack *open);
	void *open_arg;
	bool stopped; /* a signal stopped the pipeline; all earlier events were
	               * emulated */
	int64_t begins; /* time of the first event; TRACE_UNKNOWN before it was
	                 * emulated */
	struct emu_part *part;     /* emulates a part of the trace (parts.h); or
	                            * NULL */
	struct parts_found *found; /* findings of parts */
	const struct parts_losses *losses; /* of several processes; or NULL */
	enum exit_code refused; /* EXIT_NO: the inputs are not related; or
	                         * EXIT_USAGE */
	struct inputs *inputs;  /* several inputs; or NULL */
	/* A file of records; NULL: the input is another one. */
	struct record_trace *records;
};

/* How many findings are printed by default. `weft check` prints more: its list
 * then has about 30 MB. */
#define RUN_FINDINGS 20
#define RUN_FINDINGS_CHECK 100000

#define RUN_DEFAULTS \
	{ \
		.max_findings = RUN_FINDINGS, .compat = -1 \
	}

/* Rows of an option table that fill a struct pipeline r: for commands that
 * emulate a trace, for those that know models, for those that read a trace. */
#define EMULATE_OPTIONS(r) \
	{ 'a', "all-models", NULL, \
		"enable all models, also those that no thread requires", \
		.flag = &(r).all_models }, \
		{ 0, "errors", "MODE", \
			"if several threads run on a CPU: show (error), null " \
			"(nothing), all", \
			.choice = &(r).errors, .choices = "show,null,all" }, \
	{ \
		0, "strict", NULL, \
			"infer nothing, stop at the first error in the trace", \
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
			"neither use nor write TRACE.weft/" SEEK_FILE \
			", the index for --from", \
			.flag = &(r).no_seek }, \
		{ 0, "max-unpack", "GB", \
			"unpack at most GB of an archive (default: 64)", \
			.number = &(r).max_unpack }, \
	{ \
		0, "max-findings", "N", \
			"print at most N findings (default 20); all are " \
			"counted", \
			.number = &(r).max_findings \
	}

/* Rows for commands that take several inputs. */
#define INPUT_OPTIONS(r) \
	{ 0, "relate", "RELATION", \
		"B=A+TIME: input B begins at that time of input A", \
		.texts = (r).relate }, \
	{ \
		0, "side-by-side", NULL, "all inputs begin at time 0", \
			.flag = &(r).beside \
	}

/* Reads models from files, whose names are separated by commas; files may be
 * NULL. On failure returns false after printing the line with the mistake. */
bool pipeline_read_models(
	struct arena *a, const char *files, struct model_list *to);

/* Opens the trace, or all inputs if there are several; then `path` is the
 * first. On failure prints why and returns false. */
bool pipeline_open(struct pipeline *r, const char *path);

/* Lets no output replace a file that the open input was read from
 * (base/keep.h), if r->keeps_files. `path` is the input as the user named it.
 */
void pipeline_keep_files(const struct pipeline *r, const char *path);

/* Returns the path of what pipeline_open() reads of an input: the path itself,
 * or that of what is in an archive. NULL after printing an error. */
const char *pipeline_unpacked(const struct pipeline *r, const char *path);

/* Returns the exit code of a command whose pipeline_open() returned false. */
enum exit_code pipeline_closed(const struct pipeline *r);

/* Takes the inputs of a command line: one path, or several. */
void pipeline_take_paths(struct pipeline *r, char *const *paths, int n);

/*
 * Opens the sinks of a list of formats (sinks.h), which write into dir. They
 * run on a thread of their own if r->threads allows it. Returns NULL and sets
 * err on failure.
 */
struct sink *pipeline_sinks(struct pipeline *r, const char *formats,
	const char *dir, const struct sink_setup *setup, struct err *err);

/* Puts a queue in front of a sink, if r->threads allows it. The sink's memory
 * must be from r->sink_arena. */
struct sink *pipeline_queue(struct pipeline *r, struct sink *sink);

/* Declares all rows, types and labels to the sink and emulates nothing: the
 * trace can still be emulated afterwards. On failure returns false and sets
 * err. */
bool pipeline_declare(struct pipeline *r, struct sink *sink, struct err *err);

/* Resolves the options of r->filter for the open trace. If one is malformed
 * or matches nothing, returns false and sets err to a text for
 * cmd_usage_error(). */
bool pipeline_resolve_filter(struct pipeline *r, struct err *err);

/* Returns the pipeline's emulator, for callers that take its events one by one.
 * The emulator lives in the arena a. Returns NULL and sets err if the trace is
 * too large. */
struct emu *pipeline_emu(struct pipeline *r, struct arena *a, struct sink *sink,
	struct err *err);

/* Returns every available model: built in, from the user's files, and declared
 * by the trace if that is open. NULL ends the list. */
const struct model *const *pipeline_models(struct pipeline *r);

/* Reports that no available model has that name, and which one was probably
 * meant; returns EXIT_USAGE. */
enum exit_code pipeline_no_model(
	struct pipeline *r, const struct cmd *cmd, const char *name);

/* Emulates the trace into the sink, with a progress bar on a terminal. Returns
 * false and sets err if the trace is too large. */
bool pipeline_emulate(struct pipeline *r, struct sink *sink, struct err *err);

/* For inputs that are not emulated (pipeline_play.c). Open a simulator's store
 * or a file of records: false with err if that fails, r->source NULL if the
 * path is neither; declare their rows and types, and return false if the input
 * is neither; pass their records to the sink. */
bool pipeline_open_played(
	struct pipeline *r, const char *path, struct err *err);
bool pipeline_declare_played(struct pipeline *r, struct sink *sink);
bool pipeline_play(struct pipeline *r, struct sink *sink, struct err *err);

/* Says why the input cannot be opened, or which other command reads it. */
void pipeline_say_unreadable(
	struct pipeline *r, const char *path, const struct err *err);

/*
 * For several inputs (pipeline_inputs.c). Open all and relate their clocks, so
 * that r->source reads all of them, leaving out with an error those that cannot
 * be opened; declare all rows, types and labels; emulate all; add the findings
 * of the inputs to those of the pipeline, perhaps again; close them.
 */
bool pipeline_open_inputs(struct pipeline *r);
bool pipeline_declare_inputs(
	struct pipeline *r, struct sink *sink, struct err *err);
bool pipeline_emulate_inputs(
	struct pipeline *r, struct sink *sink, struct err *err);
void pipeline_take_findings(struct pipeline *r);
void pipeline_close_inputs(struct pipeline *r);

/* Returns the end of the name of the directory of outputs, which follows the
 * path of the first input: ".weft", or "+B.weft". */
const char *pipeline_suffix(struct arena *a, const struct pipeline *r);

/* Returns a text that changes when one of the inputs behind the first does, for
 * the identity of an index. */
const char *pipeline_inputs_shape(struct arena *a, const struct pipeline *r);

/* Passes the findings to the sink, each at its time. */
void pipeline_tell_findings(const struct pipeline *r, struct sink *sink);

/* Returns true if some model writes records in the past. */
bool pipeline_writes_past(const struct pipeline *r);

/* Returns the directory for temporary files. */
const char *pipeline_spill_folder(const struct pipeline *r);

/* Adds the finding that the run was interrupted at r->duration (undo.h:
 * pipeline_compat() and pipeline_emulate() note the first signal). */
void pipeline_say_stopped(struct pipeline *r);

/* Converts the trace with the records of ctf2prv (emu/compat). Returns false
 * and sets err on failure. */
bool pipeline_compat(struct pipeline *r, struct sink *sink, struct err *err);

/* Prints the findings to standard error. Returns EXIT_NO if one is an error. */
enum exit_code pipeline_report(const struct pipeline *r);

/* Frees everything. */
void pipeline_close(struct pipeline *r);

/* Prints the error to standard error and returns EXIT_UNABLE, or EXIT_USAGE if
 * it is ERR_USAGE. */
enum exit_code pipeline_unable(const struct err *err);

/* Does the same for a failed output, and proposes -o DIR. */
enum exit_code pipeline_unable_output(const struct err *err);

#endif
