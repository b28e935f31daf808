/* SPDX-License-Identifier: MIT */
#include "export/stat/lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "export/stat/stat.h"

/* Clocks may lie at both ends of what a number holds. */
static int64_t
sum(int64_t a, int64_t b)
{
	return __builtin_add_overflow(a, b, &a) ? INT64_MAX : a;
}

static void
add_to(struct stat_line *to, const struct stat_line *from)
{
	to->time = sum(to->time, from->time);
	to->times += from->times;
	to->runs += from->runs;
	to->rows += from->rows;
}

static void
add(struct stat_lines *l, struct arena *a, struct stat_line add)
{
	uint64_t *at = map_put(&l->of, (uint64_t)add.value);

	if (*at == 0) {
		VEC_PUSH(&l->line, a,
			((struct stat_line){ .value = add.value }));
		*at = (uint64_t)l->line.n;
	}
	add_to(&l->line.at[*at - 1], &add);
}

void
stat_lines_add(
	struct stat_lines *l, struct arena *a, const struct stat_lane *lane)
{
	for (int i = 0; i < lane->cells.n; i++) {
		const struct stat_cell *c = &lane->cells.at[i];

		add(l, a,
			(struct stat_line){ .value = c->value,
				.time = c->time,
				.times = c->times,
				.runs = c->runs,
				.rows = 1 });
	}
}

void
stat_lines_add_nothing(
	struct stat_lines *l, struct arena *a, int rows, int64_t time)
{
	int64_t all;

	if (rows <= 0)
		return;
	if (__builtin_mul_overflow(rows, time, &all))
		all = INT64_MAX;
	add(l, a,
		(struct stat_line){
			.value = VALUE_NONE, .time = all, .rows = rows });
}

void
stat_lines_add_labels(
	struct stat_lines *l, struct arena *a, const struct stat_type *type)
{
	uint64_t value, text;
	size_t pos = 0;

	while (map_next(&type->labels, &pos, &value, &text))
		add(l, a, (struct stat_line){ .value = (int64_t)value });
}

static int
compare(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int
nothing_last(const struct stat_line *a, const struct stat_line *b)
{
	return (a->value == VALUE_NONE) - (b->value == VALUE_NONE);
}

static int
by_time(const void *pa, const void *pb)
{
	const struct stat_line *a = pa, *b = pb;
	int order = nothing_last(a, b);

	if (order == 0)
		order = compare(b->time, a->time);
	return order != 0 ? order : compare(a->value, b->value);
}

static int
by_times(const void *pa, const void *pb)
{
	const struct stat_line *a = pa, *b = pb;
	int order = nothing_last(a, b);

	if (order == 0)
		order = (b->times > a->times) - (b->times < a->times);
	return order != 0 ? order : by_time(a, b);
}

static int
by_runs(const void *pa, const void *pb)
{
	const struct stat_line *a = pa, *b = pb;
	int order = nothing_last(a, b);

	if (order == 0)
		order = (b->runs > a->runs) - (b->runs < a->runs);
	return order != 0 ? order : by_time(a, b);
}

/* Values without a label are numbers, and stand behind the names. */
static int
by_name(const void *pa, const void *pb)
{
	const struct stat_line *a = pa, *b = pb;
	int order = nothing_last(a, b);

	if (order == 0)
		order = (a->label == NULL) - (b->label == NULL);
	if (order == 0 && a->label != NULL)
		order = strcmp(a->label, b->label);
	return order != 0 ? order : compare(a->value, b->value);
}

static void
sort(struct stat_lines *l, int (*order)(const void *, const void *))
{
	if (l->line.n > 0)
		qsort(l->line.at, (size_t)l->line.n, sizeof *l->line.at, order);
}

static bool
are_one(const struct stat_line *a, const struct stat_line *b)
{
	return a->value != VALUE_NONE && b->value != VALUE_NONE &&
		a->label != NULL && b->label != NULL &&
		strcmp(a->label, b->label) == 0;
}

static void
join(struct stat_lines *l)
{
	int n = 0;

	sort(l, by_name);
	for (int i = 0; i < l->line.n; i++) {
		if (n > 0 && are_one(&l->line.at[n - 1], &l->line.at[i]))
			add_to(&l->line.at[n - 1], &l->line.at[i]);
		else
			l->line.at[n++] = l->line.at[i];
	}
	l->line.n = n;
}

/* Keeps the first lines; the others but nothing become one. */
static void
cut(struct stat_lines *l, int64_t top)
{
	int n = l->line.n;
	bool nothing = n > 0 && l->line.at[n - 1].value == VALUE_NONE;
	struct stat_line last =
		nothing ? l->line.at[n - 1] : (struct stat_line){ 0 };
	struct stat_line more = { .value = VALUE_OTHER };

	n -= nothing;
	if (top == 0 || n <= top)
		return;
	for (int i = (int)top; i < n; i++)
		add_to(&more, &l->line.at[i]);
	more.more = n - (int)top;
	more.rows = 0;
	l->line.at[top] = more;
	l->line.n = (int)top + 1;
	if (nothing)
		l->line.at[l->line.n++] = last;
}

void
stat_lines_sort(struct stat_lines *l, const struct stat_type *type,
	const struct stat_order *order)
{
	l->in_states = 0;
	for (int i = 0; i < l->line.n; i++) {
		struct stat_line *line = &l->line.at[i];
		const char *label = stat_label(type, line->value);

		line->label = label == NULL ? NULL : text_trim(label);
		if (line->value != VALUE_NONE)
			l->in_states = sum(l->in_states, line->time);
	}
	if (order->join)
		join(l);
	if (order->key == STAT_NAME)
		sort(l, by_name);
	else if (order->key == STAT_TIMES)
		sort(l, order->runs ? by_runs : by_times);
	else
		sort(l, by_time);
	cut(l,
		order->top == 0 && type->labels.n == 0 ? order->numbers
						       : order->top);
}

void
stat_lines_fini(struct stat_lines *l)
{
	map_fini(&l->of);
}
