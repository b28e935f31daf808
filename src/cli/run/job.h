/* SPDX-License-Identifier: MIT */
/*
 * job.h - one execution of weft run: what the options ask for, what records
 * where threads run, and what the program left behind.
 */
#ifndef WEFT_CLI_RUN_JOB_H
#define WEFT_CLI_RUN_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"
#include "cli/cmd.h"
#include "cli/run/launch.h"
#include "cli/run/measure.h"
#include "cli/run/ready.h"
#include "cli/run/recorded.h"
#include "cli/run/unsaid_page.h"
#include "cli/run/watch.h"
#include "cli/run/watch_perf.h"
#include "cli/run/watch_proc.h"

enum how { HOW_AUTO, HOW_PERF, HOW_PROC, HOW_OFF };

struct run_job {
	struct arena arena;
	const char *output, *events[CMD_TEXTS];
	const char *collect; /* list of collectors; never NULL while it runs */
	bool is_usual;       /* the user gave no list */
	int how;             /* enum how as requested, later as used */
	bool is_wanted;      /* --threads perf or proc: keep the record of where
	                      * threads ran beside the program's own trace */
	bool adds_kernel;    /* the context switches are added to it */
	bool has_samples;    /* ... and samples of when threads were ready */
	int why; /* errno, if the kernel reports no context switches */

	char **argv;
	const char *folder; /* absolute path */
	const char *ovni;   /* directory in it, where the program records */
	VEC(const char *)
	traces;                     /* names in that directory, after the
	                             * program has ended */
	const char *seen;           /* the trace that shows where threads ran */
	struct unsaid_lines unsaid; /* the recorder's warnings */
	const char *others; /* programs that could not be recorded, or NULL */
	bool has_both;      /* `seen` exists beside the program's own trace */
	struct launch launch;
	struct watch watch;
	uint64_t cut;     /* context switches refused by WEFT_MAX_MB */
	bool is_refused;  /* not recorded because of WEFT_FULL=overwrite */
	const char *full; /* a directory on a full disk at the end, or NULL */
	struct ready ready;
	int64_t next_sample; /* its time, ns */
	struct watch_perf perf;
	struct watch_proc proc;
	struct measure memory;
};

/* Repeats the recorder's warnings; not with -q. */
void job_say_unsaid(const struct run_job *j);

/* Names the programs that could not be recorded. */
void job_say_others(const struct run_job *j);

/* Reports a memory measurement; if there is none and the program emitted no
 * events, says why. weft: the command as the shell finds it. Returns true if
 * there is a measurement. */
bool job_say_memory(struct run_job *j, const char *weft, bool has_events);

/* Reports what was recorded, where the time of the threads went, and which
 * commands show it. own: the program emitted events. */
void job_say_recorded(struct run_job *j, const struct recorded *r, bool own,
	const char *weft);

#endif
