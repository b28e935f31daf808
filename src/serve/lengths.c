/* SPDX-License-Identifier: MIT */
/* Answers "durations": how long the intervals of a value are. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/compare.h"
#include "serve/lengths.h"
#include "serve/route.h"

#define LENGTHS \
	(1 << 24) /* most lengths that one answer holds in memory: 128 \
	           * MB */
#define BINS 256

/* The lengths of the intervals of one value. */
struct lengths {
	int64_t value, from, to;
	bool whole;
	bool full; /* more than LENGTHS intervals */
	struct lengths_list list;
};

static void
add(struct lengths_list *l, int64_t length)
{
	if (l->n == l->room) {
		l->room = l->room == 0 ? 1024 : 2 * l->room;
		l->at = mem_resize(l->at, l->room, sizeof *l->at);
	}
	l->at[l->n++] = length;
}

static bool
add_any(void *arg, const struct index_interval *iv)
{
	struct lengths_all *all = arg;
	const uint64_t *at = map_get(&all->of, (uint64_t)iv->value);

	if (at != NULL)
		add(&all->list[*at - 1],
			iv->to > iv->from ? iv->to - iv->from : 0);
	return true;
}

bool
lengths_gather(struct lengths_all *all, struct index_query *q,
	const struct total *value, int n)
{
	const struct index_meta *m = index_meta(q->ix);
	bool ok = true;

	all->n = n;
	all->list = mem_resize(NULL, (size_t)n, sizeof *all->list);
	memset(all->list, 0, (size_t)n * sizeof *all->list);
	for (int i = 0; i < n; i++)
		*map_put(&all->of, (uint64_t)value[i].value) = (uint64_t)i + 1;
	for (uint32_t row = 0; ok && row < m->nrows; row++) {
		uint32_t series =
			index_series(q->ix, row, (uint32_t)all->type, 0);

		ok = series == INDEX_NONE ||
			index_intervals(q, series, 0, m->end, add_any, all);
	}
	return ok;
}

void
lengths_free(struct lengths_all *all)
{
	for (int i = 0; i < all->n; i++)
		mem_free(all->list[i].at);
	mem_free(all->list);
	map_fini(&all->of);
	*all = (struct lengths_all){ 0 };
}

/* Moves the lengths gathered for the value to l. Returns false if there are
 * none. */
static bool
take_gathered(struct call *c, int64_t type, struct lengths *l)
{
	struct lengths_all *all = c->lengths;
	const uint64_t *at = all == NULL || all->type != type
		? NULL
		: map_get(&all->of, (uint64_t)l->value);

	if (at == NULL)
		return false;
	l->list = all->list[*at - 1];
	all->list[*at - 1] = (struct lengths_list){ 0 };
	return true;
}

static bool
add_length(void *arg, const struct index_interval *iv)
{
	struct lengths *l = arg;
	int64_t from = iv->from, to = iv->to;

	if (iv->value != l->value)
		return true;
	if (l->whole && (from < l->from || from >= l->to))
		return true;
	if (!l->whole) {
		from = from < l->from ? l->from : from;
		to = to > l->to ? l->to : to;
	}
	l->full = l->list.n >= LENGTHS;
	if (l->full)
		return false;
	add(&l->list, to > from ? to - from : 0);
	return true;
}

static int
compare_lengths(const void *va, const void *vb)
{
	const int64_t *a = va, *b = vb;

	COMPARE(*a, *b);
	return 0;
}

/* Gathers the lengths. On failure answers with the error and returns false. */
static bool
gather(struct call *c, const struct picked *rows, int64_t type,
	struct lengths *l)
{
	for (int i = 0; i < rows->n; i++) {
		uint32_t series = route_series(c, rows->row[i].id, type, 0);

		if (series == INDEX_NONE ||
			index_intervals(&c->query, series, l->from, l->to,
				add_length, l))
			continue;
		if (!l->full)
			return route_fail(c);
		err_set(&c->err, ERR_INPUT,
			"more than %d intervals match: ask for fewer rows or a "
			"shorter window",
			LENGTHS);
		return route_refuse(c);
	}
	return true;
}

/* Returns the least length such that this percentage of intervals is no
 * longer. */
static int64_t
percentile(const struct lengths_list *l, int percent)
{
	size_t rank = (l->n * (size_t)percent + 99) / 100;

	return l->at[rank == 0 ? 0 : rank - 1];
}

/* Returns the end of the bin that contains a length. */
static int64_t
bin_end(int64_t from, int64_t width)
{
	if (width > 0)
		return from + width;
	if (from == 0)
		return 1;
	return from > INT64_MAX / 2 ? INT64_MAX : 2 * from;
}

/* Writes the bins: of equal width from 0 on if a width is given; else each
 * twice as wide as the bin before: [0,1), [1,2), [2,4)... */
static void
put_bins(struct doc *doc, const struct lengths_list *l, int64_t width)
{
	int64_t from = 0, to = bin_end(0, width);

	doc_begin(doc, "bins", '[');
	for (size_t i = 0; i < l->n;) {
		int64_t count = 0;
		index_wide sum = 0;

		while (l->at[i] >= to && to != INT64_MAX) {
			from = width > 0 ? l->at[i] / width * width : to;
			to = bin_end(from, width);
		}
		for (; i < l->n && (l->at[i] < to || to == INT64_MAX); i++) {
			count++;
			sum += l->at[i];
		}
		doc_begin(doc, NULL, '{');
		answer_i64(doc, "from", from);
		answer_i64(doc, "to", to);
		answer_i64(doc, "count", count);
		answer_i64(doc, "sum", (int64_t)sum);
		doc_end(doc, '}');
	}
	doc_end(doc, ']');
}

static void
answer_lengths(struct call *c, const struct lengths_list *l, int64_t nbins)
{
	static const int percents[] = { 50, 90, 99 };
	index_wide sum = 0;
	int64_t max = l->n == 0 ? 0 : l->at[l->n - 1];
	struct doc doc;
	char name[8];

	for (size_t i = 0; i < l->n; i++)
		sum += l->at[i];
	doc_open_memory(&doc);
	doc_begin(&doc, NULL, '{');
	answer_i64(&doc, "count", (int64_t)l->n);
	answer_i64(&doc, "sum", (int64_t)sum);
	answer_value(&doc, "min", l->n == 0 ? INT64_MIN : l->at[0]);
	answer_value(&doc, "max", l->n == 0 ? INT64_MIN : max);
	answer_value(&doc, "mean",
		l->n == 0 ? INT64_MIN : (int64_t)(sum / (index_wide)l->n));
	for (size_t i = 0; i < 3; i++) {
		snprintf(name, sizeof name, "p%d", percents[i]);
		answer_value(&doc, name,
			l->n == 0 ? INT64_MIN : percentile(l, percents[i]));
	}
	put_bins(&doc, l, nbins == 0 ? 0 : max / nbins + 1);
	doc_end(&doc, '}');
	answer_json(c->to, &doc);
}

/* Reads "log2" as 0, or a number of equal bins. On failure answers with the
 * error and returns false. */
static bool
read_bins(struct call *c, const char *text, int64_t *n)
{
	*n = 0;
	if (text == NULL || strcmp(text, "log2") == 0)
		return true;
	if (param_digits(&text, BINS, n) && *text == '\0' && *n > 0)
		return true;
	err_set(&c->err, ERR_INPUT, "bins is log2 or a number from 1 to %d",
		BINS);
	return route_refuse(c);
}

void
route_durations(struct call *c)
{
	struct route_window in = route_whole(c);
	struct lengths l = { 0 };
	int64_t type = 0, nbins;
	int whole = 0;
	const char *rows = NULL, *bins = NULL;
	const struct param table[] = {
		ROUTE_TYPE(c, type),
		{ .name = "value",
			.needed = true,
			.number = &l.value,
			.min = INT64_MIN,
			.max = INT64_MAX,
			.may_be_none = true },
		{ .name = "rows", .text = &rows, .most = REQUEST_TARGET },
		ROUTE_WINDOW(in),
		{ .name = "bins", .text = &bins, .most = 8 },
		{ .name = "whole", .choice = &whole, .choices = "0,1" },
		{ 0 },
	};
	struct picked picked;

	if (!route_params(c, table) || !route_check_window(c, &in) ||
		!read_bins(c, bins, &nbins) ||
		!route_pick(c, rows, type, &picked))
		return;
	l.from = in.from;
	l.to = in.to;
	l.whole = whole == 1;
	if (take_gathered(c, type, &l) || gather(c, &picked, type, &l)) {
		if (l.list.n > 0)
			qsort(l.list.at, l.list.n, sizeof *l.list.at,
				compare_lengths);
		answer_lengths(c, &l.list, nbins);
	}
	mem_free(l.list.at);
}
