/* SPDX-License-Identifier: MIT */
/* Answers "table": rows by values. */
#include <math.h>

#include "base/map.h"
#include "serve/route.h"
#include "serve/totals.h"

#define VALUES 256 /* columns, at most */

enum cell { CELL_TIME, CELL_COUNT, CELL_MEAN, CELL_MAX, CELL_MIN, CELL_STDEV };

#define CELLS \
	"time,count,mean,max,min,stdev" /* names of the cells, in their \
	                                 * order */

/* The sums of one row and value. */
struct sum {
	int64_t count, min, max;
	index_wide time;
	long double squares;
};

struct grid {
	struct call *call;
	struct picked rows;
	struct route_window in;
	struct index_window window; /* the same window, for the index */
	int64_t type;
	enum cell cell;
	const struct total
		*total; /* columns: the values with most time first */
	int n;
	struct map column;      /* value -> column + 1 */
	struct sum sum[VALUES]; /* sums of the current row */
};

/* Sums all values of all rows by time. On failure answers with the error and
 * returns false. */
static bool
add_totals(struct grid *g, struct totals *all)
{
	struct call *c = g->call;

	for (int i = 0; i < g->rows.n; i++) {
		uint32_t series =
			route_series(c, g->rows.row[i].id, g->type, 0);
		struct index_times times;

		if (series == INDEX_NONE)
			continue;
		if (!index_by_value(
			    &c->query, c->arena, series, g->window, &times))
			return route_fail(c);
		totals_add(all, c->arena, &times);
	}
	return true;
}

/* Chooses the columns. */
static bool
choose_columns(struct grid *g, int64_t most)
{
	struct totals all = { 0 };
	bool ok = add_totals(g, &all);

	totals_end(&all);
	if (!ok)
		return false;
	g->total = all.value.at;
	g->n = all.value.n;
	if (g->n > most)
		g->n = (int)most;
	for (int i = 0; i < g->n; i++)
		*map_put(&g->column, (uint64_t)g->total[i].value) =
			(uint64_t)i + 1;
	return true;
}

static bool
add_interval(void *arg, const struct index_interval *iv)
{
	struct grid *g = arg;
	uint64_t *at = map_get(&g->column, (uint64_t)iv->value);
	int64_t from = iv->from < g->in.from ? g->in.from : iv->from;
	int64_t to = iv->to > g->in.to ? g->in.to : iv->to;
	int64_t length = to > from ? to - from : 0;
	struct sum *s;

	if (at == NULL)
		return true;
	s = &g->sum[*at - 1];
	if (s->count++ == 0 || length < s->min)
		s->min = length;
	s->max = length > s->max ? length : s->max;
	s->time += length;
	s->squares += (long double)length * (long double)length;
	return true;
}

/* Fills a row of times, which needs no walk over records. */
static bool
add_times(struct grid *g, uint32_t series)
{
	struct call *c = g->call;
	struct index_times times;

	if (!index_by_value(&c->query, c->arena, series, g->window, &times))
		return false;
	for (int i = 0; i < times.n; i++) {
		uint64_t *at = map_get(&g->column, (uint64_t)times.at[i].value);

		if (at == NULL)
			continue;
		g->sum[*at - 1].time = times.at[i].time;
		g->sum[*at - 1].count = 1;
	}
	return true;
}

/* Fills a row of the whole trace from the lengths that the index keeps. Sets
 * *known to false if it keeps none. */
static bool
add_lengths(struct grid *g, uint32_t series, bool *known)
{
	struct call *c = g->call;
	const struct index_length *length;
	int n;

	*known = false;
	if (g->cell == CELL_STDEV || g->cell == CELL_MEAN || g->in.from > 0 ||
		g->in.to < c->meta->end)
		return true;
	if (!index_lengths(&c->query, c->arena, series, &length, &n))
		return false;
	*known = n > 0;
	for (int i = 0; i < n; i++) {
		uint64_t *at = map_get(&g->column, (uint64_t)length[i].value);

		if (at == NULL)
			continue;
		g->sum[*at - 1].count = (int64_t)length[i].count;
		g->sum[*at - 1].min = length[i].min;
		g->sum[*at - 1].max = length[i].max;
	}
	return true;
}

/* Sums a row. Returns false if the index fails. */
static bool
add_row(struct grid *g, uint32_t series)
{
	struct call *c = g->call;
	bool known;

	if (g->cell == CELL_TIME)
		return add_times(g, series);
	return add_lengths(g, series, &known) &&
		(known ||
			index_intervals(&c->query, series, g->in.from, g->in.to,
				add_interval, g));
}

static void
put_cell(struct doc *doc, const struct sum *s, enum cell cell)
{
	long double n = (long double)s->count, mean;

	if (s->count == 0) {
		doc_bare(doc, NULL, NULL);
		return;
	}
	mean = (long double)s->time / n;
	switch (cell) {
	case CELL_TIME:
		answer_i64(doc, NULL, (int64_t)s->time);
		break;
	case CELL_COUNT:
		answer_i64(doc, NULL, s->count);
		break;
	case CELL_MEAN:
		doc_f64(doc, NULL, (double)mean);
		break;
	case CELL_MAX:
		answer_i64(doc, NULL, s->max);
		break;
	case CELL_MIN:
		answer_i64(doc, NULL, s->min);
		break;
	case CELL_STDEV:
		mean = s->squares / n - mean * mean;
		doc_f64(doc, NULL, mean > 0 ? sqrt((double)mean) : 0);
		break;
	}
}

/* Sums a row and writes its cells. Returns false if the index fails. */
static bool
put_row(struct grid *g, struct doc *doc, uint32_t row)
{
	struct call *c = g->call;
	uint32_t series = route_series(c, row, g->type, 0);

	for (int i = 0; i < g->n; i++)
		g->sum[i] = (struct sum){ 0 };
	if (series != INDEX_NONE && !add_row(g, series))
		return false;
	doc_begin(doc, NULL, '{');
	doc_i64(doc, "row", row);
	doc_begin(doc, "cells", '[');
	for (int i = 0; i < g->n; i++)
		put_cell(doc, &g->sum[i], g->cell);
	doc_end(doc, ']');
	doc_end(doc, '}');
	return true;
}

static void
answer_grid(struct grid *g)
{
	static const char *const names[] = { "time", "count", "mean", "max",
		"min", "stdev" };
	struct call *c = g->call;
	struct doc doc;

	doc_open_memory(&doc);
	doc_begin(&doc, NULL, '{');
	doc_word(&doc, "stat", names[g->cell]);
	doc_begin(&doc, "values", '[');
	for (int i = 0; i < g->n; i++) {
		doc_begin(&doc, NULL, '{');
		route_put_value(&doc, &c->meta->type[g->type],
			g->total[i].value, false);
		doc_end(&doc, '}');
	}
	doc_end(&doc, ']');
	doc_begin(&doc, "rows", '[');
	for (int i = 0; i < g->rows.n; i++)
		if (!put_row(g, &doc, g->rows.row[i].id)) {
			out_close(&doc.out);
			route_fail(c);
			return;
		}
	doc_end(&doc, ']');
	doc_end(&doc, '}');
	answer_json(c->to, &doc);
}

void
route_table(struct call *c)
{
	struct grid *g = ARENA_NEW(c->arena, struct grid);
	int64_t n = 50;
	int cell = CELL_TIME;
	const char *rows = NULL;
	const struct param table[] = {
		ROUTE_TYPE(c, g->type),
		{ .name = "rows", .text = &rows, .most = REQUEST_TARGET },
		ROUTE_WINDOW(g->in),
		{ .name = "stat", .choice = &cell, .choices = CELLS },
		{ .name = "n", .number = &n, .min = 1, .max = VALUES },
		{ 0 },
	};

	g->call = c;
	g->in = route_whole(c);
	if (!route_params(c, table) || !route_check_window(c, &g->in) ||
		!route_pick(c, rows, g->type, &g->rows))
		return;
	g->cell = (enum cell)cell;
	g->window = (struct index_window){ g->in.from, g->in.to, false };
	if (choose_columns(g, n))
		answer_grid(g);
	map_fini(&g->column);
}
