/* SPDX-License-Identifier: MIT */
/* ctf2prv: the converter of Nanos6 traces, under its old name. */
#include "cli/old/ctf2prv.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/log.h"
#include "cli/old/options.h"
#include "cli/trace/pipeline.h"
#include "cli/undo.h"
#include "emu/compat/compat.h"

enum { OLD_OK = 0, OLD_FAILED = 1 };

static const char begin_of_prv[] = "#Paraver";

struct conversion {
	struct pipeline run;
	const char *trace, *dir;
	bool join;
};

static int
usage(void)
{
	fprintf(stderr,
		"Usage: ctf2prv [--fast] [-jq] [-o DIR] [-f TYPES] TRACE\n"
		"\n"
		"Converts the CTF trace of one rank, which is in TRACE/ctf, "
		"for "
		"Paraver.\n"
		"\n"
		"      --fast    what the fast converter writes\n"
		"  -f TYPES      only these types, with commas\n"
		"  -j            values of one event on one line (always so "
		"without --fast)\n"
		"  -o DIR        write into DIR (default: TRACE/prv)\n"
		"  -q            print nothing but errors\n"
		"  -h            this text\n"
		"\n"
		"CTF2PRV_TIMEOUT=MINUTES ends the conversion early.\n");
	return OLD_FAILED;
}

static bool
parse(struct conversion *c, int argc, char *argv[])
{
	static const struct option longs[] = {
		{ "fast", no_argument, NULL, 'F' }, { 0 }
	};
	int o;

	opterr = 0;
	while ((o = getopt_long(argc, argv, OLD_CTF_OPTIONS, longs, NULL)) !=
		-1) {
		if (o == 'F')
			c->run.compat = COMPAT_FAST - 1;
		else if (o == 'j')
			c->join = true;
		else if (o == 'q')
			log_quiet(true);
		else if (o == 'o')
			c->dir = optarg;
		else if (o == 'f')
			c->run.filter.types = optarg;
		else
			return false;
	}
	c->trace = optind == argc - 1 ? argv[optind] : NULL;
	return c->trace != NULL;
}

/* Returns true if the output replaces nothing but a Paraver trace. Any other
 * file stays. */
static bool
may_replace(struct arena *a, const char *dir, struct err *err)
{
	const char *path = arena_printf(a, "%s/trace.prv", dir);
	char begin[sizeof begin_of_prv] = "";
	FILE *file = fopen(path, "rb");
	size_t n;

	if (file == NULL)
		return true;
	n = fread(begin, 1, sizeof begin - 1, file);
	fclose(file);
	if (n == 0 || strcmp(begin, begin_of_prv) == 0)
		return true;
	return err_set(err, ERR_INPUT,
		"%s is no trace of Paraver: it is left as it is", path);
}

static bool
convert(struct conversion *c, struct err *err)
{
	struct pipeline *r = &c->run;
	struct sink_setup setup = { .unit = "ns",
		.original = true,
		.start_realtime = CLOCK_UNKNOWN,
		.start_monotonic = CLOCK_UNKNOWN,
		.rows_grow = true,
		.join = c->join || r->compat != COMPAT_FAST - 1,
		.no_cfg = true,
		.title = c->trace };
	struct sink *sink;
	bool ok;

	if (!may_replace(&r->arena, c->dir, err) ||
		!pipeline_resolve_filter(r, err))
		return false;
	sink = pipeline_sinks(r, "prv", c->dir, &setup, err);
	if (sink == NULL)
		return false;
	sink = filter_args_open(&r->filter, &r->arena, sink);
	r->spill_folder = c->dir;
	ok = pipeline_compat(r, sink, err);
	return sink_close(sink, ok ? err : &(struct err){ 0 }) && ok;
}

/* Returns the minutes of CTF2PRV_TIMEOUT, possibly a fraction; 0: none. */
static double
read_timeout(void)
{
	const char *text = getenv("CTF2PRV_TIMEOUT");
	double minutes;
	char *end;

	if (text == NULL || *text == '\0')
		return 0;
	minutes = strtod(text, &end);
	if (end != text && *end == '\0' && minutes >= 0)
		return minutes;
	log_warning("CTF2PRV_TIMEOUT: \"%s\" is no number of minutes: the "
		    "conversion is not ended early",
		text);
	return 0;
}

static void
set_timeout(void)
{
	double minutes = read_timeout();
	double us = minutes * 60e6;
	struct itimerval timer = { 0 };

	if (us >= 1 && minutes < 1e6) {
		undo_note_first();
		timer.it_value.tv_sec = (time_t)(us / 1e6);
		timer.it_value.tv_usec = (suseconds_t)us % 1000000;
		setitimer(ITIMER_REAL, &timer, NULL);
	}
}

/* CTF2PRV_VERBOSE made the original print events; names the command that does
 * that now. */
static void
look_verbose(const struct conversion *c)
{
	const char *text = getenv("CTF2PRV_VERBOSE");

	if (text != NULL && *text != '\0' && strcmp(text, "0") != 0)
		log_note("CTF2PRV_VERBOSE: weft dump --format babeltrace %s "
			 "prints the events",
			c->trace);
}

static int
run_conversion(struct conversion *c)
{
	struct err err = { 0 };

	if (!pipeline_open(&c->run, c->trace))
		return OLD_FAILED;
	if (c->dir == NULL)
		c->dir = arena_printf(&c->run.arena, "%s/prv", c->trace);
	look_verbose(c);
	set_timeout();
	if (!convert(c, &err)) {
		log_error("%s", err.text);
		return OLD_FAILED;
	}
	return pipeline_report(&c->run) == EXIT_YES && !c->run.stopped
		? OLD_OK
		: OLD_FAILED;
}

int
old_ctf(int argc, char *argv[])
{
	struct conversion c = { .run = RUN_DEFAULTS };
	int code;

	log_start("ctf2prv");
	c.run.compat = COMPAT_PYTHON - 1;
	c.run.keeps_files = true;
	if (!parse(&c, argc, argv))
		return usage();
	code = run_conversion(&c);
	pipeline_close(&c.run);
	return code;
}
