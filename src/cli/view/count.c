/* SPDX-License-Identifier: MIT */
/* Answers the server's questions with the output of weft stat. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/document.h"
#include "cli/trace/stat_count.h"
#include "cli/undo.h"
#include "cli/view/view.h"
#include "serve/trace.h"

/* Fills the report as the option table of weft stat does. */
static struct stat_report
report_of(const struct serve_stat *what)
{
	bool thread = strcmp(what->by, "thread") == 0;
	bool cpu = strcmp(what->by, "cpu") == 0;

	return (struct stat_report){ .by = thread ? BY_THREAD
			: cpu                     ? BY_CPU
						  : BY_STATE,
		.class = cpu ? "cpu" : "thread",
		.any_class = !thread && !cpu };
}

struct sink *
view_count(struct pipeline *r, const struct index *ix,
	struct stat_report *report, const char *stopped, struct err *err)
{
	const struct stat_count_options options = { .index = ix,
		.tasks = true };
	struct sink *sink;

	if (!stat_count_resolve(r, err))
		return NULL;
	if (r->tasks != NULL)
		report->class = "component";
	sink = stat_count(r, report, &options, err);
	if (sink == NULL)
		return NULL;
	if (undo_is_noted())
		err_set(err, ERR_LIMIT, "%s", stopped);
	else if (report->table->over.file.err.kind != ERR_NONE)
		*err = report->table->over.file.err;
	else
		return sink;
	sink_close(sink, &(struct err){ 0 });
	return NULL;
}

static bool
count(struct pipeline *r, const struct serve_stat *what, struct doc *to,
	struct err *err)
{
	struct stat_report report = report_of(what);
	struct sink *sink;

	report.chosen = r->filter.types != NULL || r->filter.views != NULL;
	sink = view_count(r, what->state == SERVE_READY ? what->index : NULL,
		&report, "weft view ends", err);
	if (sink == NULL)
		return false;
	if (stat_report_elsewhere(&report) != NULL)
		err_set(err, ERR_INPUT,
			"types: neither threads nor CPUs have these types: use "
			"by=label");
	else
		stat_print_document(&report, TABLE_JSON, to);
	sink_close(sink, &(struct err){ 0 });
	return err->kind == ERR_NONE;
}

/* Bytes of the longest time, printed as a number in the unit of the trace. */
#define TIME_TEXT 24

/* Sets the window of the question, clipped to the window of the command line.
 * Returns false with err. */
static bool
set_window(struct pipeline *r, const struct serve_stat *what,
	char from[TIME_TEXT], char until[TIME_TEXT], struct err *err)
{
	const struct filter_args asked = r->filter;
	int64_t begin = what->from, end = what->to;

	if (filter_args_window(&asked)) {
		if (!stat_count_resolve(r, err))
			return false;
		if (begin < r->filter.options.from)
			begin = r->filter.options.from;
		if (end > r->filter.options.to)
			end = r->filter.options.to;
		r->filter = asked;
		if (begin >= end)
			return err_set(err, ERR_INPUT,
				"weft view was told to leave out this part of "
				"the trace by --from or --to");
	}
	snprintf(from, TIME_TEXT, "%" PRId64, begin);
	snprintf(until, TIME_TEXT, "%" PRId64, end < begin ? begin : end);
	r->filter.from = from;
	r->filter.to = until;
	return true;
}

bool
view_stat(void *arg, const struct serve_stat *what, struct doc *to,
	struct err *err)
{
	struct view_trace *t = arg;
	struct pipeline r = t->options;
	char from[TIME_TEXT], until[TIME_TEXT];
	bool ok;

	if (what->state == SERVE_READY &&
		view_input(t, what->index) != SERVE_SAME)
		return err_set(err, ERR_INPUT,
			"the trace changed on disk, and this table needs it as "
			"it was: reload the trace");
	r.max_findings = 0;
	if (what->types != NULL)
		r.filter.types = what->types;
	ok = pipeline_open(&r, t->path) ||
		err_set(err, ERR_INPUT, "the trace cannot be read any more");
	/* A part of the trace has been indexed until now: its end is not the
	 * end of the trace. */
	if (ok &&
		(what->from > 0 || what->state != SERVE_READY ||
			what->to < index_meta(what->index)->end))
		ok = set_window(&r, what, from, until, err);
	ok = ok && count(&r, what, to, err);
	pipeline_close(&r);
	return ok;
}
