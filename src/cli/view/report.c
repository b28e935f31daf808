/* SPDX-License-Identifier: MIT */
#include "cli/view/report.h"
#include "cli/screen.h"
#include "cli/undo.h"

#include <inttypes.h>
#include <malloc.h>
#include <string.h>

#include "base/file.h"
#include "base/log.h"
#include "base/text.h"
#include "cli/times.h"

#define MB 1000000
#define ROOM (64 << 10)
#define KEPT (16 << 20) /* bytes of freed memory */

/* Parses --from and --to of an index whose trace is missing: both count from
 * the start of the trace. */
static bool
mark_index(const struct view_report *q, const struct index_meta *m,
	struct report_range *out, struct err *err)
{
	struct times_zero zero = { m->unit, TIMES_UNKNOWN, TIMES_UNKNOWN, 0 };

	*out = (struct report_range){ .to = m->end };
	if (q->from != NULL &&
		!times_moment("from", q->from, &zero, &out->from, err))
		return false;
	zero.from = out->from;
	if (q->to != NULL && !times_moment("to", q->to, &zero, &out->to, err))
		return false;
	if (out->from < out->to)
		return true;
	return err_set(err, ERR_INPUT,
		"nothing is between --from %.100s and --to %.100s: --from must "
		"be the earlier time",
		q->from == NULL ? "0" : q->from,
		q->to == NULL ? "the end" : q->to);
}

/* A trace with its tables. False with err. */
static bool
describe(const struct view_report *q, struct view_trace *t,
	struct report_trace *out, struct err *err)
{
	const struct index_meta *m = index_meta(t->index);
	bool marked = q->from != NULL || q->to != NULL;

	*out = (struct report_trace){
		.trace = { .name = q->anonymous ? file_name(t->name) : t->name,
			.path = q->anonymous ? NULL : t->path,
			.arguments = q->anonymous
				? NULL
				: view_arguments(&t->arena, q->shared, t),
			.index = t->index,
			.stat = t->is_index ? NULL : view_stat }
	};
	if (!t->is_index && !view_tables(t, NULL, NULL, &out->whole, err))
		return false;
	out->whole.from = 0;
	out->whole.to = m->end;
	if (!marked)
		return true;
	if (t->is_index)
		return mark_index(q, m, &out->marked, err);
	if (!view_tables(t, q->from, q->to, &out->marked, err))
		return false;
	if (out->marked.to > m->end)
		out->marked.to = m->end;
	return true;
}

/* "3 timelines, 1963 columns of 28.672 us; all rows" */
static const char *
held_text(struct arena *a, const struct report_held *h, const char *unit)
{
	char width[TIMES_TEXT];
	const char *rows = h->rows == h->all_rows
		? "all rows"
		: arena_printf(a, "%" PRId64 " of %" PRId64 " rows", h->rows,
			  h->all_rows);

	return arena_printf(a, "%d timeline%s, %" PRId64 " column%s of %s; %s",
		h->timelines, text_plural((unsigned)h->timelines), h->columns,
		text_plural((unsigned long long)h->columns),
		times_text(h->width, unit, width), rows);
}

static void
print_made(const struct view_report *q, struct arena *a,
	const struct view_trace *t, int n, const struct report_made *made,
	int64_t bytes)
{
	int64_t kb = (bytes + 999) / 1000;

	if (n == 1)
		screen_summary("report: %s, %" PRId64 " kB: %s\n", q->path, kb,
			held_text(a, &made->held[0],
				index_meta(t[0].index)->unit));
	else
		screen_summary("report: %s, %" PRId64 " kB: %d traces\n",
			q->path, kb, n);
	for (int i = 0; i < n && n > 1; i++)
		screen_summary("  %s: %s\n", t[i].name,
			held_text(a, &made->held[i],
				index_meta(t[i].index)->unit));
	if (*made->left != '\0')
		screen_summary("  left out%s: %s\n",
			made->for_space ? " for space (--report-size)" : "",
			made->left);
	if (q->anonymous)
		screen_summary(
			"  without names of hosts and users, and without "
			"absolute paths\n");
}

enum exit_code
view_report(const struct view_report *q, struct view_trace *t, int n)
{
	struct arena a = { 0 };
	struct report_trace *trace = ARENA_ARRAY(&a, struct report_trace, n);
	struct report_options o = { .trace = trace,
		.ntraces = n,
		.most = q->megabytes * MB,
		.anonymous = q->anonymous };
	struct report_made made = { 0 };
	struct err err = { 0 };
	struct outfile to;
	int64_t bytes;
	bool ok = true;

	undo_note_first();
	/* Every tile allocates and frees half a megabyte: keep freed memory
	 * instead of returning it to the kernel. */
	mallopt(M_TRIM_THRESHOLD, KEPT);
	mallopt(M_MMAP_THRESHOLD, KEPT);
	for (int i = 0; ok && i < n; i++)
		ok = describe(q, &t[i], &trace[i], &err);
	if (ok && outfile_open(&to, &a, q->path, ROOM, &err)) {
		ok = report_write(&o, &a, &to, &made, &err);
		bytes = outfile_tell(&to);
		if (ok && undo_is_noted()) {
			undo_cut();
			ok = err_set(&err, ERR_LIMIT,
				"interrupted: %s was not written", q->path);
		}
		if (!ok)
			outfile_discard(&to);
		ok = ok && outfile_close(&to, &err);
		if (ok)
			print_made(q, &a, t, n, &made, bytes);
	}
	arena_fini(&a);
	return err.kind != ERR_NONE ? pipeline_unable(&err) : EXIT_YES;
}
