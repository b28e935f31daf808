/* SPDX-License-Identifier: MIT */
/* Returns what weft stat prints, for a report: all tables from a single reading
 * of the trace. */
#include <inttypes.h>
#include <string.h>

#include "base/document.h"
#include "cli/trace/stat_count.h"
#include "cli/view/report.h"

/* Prints one table of the counted trace. NULL: it is empty. */
static const char *
print(struct stat_report *r, struct arena *a)
{
	struct doc doc;
	const char *text = NULL;

	r->type.n = 0;
	stat_report_choose(r);
	doc_open_memory(&doc);
	if (r->type.n > 0) {
		stat_print_document(r, TABLE_JSON, &doc);
		out_puts(&doc.out, "\n");
		text = arena_strndup(
			a, doc.out.buf, (size_t)(doc.out.at - doc.out.buf));
	}
	out_close(&doc.out);
	return text;
}

static int
count_rows(const struct stat_report *r)
{
	int n = 0;

	for (int i = 0; i < r->table->rows.n; i++)
		n += strcmp(r->table->rows.at[i].class, r->class) == 0;
	return n;
}

static void
print_all(struct stat_report *r, struct arena *a, struct report_range *out)
{
	/* Rows of a simulator are components in place of threads. */
	const char *const classes[] = { r->class, "cpu" };

	out->stat[REPORT_STAT] = print(r, a);
	r->chosen = true;
	out->stat[REPORT_STAT_ALL] = print(r, a);
	r->any_class = false;
	for (int cpu = 0; cpu < 2; cpu++) {
		r->by = cpu ? BY_CPU : BY_THREAD;
		r->class = classes[cpu];
		if (count_rows(r) <= REPORT_TABLE_ROWS)
			out->stat[REPORT_STAT_THREAD + cpu] = print(r, a);
	}
	r->by = BY_STATE;
	out->stat[REPORT_STAT_CPUS] = print(r, a);
}

bool
view_tables(struct view_trace *t, const char *from, const char *to,
	struct report_range *out, struct err *err)
{
	struct stat_report report = {
		.by = BY_STATE, .class = "thread", .any_class = true
	};
	struct pipeline r = t->options;
	struct sink *sink = NULL;

	r.max_findings = 0;
	r.filter.from = from;
	r.filter.to = to;
	if (!pipeline_open(&r, t->path))
		err_set(err, ERR_INPUT, "%s cannot be read any more", t->path);
	else
		sink = view_count(&r, t->index, &report, "interrupted", err);
	if (sink != NULL) {
		out->from = r.filter.options.from;
		out->to = r.filter.options.to;
		print_all(&report, &t->arena, out);
		sink_close(sink, &(struct err){ 0 });
	}
	pipeline_close(&r);
	return err->kind == ERR_NONE;
}
