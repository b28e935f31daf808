/* SPDX-License-Identifier: MIT */
/* weft emu - turns a trace into timelines. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "cli/copy.h"
#include "cli/screen.h"
#include "cli/shell.h"
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

/* The command line. */
struct output {
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
	return ps || out->time_unit != UNIT_PS;
}

static enum exit_code
emulate(struct pipeline *r, const char *trace, struct output *out)
{
	struct err err = { 0 };
	struct sink_setup setup = { .join = out->join,
		.no_cfg = out->no_cfg,
		.title = trace,
		.made = add_file,
		.arg = out };
	struct sink_bytes totals = { 0 };
	struct sink *sink;
	enum exit_code code;
	bool ok;

	if (!pipeline_open(r, trace))
		return EXIT_UNABLE;
	summary_setup(r, &setup);
	if (!choose_unit(out, &setup))
		return cmd_usage_error(&cmd_emu,
			"--time-unit ps: the times of %s are in ns", trace);
	if (!pipeline_resolve_filter(r, &err))
		return cmd_usage_error(&cmd_emu, "%s", err.text);
	if (r->tasks != NULL)
		filter_args_report(&r->filter, task_trace_end(r->tasks));
	if (out->dir == NULL)
		out->dir =
			copy_folder(&r->arena, task_trace_path(trace), ".weft");
	setup.original = r->compat >= 0 || r->strict;
	if (sinks_keep_identity(out->formats))
		setup.identity = index_identity(&r->arena,
			copy_inputs(&r->arena, task_trace_path(trace)),
			run_shape(&r->arena, r));
	setup.totals = &totals;
	sink = pipeline_sinks(r, out->formats, out->dir, &setup, &err);
	if (sink == NULL)
		return pipeline_unable_output(&err);
	undo_say(arena_printf(
		&r->arena, "the output in %s is not complete", out->dir));
	if (sinks_keep_identity(out->formats))
		sink = stat_count_beside(r, sink, &totals);
	sink = filter_args_open(&r->filter, &r->arena, sink);
	r->spill_folder = out->dir;
	ok = r->compat < 0 ? pipeline_emulate(r, sink, &err)
			   : pipeline_compat(r, sink, &err);
	ok = sink_close(sink, &err) && ok;
	undo_set(arena_printf(&r->arena,
		ok ? "the output in %s is complete"
		   : "the output in %s is not complete",
		out->dir));
	sink_loss(sink, print_loss, NULL);
	code = pipeline_report(r);
	if (!ok)
		return pipeline_unable(&err);
	screen_summary("%s\n", summary_text(&r->arena, r));
	print_output(out, &setup, r->events == 0);
	return code;
}

static enum exit_code
run(int argc, char *argv[])
{
	struct pipeline r = RUN_DEFAULTS;
	struct output out = { .formats = "prv", .files = "", .time_unit = -1 };
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
		  "1: use no second thread for writing (default: 2 if a CPU is free)",
		  .number = &r.threads },
		FILTER_OPTIONS(r.filter),
		EMULATE_OPTIONS(r),
		READ_OPTIONS(r),
		OLD_LETTER('t', "to"),
		OLD_WORD("threads", "jobs"),
		{ 0 },
	};
	/* clang-format on */
	struct err err = { 0 };
	enum exit_code code;

	r.plays_tasks = true;
	r.counts_inside = true;
	if (cmd_parse(&cmd_emu, opts, argc, argv, &code) < 0)
		return code;
	if (!sinks_known(&r.arena, out.formats, &err))
		code = cmd_usage_error(&cmd_emu, "%s", err.text);
	else if (out.dir != NULL && *out.dir == '\0')
		code = cmd_usage_error(&cmd_emu, "--output needs a directory");
	else
		code = emulate(&r, argv[0], &out);
	pipeline_close(&r);
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
	.args = "TRACE",
	.min_args = 1,
	.max_args = 1,
	.help = "TRACE is a directory of ovni streams or of CTF (Nanos6, "
		"LTTng), a hand-written .tt\n"
		"file, or a simulator's store of tasks (run.db, "
		"sqlite:run.db). Errors in the trace are\n"
		"printed; the output is written all the same, and the exit "
		"code is then 1.\n",
	.examples = "  weft emu ovni                    Paraver timelines in "
		    "ovni.weft\n"
		    "  weft emu ovni -o out -f csv      states as CSV in out\n"
		    "  wxparaver ovni.weft/thread.prv   open one in Paraver\n",
	.more = print_formats,
	.run = run,
};
