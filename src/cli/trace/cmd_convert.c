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
#include "export/compress.h"
#include "export/db/db.h"
#include "export/sink.h"

#define OPTIONS_MAX 32

enum time_unit { UNIT_NS, UNIT_PS };

/* The command line, the format it asks for, and the result. */
struct job {
	struct pipeline r;
	struct pipeline second; /* the same options, to read the events */
	const char *in, *path;  /* path: of the output; "-": standard output */
	const char *format, *class, *settings;
	bool list, json;
	bool events;  /* a database gets the events, too */
	bool sampled; /* a timeline of samples */
	int compress; /* enum compress_kind; -1: as the name says */
	int64_t level;
	int time_unit; /* enum time_unit; -1: that of the trace */

	const struct format *to;
	struct compress_options packing;
	const char *options[OPTIONS_MAX + 1];
	VEC(const char *) files; /* the files for Paraver */
	VEC(struct loss) losses;
};

static bool
is_stdout(const struct job *j)
{
	return strcmp(j->path, "-") == 0;
}

/* Returns true if a line of ops->options begins with the option's key. */
static bool
has_option(const struct sink_ops *ops, const char *option)
{
	size_t n = strcspn(option, "=");
	const char *line = ops != NULL ? ops->options : NULL;

	while (line != NULL && *line != '\0') {
		line += strspn(line, " ");
		if (strncmp(line, option, n) == 0 && line[n] == '=' &&
			option[n] == '=')
			return true;
		line = strchr(line, '\n');
		line = line != NULL ? line + 1 : NULL;
	}
	return false;
}

/* Splits --set at its commas. Returns false with err. */
static bool
split_options(struct job *j, struct err *err)
{
	char *rest = j->settings == NULL
		? NULL
		: arena_strdup(&j->r.arena, j->settings);
	int n = 0;

	while (rest != NULL) {
		const char *option = strsep(&rest, ",");

		if (n == OPTIONS_MAX || !has_option(j->to->out, option))
			return err_set(err, ERR_INPUT,
				"%s has no option \"%.100s\"; 'weft help "
				"convert' lists them",
				format_name(j->to), option);
		j->options[n++] = option;
	}
	return true;
}

/* Chooses the format of the output. Returns false with err. */
static bool
choose_format(struct job *j, struct err *err)
{
	const struct format *f;

	if (j->format != NULL) {
		f = format_find(j->format);
		if (f == NULL || !format_is_written(f))
			return err_set(err, ERR_INPUT,
				"there is no output format \"%.100s\"; "
				"'weft convert --list' lists them",
				j->format);
		if (*format_extensions(f) == '\0')
			return err_set(err, ERR_INPUT,
				"%s is a directory of files: use weft emu -f "
				"%s",
				format_name(f), format_name(f));
	} else if (is_stdout(j)) {
		return err_set(err, ERR_INPUT,
			"-o - needs a format: -f NAME ('weft convert --list' "
			"lists them)");
	} else {
		f = format_of_output(j->path);
		if (f == NULL)
			return err_set(err, ERR_INPUT,
				"the name %.200s tells no format; known are %s "
				"(or -f NAME)",
				j->path, format_outputs(&j->r.arena));
	}
	j->to = f;
	return true;
}

/* Chooses how the file is compressed. Returns false with err. */
static bool
choose_packing(struct job *j, struct err *err)
{
	bool packs = j->to->out != NULL && j->to->out->packs;
	struct compress_options *o = &j->packing;

	o->kind = j->compress >= 0 ? (enum compress_kind)j->compress
		: packs            ? compress_of_name(j->path)
				   : COMPRESS_NONE;
	o->level = j->level > 100 ? 100 : (int)j->level;
	o->jobs = j->r.threads > COMPRESS_JOBS ? COMPRESS_JOBS
		: j->r.threads > 0             ? (int)j->r.threads
					       : 2;
	if (j->to->out == NULL && compress_of_name(j->path) != COMPRESS_NONE)
		return err_set(err, ERR_INPUT,
			"%s is a directory, which cannot be compressed; weft "
			"pack makes one file of it",
			format_name(j->to));
	if (o->kind != COMPRESS_NONE && !packs)
		return err_set(err, ERR_INPUT,
			"a file of %s cannot be compressed",
			format_name(j->to));
	return compress_check(o, err);
}

/* Returns an option that says nothing about events and samples, or NULL. */
static const char *
option_of_states(const struct job *j)
{
	return j->class != NULL     ? "--class"
		: j->r.breakdown    ? "--breakdown"
		: j->time_unit >= 0 ? "--time-unit"
				    : NULL;
}

/* Checks outputs that have events or samples. Returns false with err. */
static bool
check_events(const struct job *j, struct err *err)
{
	const char *option = j->events ? "--events" : option_of_states(j);

	if (j->sampled && option != NULL)
		return err_set(err, ERR_INPUT, "--sampled takes no %s", option);
	if (j->r.npaths > 1 && (j->events || j->to->out == NULL))
		return err_set(err, ERR_INPUT,
			"of several traces only states can be written");
	if (!j->events)
		return true;
	if (j->to->out != &sink_sqlite)
		return err_set(err, ERR_INPUT,
			"--events: %s has no table of events, sqlite has",
			format_name(j->to));
	return strcmp(j->in, "-") != 0 ||
		err_set(err, ERR_INPUT,
			"--events reads the trace twice, which standard input "
			"does not allow: name a file");
}

/* Checks what the output is before anything is opened. Returns false with
 * err. */
static bool
check_output(const struct job *j, struct err *err)
{
	const struct sink_ops *ops = j->to->out;
	struct stat out;

	if (!is_stdout(j)) {
		if (stat(j->path, &out) != 0)
			return true;
		if (!keep_check(j->path, err))
			return false;
		if (S_ISDIR(out.st_mode) && ops != NULL)
			return err_set(err, ERR_INPUT,
				"%s is a directory; name a file in it",
				j->path);
		return true;
	}
	if (ops == NULL || !ops->streams)
		return err_set(err, ERR_INPUT,
			"%s cannot go to standard output: name a file",
			format_name(j->to));
	if (j->json)
		return err_set(err, ERR_INPUT,
			"--json and the output would be in one stream");
	if (isatty(STDOUT_FILENO) &&
		(!ops->is_text || j->packing.kind != COMPRESS_NONE))
		return err_set(err, ERR_INPUT,
			"the output is binary: send it to a file or a program");
	return true;
}

static void
add_file(void *arg, const char *path)
{
	struct job *j = arg;

	VEC_PUSH(&j->files, &j->r.arena, arena_strdup(&j->r.arena, path));
}

static void
add_loss(void *arg, const struct loss *loss)
{
	struct job *j = arg;
	struct loss *to = VEC_ADD(&j->losses, &j->r.arena);

	*to = *loss;
	to->what = arena_strdup(&j->r.arena, loss->what);
}

/* Prints what had no place in the format. */
static void
say_losses(struct job *j)
{
	const char *name = is_stdout(j) ? "the output" : file_name(j->path);
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
print_json(struct job *j)
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

/* Says where the output is and what opens it. */
static void
say_output(struct job *j)
{
	struct arena *a = &j->r.arena;
	const char *files = "";

	for (int i = 0; i < j->files.n; i++)
		files = arena_printf(a, "%s%s%s", files, i > 0 ? ", " : "",
			shell_word(a, j->files.at[i]));
	screen_summary("%s\n",
		j->to->out != NULL ? summary_text(a, &j->r)
				   : summary_events(a, &j->r));
	if (j->to->look != NULL && j->files.n > 0)
		screen_summary("%s %s\n", j->to->look, files);
	screen_summary("output: %s\n", files);
}

/* Notes a file that viewers open slowly. */
static void
say_heavy(const struct job *j)
{
	int64_t heavy = j->to->out != NULL ? j->to->out->heavy : 0;
	struct stat st;

	if (heavy > 0 && !is_stdout(j) && stat(j->path, &st) == 0 &&
		st.st_size >= heavy)
		log_note("viewers of this format get slow above %" PRId64
			 " MB; --from, --to and --type leave parts out",
			heavy >> 20);
}

static enum exit_code
report(struct job *j, bool ok, const struct err *err)
{
	enum exit_code code = pipeline_report(&j->r);

	if (!ok)
		return pipeline_unable(err);
	if (!is_stdout(j) && j->files.n == 0 && access(j->path, F_OK) == 0)
		add_file(j, j->path);
	if (!is_stdout(j) && j->files.n == 0) {
		log_error(
			"%s: no timeline has a record, so nothing was written",
			j->path);
		return EXIT_UNABLE;
	}
	if (j->json)
		print_json(j);
	else if (!is_stdout(j))
		say_output(j);
	say_losses(j);
	say_heavy(j);
	return code;
}

static struct sink *
open_sink(struct job *j, struct sink_setup *setup, struct err *err)
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
wants_samples(const struct job *j)
{
	return samples_are_in(&j->r) &&
		(j->sampled ||
			(j->to->out->takes_samples &&
				j->r.filter.types == NULL && j->class == NULL &&
				!j->r.breakdown));
}

static enum exit_code
convert_samples(struct job *j, struct sink_setup *setup)
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
convert(struct job *j)
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
copy_events(struct job *j)
{
	struct convert_events c = { &j->r, j->to->writer, j->path,
		add_event_loss, j };
	const char *option = option_of_states(j);
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
start(struct job *j, int nargs)
{
	struct err err = { 0 };

	if (j->list)
		return format_list_print(&j->r.arena, j->json);
	if (nargs < 1)
		return cmd_usage_error(&cmd_convert, "name the trace");
	if (j->path == NULL || *j->path == '\0')
		return cmd_usage_error(&cmd_convert,
			"name the file that %s becomes: -o OUT.ext", j->in);
	for (int i = 0; i < nargs; i++)
		keep_add(task_trace_path(input_path(j->r.paths[i])));
	if (!choose_format(j, &err) || !choose_packing(j, &err) ||
		!split_options(j, &err) || !check_output(j, &err) ||
		!check_events(j, &err))
		return cmd_usage_error(&cmd_convert, "%s", err.text);
	return j->to->writer != NULL && j->to->out == NULL ? copy_events(j)
							   : convert(j);
}

static enum exit_code
run(int argc, char *argv[])
{
	struct job j = { .r = RUN_DEFAULTS, .compress = -1, .time_unit = -1 };
	/* clang-format off */
	const struct option_def opts[] = {
		{ 'o', "output", "FILE",
		  "the file to write; its extension is the format; -: standard output",
		  .text = &j.path },
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
	pipeline_take_paths(&j.r, argv, nargs);
	j.in = nargs > 0 ? input_path(argv[0]) : NULL;
	j.second = j.r;
	code = start(&j, nargs);
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
