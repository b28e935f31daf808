/* SPDX-License-Identifier: MIT */
/*
 * convert_job.h - the command line of weft convert, and what its output is to
 * be.
 */
#ifndef WEFT_CLI_TRACE_CONVERT_JOB_H
#define WEFT_CLI_TRACE_CONVERT_JOB_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/vec.h"
#include "cli/trace/pipeline.h"
#include "export/compress.h"
#include "export/sink.h"

struct format;

#define CONVERT_OPTIONS 32

enum time_unit { UNIT_NS, UNIT_PS };

/* The command line, the format it asks for, and the result. */
struct convert_job {
	struct pipeline r;
	struct pipeline second; /* the same options, to read the events */
	const char *in, *path;  /* path: of the output; "-": standard output */
	const char *outputs[CMD_TEXTS + 1]; /* as given; one is right */
	const char *format, *class, *settings;
	bool list, json;
	bool events;  /* a database gets the events, too */
	bool sampled; /* a timeline of samples */
	int compress; /* enum compress_kind; -1: as the name says */
	int64_t level;
	int time_unit; /* enum time_unit; -1: that of the trace */

	const struct format *to;
	struct compress_options packing;
	const char *options[CONVERT_OPTIONS + 1];
	VEC(const char *) files; /* the files for Paraver */
	VEC(struct loss) losses;
};

static inline bool
convert_to_stdout(const struct convert_job *j)
{
	return strcmp(j->path, "-") == 0;
}

/* Chooses the output's format, its compression and its options, and checks all
 * that can be known before the trace is opened. Returns false with err. */
bool convert_choose(struct convert_job *j, struct err *err);

/* Returns an option that says nothing about events and samples, or NULL. */
const char *convert_option_of_states(const struct convert_job *j);

#endif
