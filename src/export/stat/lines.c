/* SPDX-License-Identifier: MIT */
#include "export/stat/lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "export/stat/stat.h"

/* Adds times. The sum is limited to 64 bits, because clocks may lie anywhere in
 * 64 bits. */
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

/* Sorts by label; values without a label come after, by number. */
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

static void
sort_lines(struct stat_lines *l, const struct stat_order *order)
{
	if (order->join)
		join(l);
	if (order->key == STAT_NAME)
		sort(l, by_name);
	else if (order->key == STAT_TIMES)
		sort(l, order->runs ? by_runs : by_times);
	else
		sort(l, by_time);
}

/* Keeps the first lines and the line of VALUE_NONE; sums the others. */
static void
cut(struct stat_lines *l, int64_t top)
{
	int n = l->line.n, first = (int)top;
	bool nothing = n > 0 && l->line.at[n - 1].value == VALUE_NONE;
	int last = n - nothing;

	if (last <= first)
		return;
	for (int i = first; i < last; i++) {
		add_to(&l->more, &l->line.at[i]);
		l->more.more++;
	}
	if (nothing)
		l->line.at[first] = l->line.at[last];
	l->line.n = first + nothing;
}

/* Returns the number of lines wanted. */
static int64_t
wanted(const struct stat_type *type, const struct stat_order *order)
{
	int64_t top = order->top;

	if (top == 0 && type->labels.n == 0)
		top = order->numbers;
	return top == 0 || top > STAT_LINES ? STAT_LINES : top;
}

/* Sets the label of each line, and adds up the totals, from line `first` on. */
static void
look_at(struct stat_lines *l, const struct stat_type *type, int first)
{
	for (int i = first; i < l->line.n; i++) {
		struct stat_line *line = &l->line.at[i];
		const char *label = stat_label(type, line->value);

		line->label = label == NULL ? NULL : text_trim(label);
		l->lived = sum(l->lived, line->time);
		if (line->value != VALUE_NONE)
			l->in_states = sum(l->in_states, line->time);
		if (line->value == VALUE_LOST)
			l->lost = sum(l->lost, line->time);
	}
}

/* Appends the sum of the lines that were cut, before the line of VALUE_NONE. */
static void
put_more(struct stat_lines *l, struct arena *a)
{
	int n = l->line.n;
	bool nothing = n > 0 && l->line.at[n - 1].value == VALUE_NONE;
	struct stat_line last =
		nothing ? l->line.at[n - 1] : (struct stat_line){ 0 };

	if (l->more.more == 0)
		return;
	l->more.value = VALUE_OTHER;
	l->more.rows = 0;
	l->line.n -= nothing;
	VEC_PUSH(&l->line, a, l->more);
	if (nothing)
		VEC_PUSH(&l->line, a, last);
}

/* The request, and the lines of one part of the values. */
struct part {
	const struct stat_table *table;
	int type, row, number;
	struct arena arena;
	struct stat_lines lines;
};

static bool
has_lane(const struct part *p, const struct stat_lane *lane)
{
	return lane->type == (uint32_t)p->type &&
		(p->row < 0 || lane->row == (uint32_t)p->row);
}

static void
add_cell(struct part *p, const struct stat_cell *c, int rows)
{
	if (p->number < 0 || stat_over_part(c->value) == p->number)
		add(&p->lines, &p->arena,
			(struct stat_line){ .value = c->value,
				.time = c->time,
				.times = c->times,
				.runs = c->runs,
				.rows = rows });
}

static void
add_piece(void *arg, const struct stat_piece *piece)
{
	struct part *p = arg;

	if (has_lane(p, &p->table->lanes.at[piece->lane]))
		add_cell(p, &piece->cell, 0);
}

/* Adds the time of rows of the class that never had a record. */
static void
add_silent(struct part *p)
{
	const struct stat_table *t = p->table;
	struct map seen = { 0 };
	int64_t time = 0;
	int rows = 0;

	for (int i = 0; i < t->lanes.n; i++)
		if (has_lane(p, &t->lanes.at[i]))
			*map_put(&seen, t->lanes.at[i].row) = 1;
	for (int i = 0; i < t->rows.n; i++) {
		if (!stat_fits(t, i, p->type) || (p->row >= 0 && p->row != i) ||
			map_get(&seen, (uint64_t)i) != NULL)
			continue;
		time = sum(time, t->rows.at[i].lived);
		rows++;
	}
	map_fini(&seen);
	if (time > 0)
		add(&p->lines, &p->arena,
			(struct stat_line){ .value = VALUE_NONE,
				.time = time,
				.rows = rows });
}

/* Time while the thread is dead does not count as a state. */
static bool
is_dead(const struct stat_type *type, int64_t value)
{
	return type->life != NULL &&
		(value == type->life->dead[0] || value == type->life->dead[1]);
}

static void
add_labels(struct part *p)
{
	const struct stat_type *type = &p->table->types.at[p->type];
	uint64_t value, text;
	size_t pos = 0;

	while (map_next(&type->labels, &pos, &value, &text))
		if (!is_dead(type, (int64_t)value))
			add_cell(p,
				&(struct stat_cell){ .value = (int64_t)value },
				0);
}

/* Moves the lines of a part to `l`, and cuts them if they are too many. */
static void
move(struct stat_lines *l, struct arena *a, struct part *p, int64_t most,
	const struct stat_order *order)
{
	int first = l->line.n;

	for (int i = 0; i < p->lines.line.n; i++)
		VEC_PUSH(&l->line, a, p->lines.line.at[i]);
	look_at(l, &p->table->types.at[p->type], first);
	stat_lines_fini(&p->lines);
	arena_fini(&p->arena);
	p->lines = (struct stat_lines){ 0 };
	if (l->line.n > 2 * most) {
		sort_lines(l, order);
		cut(l, most);
	}
}

void
stat_lines_take(struct stat_lines *l, struct arena *a, struct stat_table *t,
	int type, int row, const struct stat_order *order)
{
	struct part p = { .table = t, .type = type, .row = row };
	bool whole = t->over.part == NULL;
	int64_t most = wanted(&t->types.at[type], order);

	for (p.number = whole ? -1 : 0; p.number < (whole ? 0 : STAT_PARTS);
		p.number++) {
		for (int i = 0; i < t->lanes.n; i++)
			for (int j = 0; has_lane(&p, &t->lanes.at[i]) &&
				j < t->lanes.at[i].cells.n;
				j++)
				add_cell(&p, &t->lanes.at[i].cells.at[j], 1);
		if (!whole)
			stat_over_each(&t->over, p.number, add_piece, &p);
		if (whole || p.number == stat_over_part(VALUE_NONE))
			add_silent(&p);
		if (order->labels)
			add_labels(&p);
		move(l, a, &p, most, order);
	}
	sort_lines(l, order);
	cut(l, most);
	put_more(l, a);
}

void
stat_lines_fini(struct stat_lines *l)
{
	map_fini(&l->of);
}
