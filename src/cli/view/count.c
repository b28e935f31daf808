/* SPDX-License-Identifier: MIT */
/* What weft stat prints, for the server. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/document.h"
#include "cli/trace/stat_count.h"
#include "cli/view/view.h"
#include "serve/trace.h"

/* As the option table of weft stat fills them in. */
static struct stat_report
report_of(const struct serve_stat *what)
{
	bool thread = strcmp(what->by, "thread") == 0;
	bool cpu = strcmp(what->by, "cpu") == 0;

	return (struct stat_report){ .by = thread ? BY_THREAD
			: cpu                     ? BY_CPU
						  : BY_STATE,
		.class = cpu ? "cpu" : "thread",
		.any_class = !thread && !cpu,
		.chosen = what->types != NULL };
}

static bool
count(struct run *r, const struct serve_stat *what, struct doc *to,
	struct err *err)
{
	const struct stat_count_options options = { .tasks = true };
	struct stat_report report = report_of(what);
	struct sink *sink;

	if (!stat_count_resolve(r, err))
		return false;
	if (r->tasks != NULL)
		report.class = "component";
	sink = stat_count(r, &report, &options, err);
	if (sink == NULL)
		return false;
	if (run_is_stopped())
		err_set(err, ERR_LIMIT, "weft view ends");
	else if (report.table->over.file.err.kind != ERR_NONE)
		*err = report.table->over.file.err;
	else if (stat_report_elsewhere(&report) != NULL)
		err_set(err, ERR_INPUT,
			"types: these are of other rows than threads and CPUs: "
			"by=label");
	else
		stat_print_document(&report, TABLE_JSON, to);
	sink_close(sink, &(struct err){ 0 });
	return err->kind == ERR_NONE;
}

bool
view_stat(void *arg, const struct serve_stat *what, struct doc *to,
	struct err *err)
{
	struct view_trace *t = arg;
	struct run r = t->options;
	char from[24], until[24];
	bool ok;

	if (view_changed(t))
		return err_set(err, ERR_INPUT,
			"the trace is another one than when its index was "
			"made: start weft view again");
	snprintf(from, sizeof from, "%" PRId64, what->from);
	snprintf(until, sizeof until, "%" PRId64, what->to);
	r.max_findings = 0;
	r.filter.types = what->types;
	if (what->from > 0 || what->to < index_meta(t->index)->end) {
		r.filter.from = from;
		r.filter.to = until;
	}
	ok = run_open(&r, t->path);
	if (!ok)
		err_set(err, ERR_INPUT, "the trace cannot be read any more");
	ok = ok && count(&r, what, to, err);
	run_close(&r);
	return ok;
}
