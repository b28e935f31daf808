/* SPDX-License-Identifier: MIT */
#include "serve/report_fill.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/text.h"
#include "serve/route.h"

#define GEN "00000000" /* gives the same number for the same trace */
#define SPARE \
	4096 /* compressed bytes that are reserved for the \
	      * summary */
#define PAGE \
	5000      /* most rows, labels or findings in one \
	           * answer */
#define VALUES 50 /* most values with a table of durations */
#define LENGTHS \
	(1 << 24) /* most intervals whose durations a report has: reading \
	           * and sorting them takes a second */
#define COST \
	(8 << 20) /* most cost of columns in widths other than those of the \
	             overview: they take about a second */
#define FINDINGS 20
#define NEAR \
	16 /* by how many steps of the ladder the columns around a \
	    * finding are finer than the overview */
#define FINER \
	12         /* by how many steps columns are finer than the overview; \
	            * this many make them 8 times as fine */
#define SURE 1.5   /* by how much an estimate of bytes may be too large */
#define WIDEST 256 /* columns for the whole trace */

static bool
end_unit(struct report *r, enum left what)
{
	if (pack_end(r->pack, REPORT_SPARE))
		return true;
	r->left[what]++;
	return false;
}

static const char *
name_of(struct report *r, int trace, const char *route, const char *query)
{
	return arena_printf(r->arena, "%d/%s%s%s", trace, route,
		*query == '\0' ? "" : "?", query);
}

/* Adds a document, without names if names are to be left out. */
static void
put_json(struct report *r, const char *name, const char *json, size_t n)
{
	struct out out;

	if (!r->options->anonymous) {
		pack_put(r->pack, name, json, n);
		return;
	}
	out_open_memory(&out);
	scrub_json(&r->scrub, &out, json, n);
	pack_put(r->pack, name, out.buf, (size_t)(out.at - out.buf));
	out_close(&out);
}

/* Asks a route and adds its answer. Returns false, and adds nothing, if the
 * route refused. */
static bool
ask(struct report *r, int trace, const char *route, route_fn *fn,
	const char *query)
{
	const struct serve_trace *of = &r->options->trace[trace].trace;
	const struct request request = { .method = "GET", .query = query };
	struct answer to = { .status = 200, .arena = r->each };
	struct call c = { .trace = of,
		.index = of->index,
		.state = "ready",
		.number = trace,
		.meta = index_meta(of->index),
		.gen = GEN,
		.request = &request,
		.to = &to,
		.arena = &to.arena,
		.query = { .ix = of->index, .budget = ROUTE_BUDGET },
		.lengths = &r->lengths };
	const char *name = name_of(r, trace, route, query);
	bool ok;

	fn(&c);
	ok = to.status == 200;
	if (ok && strcmp(to.type, "application/json") == 0)
		put_json(r, name, to.body, to.size);
	else if (ok)
		pack_put(r->pack, name, to.body, to.size);
	mem_free(to.owned);
	arena_reset(&to.arena);
	r->each = to.arena;
	return ok;
}

/* Adds all pages of a type's labels, each page as a unit. */
static void
put_labels(struct report *r, int trace, const struct plan_type *t)
{
	const struct index_type *type =
		&index_meta(r->options->trace[trace].trace.index)->type[t->id];
	int n = type->nlabels + type->nvalues;

	for (int from = 0; from == 0 || from < n; from += PAGE) {
		const char *query =
			arena_printf(r->arena, "type=%" PRIu32, t->id);

		if (from > 0)
			query = arena_printf(
				r->arena, "%s&from=%d", query, from);
		pack_begin(r->pack);
		ask(r, trace, "labels", route_labels, query);
		if (!end_unit(r, LEFT_LABELS))
			return;
	}
}

/* The rows of a class are added with its first type. */
static bool
is_first_of_class(const struct index_meta *m, const struct plan *p, int at)
{
	const char *class = m->type[p->type[at].id].type.class;

	for (int i = 0; i < at; i++)
		if (strcmp(m->type[p->type[i].id].type.class, class) == 0)
			return false;
	return true;
}

/* Returns the text escaped as the value of a parameter in a request. */
static const char *
escaped(struct arena *a, const char *text)
{
	const char *made = "";

	for (; *text != '\0'; text++)
		made = strchr("&+%=# ", *text) != NULL || (*text & 0x80) != 0
			? arena_printf(
				  a, "%s%%%02X", made, (unsigned char)*text)
			: arena_printf(a, "%s%c", made, *text);
	return made;
}

/* Adds names, labels and findings. Returns false if there is no room even for
 * the first ones. */
static bool
put_names(struct report *r, int trace)
{
	const struct index_meta *m =
		index_meta(r->options->trace[trace].trace.index);
	const struct plan *p = &r->plan[trace];

	pack_begin(r->pack);
	ask(r, trace, "meta", route_meta, "");
	for (int i = 0; i < p->n; i++)
		if (is_first_of_class(m, p, i))
			ask(r, trace, "rows", route_rows,
				arena_printf(r->arena, "class=%s&n=%d",
					escaped(r->arena,
						m->type[p->type[i].id]
							.type.class),
					PLAN_ROWS));
	if (!pack_end(r->pack, REPORT_SPARE))
		return false;
	for (int i = 0; i < p->n; i++)
		put_labels(r, trace, &p->type[i]);
	pack_begin(r->pack);
	ask(r, trace, "findings", route_findings, "n=1000");
	end_unit(r, LEFT_FINDINGS);
	return true;
}

/* Writes the window as parameters; writes nothing if the window is the whole
 * trace. */
static const char *
window_text(struct report *r, int trace, const struct report_range *of)
{
	if (of == &r->options->trace[trace].whole)
		return "";
	return arena_printf(
		r->arena, "&from=%" PRId64 "&to=%" PRId64, of->from, of->to);
}

/* Adds the tables of the tab States: by label, then by row. */
static void
put_stats(struct report *r, int trace, const struct report_range *of)
{
	static const char *const names[REPORT_STATS] = { "", "types=all",
		"by=thread", "by=cpu", "class=cpu" };
	const char *window = window_text(r, trace, of);

	for (int i = 0; i < REPORT_STATS; i++) {
		const char *query = arena_printf(r->arena, "%s%s", names[i],
			*names[i] == '\0' && *window != '\0' ? window + 1
							     : window);

		if (of->stat[i] == NULL)
			continue;
		pack_begin(r->pack);
		put_json(r, name_of(r, trace, "stat", query), of->stat[i],
			strlen(of->stat[i]));
		end_unit(r, LEFT_STATS);
	}
}

/* Adds the durations of the values with most time, unless these are too many
 * intervals. */
static void
put_durations(struct report *r, int trace, const struct plan_type *t)
{
	const struct index *ix = r->options->trace[trace].trace.index;
	struct index_query q = { .ix = ix, .budget = INT64_MAX };
	int64_t records = (int64_t)index_meta(ix)->type[t->id].nrecords;
	int n = t->nvalues < VALUES ? t->nvalues : VALUES;

	if (records > LENGTHS - r->nlengths) {
		r->left[LEFT_LONG]++;
		return;
	}
	r->nlengths += records;
	r->lengths.type = t->id;
	pack_begin(r->pack);
	if (lengths_gather(&r->lengths, &q, t->value, n))
		for (int i = 0; i < n; i++)
			ask(r, trace, "durations", route_durations,
				arena_printf(r->arena,
					"type=%" PRIu32 "&value=%" PRId64,
					t->id, t->value[i].value));
	lengths_free(&r->lengths);
	end_unit(r, LEFT_DURATIONS);
}

/* Adds the tables of rows by values: for all rows, or for the rows in the
 * pictures. */
static void
put_tables(struct report *r, int trace, const struct plan_type *t,
	const struct report_range *in)
{
	static const char *const cells[] = { "time", "count", "min", "max" };
	const char *rows = "";

	if (t->all_rows > REPORT_TABLE_ROWS)
		rows = arena_printf(
			r->arena, "&rows=%s", t->rows.at[t->rows.n - 1]);
	for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
		pack_begin(r->pack);
		ask(r, trace, "table", route_table,
			arena_printf(r->arena,
				"type=%" PRIu32 "&stat=%s&n=256%s%s", t->id,
				cells[i], window_text(r, trace, in), rows));
		if (!end_unit(r, LEFT_TABLES))
			return;
	}
}

/* Adds a type's columns in a window of time: all of them or, if there is no
 * room, none. */
static bool
put_tiles(struct report *r, int trace, const struct plan_type *t, int step,
	const struct report_range *in)
{
	int64_t end = index_meta(r->options->trace[trace].trace.index)->end;
	int64_t width = plan_width(step);
	index_wide tile = (index_wide)width * TILE_COLUMNS;
	int64_t from = in->from > 0 ? in->from : 0;
	int64_t to = in->to < end ? in->to : end;
	bool ok = from < to;

	pack_begin(r->pack);
	for (int64_t i = (int64_t)(from / tile); ok && i * tile < to; i++)
		for (int k = 0; ok && k < t->rows.n; k++)
			ok = ask(r, trace, "tile", route_tile,
				     arena_printf(r->arena,
					     "type=%" PRIu32 "&w=%" PRId64
					     "&i=%" PRId64 "&q=15&rows=%s",
					     t->id, width, i, t->rows.at[k])) &&
				!pack_is_full(r->pack);
	return pack_end(r->pack, REPORT_SPARE) && ok;
}

/* Adds the exact columns of the outermost groups: in those of 15 quanta few
 * active rows of many look like more. */
static void
put_outermost(struct report *r, int trace, const struct plan_type *t, int step)
{
	int64_t end = index_meta(r->options->trace[trace].trace.index)->end;
	int64_t width = plan_width(step);
	index_wide tile = (index_wide)width * TILE_COLUMNS;

	if (*t->outermost == '\0')
		return;
	pack_begin(r->pack);
	for (int64_t i = 0; i * tile < end; i++)
		ask(r, trace, "tile", route_tile,
			arena_printf(r->arena,
				"type=%" PRIu32 "&w=%" PRId64 "&i=%" PRId64
				"&q=fine&rows=%s",
				t->id, width, i, t->outermost));
	end_unit(r, LEFT_EXACT);
}

static void
put_overview(struct report *r, int trace, bool of_states)
{
	const struct report_trace *of = &r->options->trace[trace];
	const struct index_meta *m = index_meta(of->trace.index);
	struct plan *p = &r->plan[trace];
	struct report_held *held = &r->held[trace];

	for (int i = 0; i < p->n; i++) {
		struct plan_type *t = &p->type[i];
		size_t before;

		if ((t->kind == TILE_STATES) != of_states)
			continue;
		before = pack_size(r->pack);
		if (!put_tiles(r, trace, t, p->step, &of->whole)) {
			/* A trace without duration has no timelines to leave
			 * out. */
			r->left[LEFT_TIMELINES] += m->end > 0;
			continue;
		}
		t->wider.bytes = t->finer.bytes = pack_size(r->pack) - before;
		t->wider.width = t->finer.width = plan_width(p->step);
		put_outermost(r, trace, t, p->step);
		held->timelines++;
		if (is_first_of_class(m, p, i)) {
			held->rows += t->nrows;
			held->all_rows += t->all_rows;
		}
	}
	held->width = plan_width(p->step);
	held->columns = m->end / held->width + (m->end % held->width > 0);
}

/* Adds, for every type of states in a window, columns that are finer than those
 * of the overview. */
static void
put_range(struct report *r, int trace, int step, const struct report_range *in)
{
	const struct plan *p = &r->plan[trace];
	bool ok = true;

	for (int i = 0; i < p->n && step < p->step; i++)
		if (p->type[i].kind == TILE_STATES)
			ok = put_tiles(r, trace, &p->type[i], step, in) && ok;
	r->left[LEFT_RANGES] += !ok;
}

static int
worst_first(const void *va, const void *vb)
{
	const struct sink_finding *a = *(const struct sink_finding *const *)va,
				  *b = *(const struct sink_finding *const *)vb;

	COMPARE(b->severity, a->severity);
	COMPARE(a->time, b->time);
	COMPARE((uintptr_t)a, (uintptr_t)b);
	return 0;
}

static void
put_ranges(struct report *r, int trace)
{
	const struct report_trace *of = &r->options->trace[trace];
	const struct index_meta *m = index_meta(of->trace.index);
	const struct plan *p = &r->plan[trace];
	const struct sink_finding **all = ARENA_ARRAY(
		r->arena, const struct sink_finding *, m->nfindings);
	int step = p->step > NEAR ? p->step - NEAR : 0;
	int64_t half = plan_width(step) * (PLAN_COLUMNS / 2);
	size_t n = 0;

	if (of->marked.from < of->marked.to) {
		put_stats(r, trace, &of->marked);
		for (int i = 0; i < p->n; i++)
			if (p->type[i].kind == TILE_STATES)
				put_tables(r, trace, &p->type[i], &of->marked);
		put_range(r, trace,
			plan_fit(of->marked.to - of->marked.from, PLAN_COLUMNS),
			&of->marked);
	}
	for (uint32_t i = 0; i < m->nfindings; i++)
		if (m->finding[i].time != VALUE_NONE)
			all[n++] = &m->finding[i];
	if (n > 0)
		qsort(all, n, sizeof *all, worst_first);
	for (size_t i = 0; i < n && i < FINDINGS; i++) {
		const struct report_range in = {
			.from = all[i]->time - half,
			.to = all[i]->time + half,
		};

		put_range(r, trace, step, &in);
	}
}

/*
 * Estimates the time that a type's columns take, in units of about 100 ns. A
 * column in which a row has a record takes one unit; many records make it five,
 * because all records of a block are read. 16 columns without a record take
 * one.
 */
static int64_t
cost(struct report *r, int trace, const struct plan_type *t, int step)
{
	const struct index *ix = r->options->trace[trace].trace.index;
	uint64_t columns =
		(uint64_t)(index_meta(ix)->end / plan_width(step)) + 1;
	uint64_t sum = 0;

	for (uint32_t i = 0; i < t->nrows; i++) {
		uint32_t series = index_series(ix, t->row[i], t->id, 0);
		uint64_t n = series == INDEX_NONE
			? 0
			: index_series_records(ix, series);
		uint64_t dense = n / columns < 128 ? n / columns : 128;

		sum += columns / 16 +
			(n < columns ? n : columns) * (32 + dense) / 32;
	}
	return (int64_t)sum;
}

/* Adds the columns of a type in another width than that of the overview.
 * Returns LEFT_KINDS, LEFT_LATE if that would take too long, or `no_room`.
 * Before, estimates their bytes by those of the last width: to compress columns
 * that surely have no room takes as long as to add them. */
static enum left
put_type(struct report *r, int trace, const struct plan_type *t,
	struct plan_width *last, int step, enum left no_room)
{
	size_t before = pack_size(r->pack);
	int64_t width = plan_width(step), takes;
	double bytes =
		(double)last->bytes * (double)last->width / (double)width;

	if (bytes > SURE * (double)pack_room(r->pack, REPORT_SPARE))
		return no_room;
	takes = cost(r, trace, t, step);
	if (takes > COST - r->cost)
		return LEFT_LATE;
	r->cost += takes;
	if (!put_tiles(r, trace, t, step, &r->options->trace[trace].whole))
		return no_room;
	last->bytes = pack_size(r->pack) - before;
	last->width = width;
	return LEFT_KINDS;
}

/* Adds the columns of a trace's types in another width than that of the
 * overview, `by` steps away, except for types that had no room before. Returns
 * false if none was added. */
static bool
put_width(struct report *r, int trace, bool wider, int by)
{
	struct plan *p = &r->plan[trace];
	int64_t end = r->options->trace[trace].whole.to;
	int step = wider ? p->step + by : p->step - by;
	bool any = false;

	if (step < 0 || (wider && step > plan_fit(end, WIDEST)))
		return false;
	for (int i = 0; i < p->n; i++) {
		struct plan_type *t = &p->type[i];
		struct plan_width *last = wider ? &t->wider : &t->finer;
		enum left left;

		if (last->full)
			continue;
		left = put_type(r, trace, t, last, step,
			wider ? LEFT_WIDER : LEFT_FINER);
		last->full = left != LEFT_KINDS;
		if (last->full)
			r->left[left]++;
		any = any || !last->full;
	}
	return any;
}

/* Adds the overview in other widths, for other windows and for zooming: width
 * by width for all types, until a type has no room. */
static void
put_widths(struct report *r, bool wider)
{
	bool any = true;

	for (int by = 1; any && by <= FINER; by++) {
		any = false;
		for (int i = 0; i < r->options->ntraces; i++)
			any = put_width(r, i, wider, by) || any;
	}
}

static void
put_traces(struct report *r)
{
	struct doc doc;

	doc_open_memory(&doc);
	doc_begin(&doc, NULL, '{');
	doc_word(&doc, "version", WEFT_VERSION);
	doc_begin(&doc, "traces", '[');
	for (int i = 0; i < r->options->ntraces; i++) {
		doc_begin(&doc, NULL, '{');
		doc_i64(&doc, "trace", i);
		doc_word(&doc, "gen", GEN);
		doc_word(&doc, "name", r->options->trace[i].trace.name);
		doc_word(&doc, "state", "ready");
		doc_end(&doc, '}');
	}
	doc_end(&doc, ']');
	doc_end(&doc, '}');
	put_json(r, "traces", doc.out.buf, (size_t)(doc.out.at - doc.out.buf));
	out_close(&doc.out);
}

bool
report_fill(struct report *r)
{
	int n = r->options->ntraces;

	pack_begin(r->pack);
	put_traces(r);
	pack_end(r->pack, REPORT_SPARE);
	for (int i = 0; i < n; i++)
		if (!put_names(r, i))
			return err_set(&r->err, ERR_INPUT,
				"--report-size is too small for the names of "
				"rows and types");
	for (int i = 0; i < n; i++)
		put_stats(r, i, &r->options->trace[i].whole);
	for (int i = 0; i < n; i++)
		for (int k = 0; k < r->plan[i].n; k++) {
			if (r->plan[i].type[k].kind != TILE_STATES)
				continue;
			put_durations(r, i, &r->plan[i].type[k]);
			put_tables(r, i, &r->plan[i].type[k],
				&r->options->trace[i].whole);
		}
	for (int i = 0; i < n; i++)
		put_overview(r, i, true);
	for (int i = 0; i < n; i++)
		put_ranges(r, i);
	for (int i = 0; i < n; i++)
		put_overview(r, i, false);
	put_widths(r, true);
	put_widths(r, false);
	return true;
}
