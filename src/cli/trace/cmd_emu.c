/* SPDX-License-Identifier: MIT */
/* weft emu - turns a trace into timelines. */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/log.h"
#include "cli/copy.h"
#include "cli/screen.h"
#include "cli/shell.h"
#include "cli/trace/input_names.h"
#include "cli/trace/job.h"
#include "cli/trace/parts.h"
#include "cli/trace/parts_losses.h"
#include "cli/trace/pipeline.h"
#include "cli/trace/shape.h"
#include "cli/trace/stat_count.h"
#include "cli/trace/summary.h"
#include "cli/trace/task_trace.h"
#include "cli/undo.h"
#include "export/index/identity.h"
#include "export/sinks.h"

static void
print_loss(void *arg, const struct loss *loss)
{
	(void)arg;
	log_note("left out of the output: %s: %" PRIu64, loss->what,
		loss->count);
}

enum time_unit { UNIT_NS, UNIT_PS };

/* The parts of the trace do not show what the whole shows: emulate() is to be
 * called once more. */
#define AGAIN ((enum exit_code)4)

/* The command line. */
struct output {
	struct job job; /* the processes that work */
	bool is_whole;  /* the first process emulates the whole trace */
	const char *dir, *formats;
	bool join, no_cfg;
	int time_unit;      /* enum time_unit; -1: the unit of the trace */
	const char *files;  /* the files for Paraver, separated by commas */
	struct arena arena; /* owns `files` */
};

/* Adds a file to the list of files that Paraver opens. */
static void
add_file(void *arg, const char *path)
{
	struct output *out = arg;

	/* Several processes write elsewhere first. */
	path = arena_printf(&out->arena, "%s/%s", out->dir, file_name(path));
	out->files = arena_printf(&out->arena, "%s%s%s", out->files,
		*out->files == '\0' ? "" : ", ", shell_word(&out->arena, path));
}

/* Tells which files to open now, unless the trace had no event. */
static void
print_output(
	const struct output *out, const struct sink_setup *setup, bool empty)
{
	if (!empty && *out->files != '\0') {
		screen_summary("open in Paraver: %s\n", out->files);
		if (setup->ps_as_ns)
			screen_summary("what Paraver shows as ns are ps "
				       "(--time-unit ns writes ns, rounded "
				       "down)\n");
	}
	screen_summary("output: %s\n", out->dir);
}

/* Chooses the unit of the output. Paraver knows no ps, so a ps is written as if
 * it were 1 ns. Returns false if the user asks for ps and the trace has ns. */
static bool
choose_unit(const struct output *out, struct sink_setup *setup)
{
	bool ps = strcmp(setup->unit, "ps") == 0;

	setup->ps_as_ns = ps && out->time_unit != UNIT_NS;
	setup->whole_ns = out->time_unit == UNIT_NS;
	return ps || out->time_unit != UNIT_PS;
}

/* The output of an open trace. */
struct writing {
	struct pipeline *run;
	const struct output *out;
	struct sink_bytes *totals;
};

/* Opens the formats in a directory, with all that stands in front of them. */
static struct sink *
open_sinks(void *arg, const char *dir, const struct sink_setup *setup,
	struct err *err)
{
	const struct writing *w = arg;
	struct pipeline *r = w->run;
	struct sink *sink = pipeline_sinks(r, w->out->formats, dir, setup, err);

	if (sink == NULL)
		return NULL;
	if (sinks_keep_identity(w->out->formats))
		sink = stat_count_beside(r, sink, w->totals);
	return filter_args_open(&r->filter, &r->arena, sink);
}

/* Returns true if all processes of the job shall write the same. */
static bool
is_one_job(struct pipeline *r, struct output *out)
{
	const struct trace *t = &r->source->trace;

	if (out->is_whole)
		return true;
	return job_same(&out->job, "other options, or another trace,",
		arena_printf(&r->arena,
			"%s %s join=%d cfg=%d unit=%d compat=%d findings=%d %s "
			"%s %d %d %lld",
			out->formats, out->dir == NULL ? "" : out->dir,
			out->join, out->no_cfg, out->time_unit, r->compat,
			r->max_findings > 0, run_shape(&r->arena, r), t->format,
			t->nodes.n, t->streams.n, (long long)t->start));
}

/* Opens the trace and prepares the output. Returns false with the exit code. */
static bool
prepare(struct pipeline *r, const char *trace, struct output *out,
	struct sink_setup *setup, enum exit_code *code)
{
	struct err err = { 0 };
	bool ok = pipeline_open(r, trace);

	if (out->is_whole ? !ok : !job_agree(&out->job, ok)) {
		*code = pipeline_closed(r);
		return false;
	}
	*code = EXIT_USAGE;
	if (!is_one_job(r, out))
		return false;
	summary_setup(r, setup);
	if (!choose_unit(out, setup)) {
		cmd_usage_error(&cmd_emu,
			"--time-unit ps: the times of %s are in ns", trace);
		return false;
	}
	if (!pipeline_resolve_filter(r, &err)) {
		cmd_usage_error(&cmd_emu, "%s", err.text);
		return false;
	}
	if (r->tasks != NULL)
		filter_args_report(&r->filter, task_trace_end(r->tasks));
	if (out->dir == NULL)
		out->dir = copy_folder(&out->arena, task_trace_path(trace),
			pipeline_suffix(&r->arena, r));
	setup->original = r->compat >= 0 || r->strict;
	if (sinks_keep_identity(out->formats))
		setup->identity = index_identity(&r->arena,
			copy_inputs(&r->arena, task_trace_path(trace)),
			run_shape(&r->arena, r));
	return true;
}

/* Returns what an interrupted command says. */
static const char *
how_complete(const struct writing *w, bool ok)
{
	return arena_printf(&w->run->arena,
		ok ? "the output in %s is complete"
		   : "the output in %s is not complete",
		w->out->dir);
}

/* Emulates the whole trace in this process. Returns the closed sink, or
 * NULL. */
static struct sink *
write_whole(struct writing *w, const struct sink_setup *setup, struct err *err)
{
	struct pipeline *r = w->run;
	struct sink *sink = open_sinks(w, w->out->dir, setup, err);
	bool ok;

	if (sink == NULL)
		return NULL;
	undo_say(how_complete(w, false));
	r->spill_folder = w->out->dir;
	ok = r->compat < 0 ? pipeline_emulate(r, sink, err)
			   : pipeline_compat(r, sink, err);
	ok = sink_close(sink, err) && ok;
	undo_set(how_complete(w, ok));
	return sink;
}

/* Reports what was done, after the losses. */
static enum exit_code
report(const struct writing *w, const struct sink_setup *setup,
	const struct err *err)
{
	struct pipeline *r = w->run;
	enum exit_code code = pipeline_report(r);

	if (err->kind != ERR_NONE)
		return pipeline_unable(err);
	screen_summary("%s\n", summary_text(&r->arena, r));
	print_output(w->out, setup, r->events == 0);
	return code;
}

/* Returns true if all formats can be written in pieces (struct sink_pieces). A
 * window has values at its border, of all rows. */
static bool
has_pieces(const struct pipeline *r, const struct output *out)
{
	const char *formats = out->formats;

	while (*formats != '\0') {
		size_t n = strcspn(formats, ",");

		if (n != 3 ||
			(strncmp(formats, "prv", 3) != 0 &&
				strncmp(formats, "csv", 3) != 0))
			return false;
		formats += n + (formats[n] == ',');
	}
	return !out->join && !filter_args_window(&r->filter);
}

/* Returns the number of processes that shall work on the open trace. */
static int
count_jobs(const struct pipeline *r, const struct output *out)
{
	int parts;

	if (out->is_whole || r->inputs != NULL || r->tasks != NULL ||
		r->records != NULL ||
		(out->job.team.size == 1 && r->threads < 2))
		return 1;
	parts = parts_count(r);
	if (out->job.team.size > 1)
		return parts > 1 ? out->job.team.size : 1;
	return r->threads < parts ? (int)r->threads : parts;
}

/* Emulates the trace with several processes. */
static enum parts_end
write_parts(struct writing *w, const struct sink_setup *setup, struct err *err)
{
	struct pipeline *r = w->run;
	const struct parts_output out = { .dir = w->out->dir,
		.setup = setup,
		.open = open_sinks,
		.arg = w,
		.by_one = !has_pieces(r, w->out) };
	bool is_first = w->out->job.team.rank == 0;
	enum parts_end end;

	r->threads = 1;
	if (is_first)
		undo_say(how_complete(w, false));
	end = parts_emulate(r, (struct team *)&w->out->job.team, &out, err);
	if (is_first && end != PARTS_WHOLE)
		undo_set(how_complete(w, end == PARTS_DONE));
	return end;
}

/* Emulates the trace with several processes, and reports in the first one. */
static enum exit_code
emulate_parts(struct writing *w, const struct sink_setup *setup)
{
	struct err err = { 0 };
	enum parts_end end = write_parts(w, setup, &err);

	if (w->out->job.team.rank > 0)
		return EXIT_YES;
	if (end == PARTS_FAILED)
		return pipeline_unable(&err);
	if (end == PARTS_WHOLE)
		return AGAIN;
	parts_losses_tell(w->run->losses, print_loss, NULL);
	return report(w, setup, &err);
}

/* Emulates the trace in this process, and reports. */
static enum exit_code
emulate_whole(struct writing *w, const struct sink_setup *setup)
{
	struct err err = { 0 };
	struct sink *sink = write_whole(w, setup, &err);

	if (sink == NULL)
		return pipeline_unable_output(&err);
	sink_loss(sink, print_loss, NULL);
	return report(w, setup, &err);
}

static enum exit_code
emulate(struct pipeline *r, const char *trace, struct output *out)
{
	struct sink_setup setup = { .join = out->join,
		.no_cfg = out->no_cfg,
		.title = trace,
		.made = add_file,
		.arg = out };
	struct sink_bytes totals = { 0 };
	struct writing w = { r, out, &totals };
	enum exit_code code;
	int jobs;

	if (!prepare(r, trace, out, &setup, &code))
		return code;
	setup.totals = &totals;
	jobs = count_jobs(r, out);
	job_fork(&out->job, jobs);
	if (out->job.team.size > 1 && jobs > 1)
		return emulate_parts(&w, &setup);
	return out->job.team.rank > 0 ? EXIT_YES : emulate_whole(&w, &setup);
}

/* Emulates the trace, with the processes that there are. */
static enum exit_code
start(struct pipeline *r, char *argv[], int n, struct output *out)
{
	const char *trace = input_path(argv[0]);
	struct pipeline options;
	enum exit_code code;

	pipeline_take_paths(r, argv, n);
	options = *r;
	options.arena = (struct arena){ 0 };
	if (!job_begin(&out->job)) {
		out->job = (struct job){ .team.size = 1 };
		return EXIT_UNABLE;
	}
	code = emulate(r, trace, out);
	if (code != AGAIN)
		return code;
	pipeline_close(r);
	*r = options;
	out->is_whole = true;
	out->files = "";
	return emulate(r, trace, out);
}

static enum exit_code
run(int argc, char *argv[])
{
	struct pipeline r = RUN_DEFAULTS;
	struct output out = { .job.team.size = 1,
		.formats = "prv",
		.files = "",
		.time_unit = -1 };
	/* clang-format off */
	const struct option_def opts[] = {
		{ 'o', "output", "DIR", "write into DIR (default: TRACE.weft)",
		  .text = &out.dir },
		{ 'f', "format", "LIST",
		  "formats to write, with commas (default: prv)",
		  .text = &out.formats, .words = propose_formats },
		SHORT_CSV,
		{ 0, "no-cfg", NULL, "Paraver: write no views (directory cfg)",
		  .flag = &out.no_cfg },
		{ 0, "join", NULL,
		  "Paraver: write all values of a row and time on one line",
		  .flag = &out.join },
		{ 0, "time-unit", "UNIT",
		  "Paraver: write a simulator's times in ps or ns (default: its unit)",
		  .choice = &out.time_unit, .choices = "ns,ps" },
		{ 0, "compat", "[KIND]",
		  "write what ctf2prv wrote for CTF of Nanos6: python, fast or merge",
		  .choice = &r.compat, .choices = "python,fast,merge" },
		{ 'b', "breakdown", NULL,
		  "also write how many CPUs are in each state (MODEL-breakdown)",
		  .flag = &r.breakdown },
		{ 'r', "run", "N", "which run of a simulator's store to read "
		  "(default: the last)", .number = &r.which },
		FILTER_WINDOW(r.filter, "format"),
		{ 'j', "jobs", "N",
		  "work with N processes, each on some nodes; 1: no second thread either",
		  .number = &r.threads },
		FILTER_OPTIONS(r.filter),
		INPUT_OPTIONS(r),
		EMULATE_OPTIONS(r),
		READ_OPTIONS(r),
		OLD_LETTER('t', "to"),
		OLD_WORD("threads", "jobs"),
		{ 0 },
	};
	/* clang-format on */
	struct err err = { 0 };
	enum exit_code code;
	int n = cmd_parse(&cmd_emu, opts, argc, argv, &code);

	r.plays_tasks = r.counts_inside = r.keeps_files = true;
	if (n < 0)
		return code;
	if (!sinks_known(&r.arena, out.formats, &err))
		code = cmd_usage_error(&cmd_emu, "%s", err.text);
	else if (out.dir != NULL && *out.dir == '\0')
		code = cmd_usage_error(&cmd_emu, "--output needs a directory");
	else
		code = start(&r, argv, n, &out);
	pipeline_close(&r);
	code = job_end(&out.job, code);
	arena_fini(&out.arena);
	return code;
}

static void
print_formats(void)
{
	char line[256];

	printf("\nFormats:\n");
	for (const struct sink_ops *const *s = sinks; *s != NULL; s++) {
		snprintf(line, sizeof line, "  %-26s %s\n", (*s)->name,
			(*s)->help);
		screen_text(line);
	}
}

const struct cmd cmd_emu = {
	.name = "emu",
	.brief = "turn a trace into timelines (Paraver, CSV)",
	.args = "TRACE...",
	.min_args = 1,
	.max_args = INT_MAX,
	.help = "TRACE is a directory of ovni streams or of CTF (Nanos6, "
		"LTTng), a perf.data, a .prv of\n"
		"Paraver, a file of weft pack, a hand-written .tt file, or a "
		"simulator's store of tasks\n"
		"(run.db, sqlite:run.db). Errors in the trace are printed; the "
		"output is written all the\n"
		"same, and the exit code is then 1. Several traces become one "
		"timeline\n"
		"(docs/user/many-nodes.md); NAME=TRACE names one.\n",
	.examples = "  weft emu ovni                    Paraver timelines in "
		    "ovni.weft\n"
		    "  weft emu ovni -o out -f csv      states as CSV in out\n"
		    "  wxparaver ovni.weft/thread.prv   open one in Paraver\n",
	.more = print_formats,
	.run = run,
};
