/* SPDX-License-Identifier: MIT */
/*
 * parts_rounds.h - the records of several parts of a trace (parts.h) become one
 * output while the parts are emulated.
 *
 * Each process emulates until it has some records, and then joins a round, for
 * which it waits for all others. The processes exchange the records that are
 * earlier than the last ones of each: this window of time is cut into a slice
 * for each process, which writes the records of its slice. So no process keeps
 * more than a few MB of records, and every record is sent at most once.
 *
 * Files of lines are written in pieces (parts_files.h); other formats by the
 * first process, whose slice then is the whole window.
 */
#ifndef WEFT_CLI_TRACE_PARTS_ROUNDS_H
#define WEFT_CLI_TRACE_PARTS_ROUNDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "cli/trace/parts_files.h"
#include "cli/trace/parts_labels.h"
#include "cli/trace/parts_output.h"
#include "export/sink.h"

struct emu_part;
struct pipeline;
struct share;
struct team;

struct parts_rounds {
	/* Set by the caller. */
	struct pipeline *run;
	struct team *team;
	const struct parts_output *out;
	struct emu_part *part;
	struct arena *arena;
	bool by_entry; /* see parts_merge.h */

	struct share *share;  /* the records of this part */
	struct share **other; /* those that came from each process */
	struct parts_labels labels;
	struct parts_files files;
	struct parts_values *values; /* NULL: no breakdown */
	struct sink_pieces pieces;
	struct sink_setup setup;
	struct sink *sink;  /* the opened output; NULL: not yet */
	struct sink *front; /* what the records are passed to */
	size_t window;      /* bytes of records for which a round begins */
	int64_t bound;      /* all records before this time are written */
	int declared;       /* number of rows, types and so on */
	/* Owned: the records that go out and come in during a round. */
	struct parts_buffer {
		char *at;
		size_t room;
	} out_data, in_data;
	bool is_over;   /* no more rounds: a failure, or is_whole */
	bool is_whole;  /* see PARTS_WHOLE */
	bool is_cut;    /* some process shall end: all stop to emulate */
	struct err err; /* the first failure of this process */
};

/* Prepares the share into which this process emulates its part. */
void parts_rounds_begin(struct parts_rounds *r);

/* Takes part in the rounds until all processes have emulated their parts. err:
 * whether the emulation failed. Returns false if there is no output: `is_whole`
 * is set, or parts_rounds_close() tells the failure. */
bool parts_rounds_finish(struct parts_rounds *r, const struct err *err);

/* Completes the output; end: the end of the timeline. `good` false: removes it.
 * Returns false if it failed, with err in the first process. */
bool parts_rounds_close(
	struct parts_rounds *r, int64_t end, bool good, struct err *err);

#endif
