/* SPDX-License-Identifier: MIT */
/* weft convert - writes a trace in another format. */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/document.h"
#include "base/file.h"
#include "base/keep.h"
#include "base/log.h"
#include "cli/screen.h"
#include "cli/shell.h"
#include "cli/trace/class_list.h"
#include "cli/trace/convert_events.h"
#include "cli/trace/convert_job.h"
#include "cli/trace/event_rows.h"
#include "cli/trace/events.h"
#include "cli/trace/format_list.h"
#include "cli/trace/formats.h"
#include "cli/trace/input_names.h"
#include "cli/trace/pipeline.h"
#include "cli/trace/record_trace.h"
#include "cli/trace/samples.h"
#include "cli/trace/summary.h"
#include "cli/trace/task_trace.h"
#include "cli/undo.h"
#include "export/sink.h"

static void
add_file(void *arg, const char *path)
{
	struct convert_job *j = arg;

	VEC_PUSH(&j->files, &j->r.arena, arena_strdup(&j->r.arena, path));
}

static void
add_loss(void *arg, const struct loss *loss)
{
	struct convert_job *j = arg;
	struct loss *to = VEC_ADD(&j->losses, &j->r.arena);

	*to = *loss;
	to->what = arena_strdup(&j->r.arena, loss->what);
}

/* Returns the name of the output, which may be a directory: "x.ctf/". */
static const char *
output_name(struct convert_job *j)
{
	size_t n = strlen(j->path);

	while (n > 1 && j->path[n - 1] == '/')
		n--;
	return convert_to_stdout(j)
		? "the output"
		: file_name(arena_strndup(&j->r.arena, j->path, n));
}

/* Prints what had no place in the format. */
static void
say_losses(struct convert_job *j)
{
	const char *name = output_name(j);
	const char *list = "";

	if (log_is_quiet())
		return;
	for (int i = 0; i < j->losses.n; i++)
		list = arena_printf(&j->r.arena, "%s%s%s (%" PRIu64 ")", list,
			i > 0 ? "; " : "", j->losses.at[i].what,
			j->losses.at[i].count);
	fflush(stdout);
	if (j->losses.n > 0)
		log_note("in %s there is no place for: %s", name, list);
	else
		log_note("%s: nothing was lost", name);
}

static void
print_json(struct convert_job *j)
{
	struct doc d;

	doc_open(&d);
	doc_begin(&d, NULL, '{');
	doc_word(&d, "format", format_name(j->to));
	doc_begin(&d, "files", '[');
	for (int i = 0; i < j->files.n; i++)
		doc_word(&d, NULL, j->files.at[i]);
	doc_end(&d, ']');
	doc_u64(&d, "events", j->r.events);
	doc_begin(&d, "losses", '[');
	for (int i = 0; i < j->losses.n; i++) {
		doc_begin(&d, NULL, '{');
		doc_word(&d, "what", j->losses.at[i].what);
		doc_u64(&d, "count", j->losses.at[i].count);
		doc_end(&d, '}');
	}
	doc_end(&d, ']');
	doc_end(&d, '}');
	doc_close(&d);
}

/* Says where the output is, and what opens it unless it has no record. */
static void
say_output(struct convert_job *j)
{
	struct arena *a = &j->r.arena;
	const char *files = "";

	for (int i = 0; i < j->files.n; i++)
		files = arena_printf(a, "%s%s%s", files, i > 0 ? ", " : "",
			shell_word(a, j->files.at[i]));
	screen_summary("%s\n",
		j->to->out != NULL ? summary_text(a, &j->r)
				   : summary_events(a, &j->r));
	if (j->to->look != NULL && j->files.n > 0 && j->r.events > 0)
		screen_summary("%s %s\n", j->to->look, files);
	screen_summary("output: %s\n", files);
}

/* Notes a file that viewers open slowly. */
static void
say_heavy(const struct convert_job *j)
{
	int64_t heavy = j->to->out != NULL ? j->to->out->heavy : 0;
	struct stat st;

	if (heavy > 0 && !convert_to_stdout(j) && stat(j->path, &st) == 0 &&
		st.st_size >= heavy)
		log_note("viewers of this format get slow above %" PRId64
			 " MB; --from, --to and --type leave parts out",
			heavy >> 20);
}

static enum exit_code
report(struct convert_job *j, bool ok, const struct err *err)
{
	enum exit_code code = pipeline_report(&j->r);

	if (!ok)
		return pipeline_unable(err);
	if (!convert_to_stdout(j) && j->files.n == 0 &&
		access(j->path, F_OK) == 0)
		add_file(j, j->path);
	if (!convert_to_stdout(j) && j->files.n == 0) {
		log_error(
			"%s: no timeline has a record, so nothing was written",
			j->path);
		return EXIT_UNABLE;
	}
	if (j->json)
		print_json(j);
	else if (!convert_to_stdout(j))
		say_output(j);
	say_losses(j);
	say_heavy(j);
	return code;
}

static struct sink *
open_sink(struct convert_job *j, struct sink_setup *setup, struct err *err)
{
	struct event_rows *events =
		!j->events ? NULL : event_rows_open(&j->second, j->in, err);
	struct sink *sink;

	if (j->events && events == NULL)
		return NULL;
	sink = j->to->out->open(&j->r.sink_arena,
		file_parent(&j->r.arena, j->path), setup, err);
	if (events != NULL)
		event_rows_put(events, sink);
	if (sink == NULL)
		return NULL;
	sink = pipeline_queue(&j->r, sink);
	sink = class_list_filter(&j->r.arena, sink, j->class);
	return filter_args_open(&j->r.filter, &j->r.arena, sink);
}

/* Samples are what flame graphs show of a recording of perf, unless a state is
 * asked for. */
static bool
wants_samples(const struct convert_job *j)
{
	return samples_are_in(&j->r) &&
		(j->sampled ||
			(j->to->out->takes_samples &&
				j->r.filter.types == NULL && j->class == NULL &&
				!j->r.breakdown));
}

static enum exit_code
convert_samples(struct convert_job *j, struct sink_setup *setup)
{
	struct pipeline *r = &j->r;
	struct err err = { 0 };
	struct samples *samples;
	struct sink *sink;
	bool ok;

	summary_setup(r, setup);
	setup->rows_grow = true;
	samples = samples_open(r, j->sampled, &err);
	if (samples == NULL)
		return cmd_usage_error(&cmd_convert, "%s", err.text);
	sink = j->to->out->open(
		&r->sink_arena, file_parent(&r->arena, j->path), setup, &err);
	if (sink == NULL)
		return pipeline_unable(&err);
	undo_say(convert_stands(&r->arena, j->path, false));
	sink = pipeline_queue(r, sink);
	samples_play(samples, sink);
	ok = sink_close(sink, &err);
	undo_set(convert_stands(&r->arena, j->path, ok));
	samples_losses(r, samples, sink, add_loss, j);
	return report(j, ok, &err);
}

static enum exit_code
convert(struct convert_job *j)
{
	struct pipeline *r = &j->r;
	struct err err = { 0 };
	struct sink_setup setup = { .title = j->in,
		.file = j->path,
		.compress = &j->packing,
		.options = j->options,
		.no_cfg = true,
		.made = add_file,
		.arg = j };
	struct sink *sink;
	bool ok;

	if (!pipeline_open(r, j->in))
		return pipeline_closed(r);
	if (wants_samples(j))
		return convert_samples(j, &setup);
	if (j->sampled)
		return cmd_usage_error(&cmd_convert,
			"--sampled: %s has no samples of perf", j->in);
	summary_setup(r, &setup);
	setup.whole_ns = j->time_unit == UNIT_NS;
	setup.ps_as_ns = strcmp(setup.unit, "ps") == 0 && !setup.whole_ns;
	if (!setup.ps_as_ns && j->time_unit == UNIT_PS)
		return cmd_usage_error(&cmd_convert,
			"--time-unit ps: the times of %s are in ns", j->in);
	if (!pipeline_resolve_filter(r, &err) ||
		!class_list_check(r, j->class, &err))
		return cmd_usage_error(&cmd_convert, "%s", err.text);
	sink = open_sink(j, &setup, &err);
	if (sink == NULL)
		return pipeline_unable(&err);
	undo_say(convert_stands(&r->arena, j->path, false));
	ok = pipeline_emulate(r, sink, &err);
	if (r->stopped)
		keep_existing();
	ok = sink_close(sink, &err) && ok;
	undo_set(convert_stands(&r->arena, j->path, ok));
	samples_losses(r, NULL, sink, add_loss, j);
	return report(j, ok, &err);
}

static void
add_event_loss(void *arg, const char *what, uint64_t count)
{
	add_loss(arg, &(struct loss){ .what = what, .count = count });
}

/* Writes a format of events. */
static enum exit_code
copy_events(struct convert_job *j)
{
	struct convert_events c = { &j->r, j->to->writer, j->path,
		add_event_loss, j };
	const char *option = convert_option_of_states(j);
	struct err err = { 0 };
	bool usage, ok;

	if (option != NULL)
		return cmd_usage_error(&cmd_convert,
			"%s chooses states, and %s has events", option,
			format_name(j->to));
	j->r.plays_tasks = false;
	if (record_trace_format(j->in) != NULL || task_trace_is(j->in)) {
		log_error("%s has states and no events, and %s holds events: "
			  "name a format of states",
			j->in, format_name(j->to));
		return EXIT_UNABLE;
	}
	events_prepare(&j->r);
	if (!pipeline_open(&j->r, j->in))
		return pipeline_closed(&j->r);
	ok = convert_events(&c, &usage, &err);
	if (usage)
		return cmd_usage_error(&cmd_convert, "%s", err.text);
	return report(j, ok, &err);
}

/* Checks the command line and does the job. */
static enum exit_code
start(struct convert_job *j, char *argv[], int nargs)
{
	struct err err = { 0 };

	pipeline_take_paths(&j->r, argv, nargs);
	j->path = j->outputs[0];
	j->in = nargs > 0 ? input_path(argv[0]) : NULL;
	j->second = j->r;
	if (j->list)
		return format_list_print(&j->r.arena, j->json);
	if (nargs < 1)
		return cmd_usage_error(&cmd_convert, "name the trace");
	if (j->path == NULL || *j->path == '\0')
		return cmd_usage_error(&cmd_convert,
			"name the file that %s becomes: -o OUT.ext", j->in);
	for (int i = 0; i < nargs; i++)
		keep_add(task_trace_path(input_path(j->r.paths[i])));
	if (!convert_choose(j, &err))
		return cmd_usage_error(&cmd_convert, "%s", err.text);
	return j->to->writer != NULL && j->to->out == NULL ? copy_events(j)
							   : convert(j);
}

static enum exit_code
run(int argc, char *argv[])
{
	struct convert_job j = {
		.r = RUN_DEFAULTS, .compress = -1, .time_unit = -1
	};
	/* clang-format off */
	const struct option_def opts[] = {
		{ 'o', "output", "FILE",
		  "the file to write; its extension is the format; -: standard output",
		  .texts = j.outputs },
		{ 'f', "format", "FORMAT",
		  "one of the formats below, whatever the extension of FILE says",
		  .text = &j.format },
		{ 0, "list", NULL, "list all formats and end",
		  .flag = &j.list },
		{ 0, "set", "LIST", "options of the format, with commas: os=1",
		  .text = &j.settings },
		{ 0, "events", NULL, "SQLite: also a table of all events",
		  .flag = &j.events },
		{ 0, "class", "CLASS",
		  "only rows of this class: thread, cpu, ...", .text = &j.class },
		{ 0, "compress", "KIND",
		  "compress the file (default: if it ends in .gz or .zst)",
		  .choice = &j.compress, .choices = COMPRESS_KINDS },
		{ 0, "level", "N", "level of compression, 1 to 9 (default: 1)",
		  .number = &j.level },
		{ 0, "time-unit", "UNIT",
		  "write a simulator's times in ps or ns (default: its unit)",
		  .choice = &j.time_unit, .choices = "ns,ps" },
		{ 0, "sampled", NULL,
		  "samples of perf as a timeline: functions from sample to "
		  "sample, a guess", .flag = &j.sampled },
		{ 'b', "breakdown", NULL,
		  "also write how many CPUs are in each state (MODEL-breakdown)",
		  .flag = &j.r.breakdown },
		{ 'r', "run", "N", "which run of a simulator's store to read "
		  "(default: the last)", .number = &j.r.which },
		{ 0, "json", NULL, "print the files and what was lost as JSON",
		  .flag = &j.json },
		FILTER_WINDOW(j.r.filter, NULL),
		INPUT_OPTIONS(j.r),
		{ 'j', "jobs", "N",
		  "threads that compress; 1: use no second thread (default: 2)",
		  .number = &j.r.threads },
		FILTER_OPTIONS(j.r.filter),
		EMULATE_OPTIONS(j.r),
		READ_OPTIONS(j.r),
		{ 0 },
	};
	/* clang-format on */
	enum exit_code code;
	int nargs;

	j.r.plays_tasks = j.r.takes_pipe = j.r.counts_inside = true;
	j.r.keeps_files = true;
	nargs = cmd_parse(&cmd_convert, opts, argc, argv, &code);
	if (nargs < 0)
		return code;
	code = start(&j, argv, nargs);
	pipeline_close(&j.r);
	return code;
}

const struct cmd cmd_convert = {
	.name = "convert",
	.brief = "write a trace in another format (Perfetto, tables...)",
	.args = "TRACE... -o OUT",
	.min_args = 0,
	.max_args = INT_MAX,
	.help = "TRACE is what 'weft emu' takes, or - for standard input. What "
		"the format of OUT cannot\nhold is printed at the end. "
		"Several traces become one timeline, in formats of states.\n",
	.examples = "  weft convert ovni -o fib.pftrace         for "
		    "ui.perfetto.dev\n"
		    "  weft convert ovni -o fib.prv.gz          for Paraver, "
		    "compressed\n"
		    "  weft convert ovni -o - -f csv | head     a table, to a "
		    "program\n",
	.more = format_list_help,
	.run = run,
};
