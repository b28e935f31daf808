/* SPDX-License-Identifier: MIT */
/* weft stat - prints where the time went. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/copy.h"
#include "cli/screen.h"
#include "cli/trace/causes.h"
#include "cli/trace/chart.h"
#include "cli/trace/input_names.h"
#include "cli/trace/pipeline.h"
#include "cli/trace/shape.h"
#include "cli/trace/stat_count.h"
#include "cli/trace/stat_open.h"
#include "cli/trace/stat_print.h"
#include "cli/trace/task_trace.h"
#include "cli/undo.h"
#include "export/index/identity.h"

/* Lines of a counter's table by default. A counter may have as many values as
 * events. */
#define NUMBERS 20

/* Lines of --causes by default. */
#define CAUSES 10

/* The command line. */
struct request {
	int by, sort; /* enum stat_by, enum stat_sort; -1: not given */
	int format;   /* enum table_format */
	bool chart;
	bool causes; /* print why threads waited instead of tables */
	bool open;   /* print the states open at the end instead of tables */
	struct stat_open_list list;
	int64_t top;  /* lines; 0: all, -1: not given */
	int64_t rows; /* rows of the chart; 0: as many as fit */
	struct stat_report report;
};

/* Returns the given option that --open does not take, or NULL. */
static const char *
open_misfit(const struct request *q, const struct pipeline *r)
{
	return q->by >= 0      ? "--by"
		: q->sort >= 0 ? "--sort"
		: q->top >= 0  ? "--top"
			       : stat_open_misfit(&r->filter);
}

/* Returns false after an error message if output options exclude each other or
 * other options. */
static bool
forms_agree(const struct request *q, const struct pipeline *r)
{
	const char *misfit = q->open ? open_misfit(q, r) : NULL;
	bool agree = !q->chart || (q->format == TABLE_TEXT && !q->open);

	if (!agree)
		cmd_usage_error(&cmd_stat,
			"--chart and --%s exclude each other",
			q->open                          ? "open"
				: q->format == TABLE_CSV ? "csv"
							 : "json");
	else if (misfit != NULL)
		cmd_usage_error(&cmd_stat,
			"--open lists the open states of each thread at the "
			"end: %s cannot be combined with it (--thread, --type "
			"and --only-model can)",
			misfit);
	return agree && misfit == NULL;
}

/* Chooses the class of rows. Returns false after an error message if the other
 * options leave out every row of the class that --by names. */
static bool
choose_rows(struct request *q, const struct filter_args *f, int by)
{
	bool threads_only = f->threads != NULL && f->cpus == NULL;
	bool cpus_only = f->cpus != NULL && f->threads == NULL;
	bool any = by == BY_STATE || by == BY_LABEL;
	bool cpus = by == BY_CPU || (any && cpus_only);
	bool fits = any || (cpus ? !threads_only : !cpus_only);

	q->report.any_class = any;
	q->report.class = cpus ? "cpu" : "thread";
	if (!fits)
		cmd_usage_error(&cmd_stat,
			"--by %s shows %ss, but %s leaves none of them in: add "
			"--%s",
			by == BY_TYPE ? "type" : q->report.class,
			cpus ? "CPU" : "thread", cpus ? "--thread" : "--cpu",
			q->report.class);
	return fits;
}

/* Returns how many lines a table may have; 0: NUMBERS for numbers, all for
 * other types. */
static int64_t
most_lines(const struct request *q)
{
	if (q->top == 0)
		return INT64_MAX;
	return q->top < 0 ? 0 : q->top;
}

/* Returns true if the options agree; else sets *code to the usage error's. */
static bool
read_request(struct request *q, const struct pipeline *r, enum exit_code *code)
{
	int by = q->by < 0 ? BY_STATE : q->by;

	*code = EXIT_USAGE;
	if (!forms_agree(q, r) || !choose_rows(q, &r->filter, by))
		return false;
	if (by == BY_TYPE && (q->chart || r->filter.types != NULL))
		cmd_usage_error(
			&cmd_stat, "--by type excludes --type and --chart");
	else
		*code = EXIT_YES;
	q->report.by = (enum stat_by)by;
	q->report.chart = q->chart;
	q->report.chosen = r->filter.types != NULL || r->filter.views != NULL;
	q->report.order = (struct stat_order){
		.key = (enum stat_key)(q->sort < 0 ? 0 : q->sort),
		.runs = by == BY_TYPE,
		.join = by == BY_LABEL && !q->chart,
		.labels = by == BY_LABEL,
		.top = most_lines(q),
		.numbers = q->format == TABLE_TEXT ? NUMBERS : 0
	};
	return *code == EXIT_YES;
}

/* Prints the report. Returns false if writing failed. */
static bool
print(struct request *q, const struct pipeline *r)
{
	const struct stat_report *report = &q->report;
	const char *none = r->filter.types == NULL
		? "no state was entered\n"
		: "no state of this type was entered\n";
	bool any;

	if (q->open) {
		stat_open_print(&q->list);
		return true;
	}
	if (q->format != TABLE_TEXT)
		return stat_print_data(report, (enum table_format)q->format);
	any = q->chart ? chart_print(report, (int)q->rows)
		       : stat_print_text(report);
	if (!any)
		printf("%s",
			report->by == BY_TYPE ? "no task was executed\n"
					      : none);
	return true;
}

/* Refuses --by: rows of another class show the types that were asked for. */
static enum exit_code
refuse_rows(const struct stat_report *r)
{
	const struct stat_type *type = stat_report_elsewhere(r);
	bool has_by = strcmp(type->class, "thread") == 0 ||
		strcmp(type->class, "cpu") == 0;

	return cmd_usage_error(&cmd_stat,
		"%s is not shown by rows of class %s, only by rows of class "
		"%s: "
		"%s%s",
		type->key, r->class, type->class,
		has_by ? "--by " : "leave out --by", has_by ? type->class : "");
}

/* Chooses the class of rows that this input has. Returns false and sets *code
 * if an option does not fit the input. */
static bool
take_class(struct request *q, const struct pipeline *r, enum exit_code *code)
{
	if (r->tasks == NULL)
		return true;
	q->report.class = "component";
	if (q->open) {
		*code = cmd_usage_error(&cmd_stat,
			"--open works for threads of a trace; 'weft tasks hang "
			"STORE' lists the tasks of a simulator that never "
			"ended");
		return false;
	}
	if (q->report.by != BY_TYPE)
		return true;
	*code = cmd_usage_error(&cmd_stat,
		"--by type works for tasks of a runtime; 'weft tasks "
		"groups STORE' counts those of a simulator's store");
	return false;
}

/* Prints the statistics, or why there are none. code is the exit code so
 * far. */
static enum exit_code
answer(struct request *q, const struct pipeline *r, enum exit_code code)
{
	struct err *err = &q->report.table->over.file.err;

	if (err->kind != ERR_NONE)
		return pipeline_unable(err);
	if (q->open && !r->has_stacks)
		return cmd_usage_error(&cmd_stat,
			"--open needs a model with states that threads enter "
			"and leave, and this trace has none: write a model "
			"that names those events (--model FILE)");
	if (!q->open && stat_report_elsewhere(&q->report) != NULL)
		return refuse_rows(&q->report);
	return print(q, r) ? code : EXIT_UNABLE;
}

/*
 * Returns the index beside the trace if it can answer as emulating the trace
 * would, or NULL. A file that an option names may have changed since, and
 * findings can only be printed by emulating.
 */
static struct index *
index_beside(struct pipeline *r, const char *trace)
{
	const char *path = task_trace_path(trace);
	const char *dir = copy_folder(&r->arena, path, ".weft");
	const char *file = arena_printf(&r->arena, "%s/%s", dir, INDEX_FILE);
	struct index *ix;

	if (r->model_files != NULL || r->clock_table != NULL || r->npaths > 1 ||
		!file_is_regular(file))
		return NULL;
	ix = index_open(&r->arena, file, &(struct err){ 0 });
	if (ix == NULL || index_meta(ix)->nfindings > 0 ||
		index_stale(&r->arena, ix, copy_inputs(&r->arena, path),
			run_shape(&r->arena, r)) != NULL) {
		index_close(ix);
		return NULL;
	}
	return ix;
}

static enum exit_code
stat_trace(struct pipeline *r, const char *trace, struct request *q)
{
	struct stat_count_options options = { 0 };
	struct index *ix;
	struct err err = { 0 };
	struct sink *sink;
	enum exit_code code;

	r->plays_tasks = true;
	r->takes_pipe = true;
	if (!pipeline_open(r, trace))
		return pipeline_closed(r);
	if (!take_class(q, r, &code))
		return code;
	if (!stat_count_resolve(r, &err))
		return cmd_usage_error(&cmd_stat, "%s", err.text);
	if (r->tasks != NULL)
		filter_args_report(&r->filter, task_trace_end(r->tasks));
	options.slices = q->chart ? chart_rows((int)q->rows) : 0;
	options.tasks = q->report.by == BY_TYPE || q->format != TABLE_TEXT;
	if (q->open) {
		q->list.filter = &r->filter;
		q->list.table = stat_open_table(
			&r->arena, (enum table_format)q->format);
		r->on_open = stat_open_put;
		r->open_arg = &q->list;
	}
	ix = q->open ? NULL : index_beside(r, trace);
	options.index = ix;
	sink = stat_count(r, &q->report, &options, &err);
	index_close(ix);
	if (sink == NULL)
		return pipeline_unable(&err);
	undo_at_once();
	code = pipeline_report(r);
	code = answer(q, r, code);
	sink_close(sink, &err);
	return code;
}

static enum exit_code
stat_causes(struct pipeline *r, const char *trace, const struct request *q)
{
	struct err err = { 0 };
	int most = q->top < 0 ? CAUSES : (int)q->top;

	bool is_json = q->format == TABLE_JSON, ok;

	if (q->chart || q->open || q->format == TABLE_CSV || q->by >= 0 ||
		q->sort >= 0 || filter_args_any(&r->filter))
		return cmd_usage_error(&cmd_stat,
			"--causes reads the whole trace and prints text or "
			"JSON: only --top and --json can be combined with it");
	if (!pipeline_open(r, trace))
		return pipeline_closed(r);
	ok = is_json ? causes_json(r, q->top < 0 ? 0 : most, &err)
		     : causes_report(r, most, screen_sentence, &err);
	if (!ok)
		return pipeline_unable(&err);
	return pipeline_report(r);
}

static enum exit_code
run(int argc, char *argv[])
{
	struct pipeline r = RUN_DEFAULTS;
	struct request q = { .by = -1, .sort = -1, .top = -1 };
	/* clang-format off */
	const struct option_def opts[] = {
		{ 0, "by", "WHAT",
		  "state (all threads together), thread, cpu, label or type "
		  "(of tasks)", .choice = &q.by,
		  .choices = "state,thread,cpu,label,type" },
		{ 0, "sort", "KEY", "time (the default), times or name",
		  .choice = &q.sort, .choices = "time,times,name" },
		{ 'n', "top", "N", "the first N lines and the sum of the others "
		  "(counters: 20); 0: all", .number = &q.top },
		{ 'f', "format", "FORMAT",
		  "text, csv (one table for programs) or json",
		  .choice = &q.format, .choices = TABLE_FORMATS },
		SHORT_CSV, SHORT_JSON,
		{ 0, "chart", NULL, "draw a timeline and a bar for each state",
		  .flag = &q.chart },
		{ 0, "open", NULL, "only the states that threads had not left when the trace "
		  "ended", .flag = &q.open },
		{ 0, "causes", NULL, "where the time of threads went, and why they "
		  "waited", .flag = &q.causes },
		{ 0, "rows", "N", "rows of the timeline (default: as many as "
		  "fit)", .number = &q.rows },
		{ 'r', "run", "N", "which run of a simulator's store to read "
		  "(default: the last)", .number = &r.which },
		FILTER_WINDOW(r.filter, NULL),
		FILTER_OPTIONS(r.filter),
		INPUT_OPTIONS(r),
		EMULATE_OPTIONS(r),
		READ_OPTIONS(r),
		OLD_LETTER('b', "by"),
		{ 0 },
	};
	/* clang-format on */
	enum exit_code code;
	int n = cmd_parse(&cmd_stat, opts, argc, argv, &code);

	if (n < 0)
		return code;
	pipeline_take_paths(&r, argv, n);
	if (q.causes)
		code = stat_causes(&r, input_path(argv[0]), &q);
	else if (read_request(&q, &r, &code))
		code = stat_trace(&r, input_path(argv[0]), &q);
	pipeline_close(&r);
	return code;
}

const struct cmd cmd_stat = {
	.name = "stat",
	.brief = "print how long each state took, by state, thread or CPU",
	.args = "TRACE...",
	.min_args = 1,
	.max_args = INT_MAX,
	.help = "TRACE is what 'weft emu' takes.\n\n"
		"The times in a table add up to the lifetimes of its threads, "
		"or for CPUs to the duration\n"
		"times the number of CPUs; shares are of that sum. With --by "
		"type they are of the time in\n"
		"tasks. 'weft models MODEL' lists the keys for --type.\n",
	.examples = "  weft stat ovni                            all states of "
		    "all threads\n"
		    "  weft stat --by cpu --type nanos6.subsystem ovni\n"
		    "  weft stat --by type --top 10 ovni         the longest "
		    "types of tasks\n"
		    "  weft stat --chart --from 1s --to 1200ms ovni\n",
	.run = run,
};
