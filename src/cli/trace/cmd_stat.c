/* SPDX-License-Identifier: MIT */
/* weft stat - prints where the time went. */
#include <stdio.h>
#include <string.h>

#include "base/near.h"
#include "base/text.h"
#include "cli/trace/chart.h"
#include "cli/trace/run.h"
#include "cli/trace/run_tasks.h"
#include "cli/trace/stat_count.h"
#include "cli/trace/stat_open.h"
#include "cli/trace/stat_print.h"

/* A counter has as many values as events: people want a few. */
#define NUMBERS 20

/* What the command line asks for. */
struct request {
	const char *by, *sort; /* as given, or NULL */
	int format;            /* enum table_format */
	bool chart;
	bool open; /* what was open at the end, and no tables */
	struct stat_open_list list;
	int64_t top;  /* lines; 0: all, -1: not said */
	int64_t rows; /* of the chart; 0: as many as fit */
	struct stat_report report;
};

/* The position of a word among the names, or -1. */
static int
word_index(const char *const *names, int n, const char *word)
{
	for (int i = 0; i < n; i++)
		if (strcmp(names[i], word) == 0)
			return i;
	return -1;
}

/* The option that does not go with --open, or NULL. */
static const char *
open_misfit(const struct request *q, const struct run *r)
{
	return q->by != NULL      ? "--by"
		: q->sort != NULL ? "--sort"
		: q->top >= 0     ? "--top"
				  : stat_open_misfit(&r->filter);
}

/* False, said: the forms of output exclude each other or other options. */
static bool
forms_agree(const struct request *q, const struct run *r)
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
			"--open lists what was open when the trace ended, by "
			"thread: %s does not go with it (--thread, --type and "
			"--only-model do)",
			misfit);
	return agree && misfit == NULL;
}

/* Chooses the rows of the tables. False, said: an option leaves none of those
 * that were asked for. */
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
			"--by %s shows %ss, and %s alone leaves none: give "
			"--%s, too",
			q->by, cpus ? "CPU" : "thread",
			cpus ? "--thread" : "--cpu", q->report.class);
	return fits;
}

/* How many lines the tables may have; 0: a few of numbers, all else. */
static int64_t
most_lines(const struct request *q)
{
	if (q->top == 0)
		return INT64_MAX;
	return q->top < 0 ? 0 : q->top;
}

/* True if the request makes sense; else *code is that of the usage error. */
static bool
read_request(struct request *q, const struct run *r, enum exit_code *code)
{
	static const char *const by[] = { "state", "thread", "cpu", "label",
		"type" };
	static const char *const sort[] = { "time", "times", "name" };
	char hint[NEAR_HINT];
	int i = word_index(by, 5, q->by == NULL ? "state" : q->by);
	int j = word_index(sort, 3, q->sort == NULL ? "time" : q->sort);

	*code = EXIT_USAGE;
	if (i < 0)
		cmd_usage_error(&cmd_stat,
			"--by takes state, thread, cpu, label or type, not "
			"\"%s\"%s",
			q->by,
			near_hint("state,thread,cpu,label,type", q->by, hint));
	else if (j < 0)
		cmd_usage_error(&cmd_stat,
			"--sort takes time, times or name, not \"%s\"%s",
			q->sort, near_hint("time,times,name", q->sort, hint));
	else if (!forms_agree(q, r) || !choose_rows(q, &r->filter, i))
		return false;
	else if (i == BY_TYPE && (q->chart || r->filter.types != NULL))
		cmd_usage_error(&cmd_stat,
			"--by type chooses the type: it goes with neither "
			"--type nor --chart");
	else
		*code = EXIT_YES;
	q->report.by = (enum stat_by)i;
	q->report.chart = q->chart;
	q->report.chosen = r->filter.types != NULL || r->filter.views != NULL;
	q->report.order = (struct stat_order){ .key = (enum stat_key)j,
		.runs = i == BY_TYPE,
		.join = i == BY_LABEL && !q->chart,
		.labels = i == BY_LABEL,
		.top = most_lines(q),
		.numbers = q->format == TABLE_TEXT ? NUMBERS : 0 };
	return *code == EXIT_YES;
}

/* False: nothing could be written. */
static bool
print(struct request *q, const struct run *r)
{
	const struct stat_report *report = &q->report;
	const char *none = r->filter.types == NULL
		? "no state was entered\n"
		: "nothing was shown for this type\n";
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

/* The types that were asked for are shown by other rows. */
static enum exit_code
refuse_rows(const struct stat_report *r)
{
	const struct stat_type *type = stat_report_elsewhere(r);
	bool has_by = strcmp(type->class, "thread") == 0 ||
		strcmp(type->class, "cpu") == 0;

	return cmd_usage_error(&cmd_stat,
		"%s is not shown by %ss but by rows of class %s: %s%s",
		type->key, r->class, type->class,
		has_by ? "--by " : "leave out --by", has_by ? type->class : "");
}

/* The report is of rows that the trace has; else *code is that of the error. */
static bool
take_class(struct request *q, const struct run *r, enum exit_code *code)
{
	if (r->tasks == NULL)
		return true;
	q->report.class = "component";
	if (q->open) {
		*code = cmd_usage_error(&cmd_stat,
			"--open is of the threads of a trace; 'weft tasks hang "
			"STORE' lists the tasks of a simulator that never "
			"ended");
		return false;
	}
	if (q->report.by != BY_TYPE)
		return true;
	*code = cmd_usage_error(&cmd_stat,
		"--by type is of the tasks of a runtime; those of a "
		"simulator's store are counted by 'weft tasks groups STORE'");
	return false;
}

/* Prints what was counted, or why not; code: that of the run. */
static enum exit_code
answer(struct request *q, const struct run *r, enum exit_code code)
{
	struct err *err = &q->report.table->over.file.err;

	if (err->kind != ERR_NONE)
		return run_unable(err);
	if (q->open && !r->has_stacks)
		return cmd_usage_error(&cmd_stat,
			"no model of this trace has states that threads enter "
			"and leave, so --open knows of none: a model of your "
			"own says which events do that (--model FILE)");
	if (!q->open && stat_report_elsewhere(&q->report) != NULL)
		return refuse_rows(&q->report);
	return print(q, r) ? code : EXIT_UNABLE;
}

static enum exit_code
stat_trace(struct run *r, const char *trace, struct request *q)
{
	struct stat_count_options options = { 0 };
	struct err err = { 0 };
	struct sink *sink;
	enum exit_code code;

	r->plays_tasks = true;
	if (!run_open(r, trace))
		return EXIT_UNABLE;
	if (!take_class(q, r, &code))
		return code;
	if (!stat_count_resolve(r, &err))
		return cmd_usage_error(&cmd_stat, "%s", err.text);
	if (r->tasks != NULL)
		filter_args_report(&r->filter, run_tasks_end(r->tasks));
	options.slices = q->chart ? chart_rows((int)q->rows) : 0;
	options.tasks = q->report.by == BY_TYPE || q->format != TABLE_TEXT;
	if (q->open) {
		q->list.filter = &r->filter;
		q->list.table = stat_open_table(
			&r->arena, (enum table_format)q->format);
		r->on_open = stat_open_put;
		r->open_arg = &q->list;
	}
	sink = stat_count(r, &q->report, &options, &err);
	if (sink == NULL)
		return run_unable(&err);
	code = run_report(r);
	code = answer(q, r, code);
	sink_close(sink, &err);
	return code;
}

static enum exit_code
run(int argc, char *argv[])
{
	struct run r = RUN_DEFAULTS;
	struct request q = { .top = -1 };
	/* clang-format off */
	const struct option_def opts[] = {
		{ 0, "by", "WHAT",
		  "state (all threads together), thread, cpu, label or type "
		  "(of tasks)", .text = &q.by },
		{ 0, "sort", "KEY", "time (the default), times or name",
		  .text = &q.sort },
		{ 'n', "top", "N", "the first N lines, and the sum of the others "
		  "(numbers: 20); 0: all", .number = &q.top },
		{ 'f', "format", "FORMAT",
		  "text, csv (one table for programs) or json",
		  .choice = &q.format, .choices = TABLE_FORMATS },
		SHORT_CSV, SHORT_JSON,
		{ 0, "chart", NULL, "draw a timeline and a bar for each state",
		  .flag = &q.chart },
		{ 0, "open", NULL, "only what threads had not left when the trace "
		  "ended", .flag = &q.open },
		{ 0, "rows", "N", "rows of the timeline (default: as many as "
		  "fit)", .number = &q.rows },
		{ 'r', "run", "N", "of a simulator's store with several runs: that "
		  "one (default: the last)", .number = &r.which },
		FILTER_WINDOW(r.filter, NULL),
		FILTER_OPTIONS(r.filter),
		EMULATE_OPTIONS(r),
		READ_OPTIONS(r),
		OLD_LETTER('b', "by"),
		{ 0 },
	};
	/* clang-format on */
	enum exit_code code;

	if (cmd_parse(&cmd_stat, opts, argc, argv, &code) < 0)
		return code;
	if (read_request(&q, &r, &code))
		code = stat_trace(&r, argv[0], &q);
	run_close(&r);
	return code;
}

const struct cmd cmd_stat = {
	.name = "stat",
	.brief = "print how long each state took, by state, thread or CPU",
	.args = "TRACE",
	.min_args = 1,
	.max_args = 1,
	.help = "The times of one table add up to the time that its threads "
		"lived (CPUs: rows x duration),\nand shares are of that; of "
		"tasks (--by type) they are of the time in tasks.\n"
		"'weft models MODEL' lists the keys for --type.\n",
	.examples = "  weft stat ovni                            all states of "
		    "all threads\n"
		    "  weft stat --by cpu --type nanos6.subsystem ovni\n"
		    "  weft stat --by type --top 10 ovni         the longest "
		    "types of tasks\n"
		    "  weft stat --chart --from 1s --to 1200ms ovni\n",
	.run = run,
};
