/* SPDX-License-Identifier: MIT */
#include "serve/plan.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/compare.h"

int64_t
plan_width(int step)
{
	if (step < 3)
		return step + 1;
	return (int64_t)(4 + (step - 3) % 4) << (step - 3) / 4;
}

int
plan_fit(int64_t time, int64_t columns)
{
	int step = 0;

	while ((index_wide)plan_width(step) * columns < time)
		step++;
	return step;
}

/* Orders types of states first, then by time. */
static int
by_interest(const void *va, const void *vb)
{
	const struct plan_type *a = va, *b = vb;

	COMPARE(a->kind, b->kind);
	COMPARE(b->time, a->time);
	COMPARE(a->id, b->id);
	return 0;
}

/* Sums the times of all values of a type of states. */
static bool
add_values(struct index_query *q, struct arena *a, struct plan_type *t)
{
	const struct index_meta *m = index_meta(q->ix);
	struct totals all = { 0 };
	struct arena each = { 0 };
	bool ok = true;

	for (uint32_t row = 0; ok && row < m->nrows; row++) {
		uint32_t series = index_series(q->ix, row, t->id, 0);
		const struct index_window whole = { 0, m->end, false };
		struct index_times times;

		if (series == INDEX_NONE)
			continue;
		ok = index_by_value(q, &each, series, whole, &times);
		if (ok)
			totals_add(&all, a, &times);
		arena_reset(&each);
	}
	arena_fini(&each);
	totals_end(&all);
	t->value = all.value.at;
	t->nvalues = 0;
	for (int i = 0; i < all.value.n; i++) {
		if (all.value.at[i].value == VALUE_NONE)
			continue;
		all.value.at[t->nvalues++] = all.value.at[i];
		t->time += all.value.at[i].time;
	}
	return ok;
}

/* Rows or groups, written as the parameter of a tile. */
struct ids {
	VEC(uint32_t) id;
};

/* Texts of at most TILE_ROWS ids each. */
static void
add_texts(struct plan_type *t, struct arena *a, const struct ids *of, char kind)
{
	const uint32_t *id = of->id.at;

	for (int i = 0; i < of->id.n;) {
		const char *text = "";
		int end = of->id.n - i < TILE_ROWS ? of->id.n : i + TILE_ROWS;

		while (i < end) {
			int last = i;

			while (last + 1 < end && id[last + 1] == id[last] + 1)
				last++;
			text = arena_printf(a, "%s%s%c%" PRIu32, text,
				*text == '\0' ? "" : ",", kind, id[i]);
			if (last > i)
				text = arena_printf(
					a, "%s-%" PRIu32, text, id[last]);
			i = last + 1;
		}
		VEC_PUSH(&t->rows, a, text);
	}
}

static int
by_order(const void *va, const void *vb)
{
	const struct index_row *a = *(const struct index_row *const *)va,
			       *b = *(const struct index_row *const *)vb;

	COMPARE(a->order, b->order);
	return 0;
}

static void
add_outermost(const struct index_meta *m, struct arena *a, struct plan_type *t)
{
	const char *class = m->type[t->id].type.class, *text = "";
	int n = 0;

	for (uint32_t g = 0; g < m->ngroups && n < PLAN_OUTERMOST; g++)
		if (t->kind == TILE_STATES &&
			m->group[g].parent == INDEX_NONE &&
			strcmp(m->group[g].class, class) == 0)
			text = arena_printf(a, "%s%sg%" PRIu32, text,
				n++ == 0 ? "" : ",", g);
	t->outermost = text;
}

/* Chooses the first rows of the class, in the order of the page, and their
 * groups. */
static void
add_rows(const struct index_meta *m, struct arena *a, struct plan_type *t)
{
	const char *class = m->type[t->id].type.class;
	VEC(const struct index_row *) rows = { 0 };
	struct ids ids = { 0 }, groups = { 0 };

	for (uint32_t i = 0; i < m->nrows; i++)
		if (strcmp(m->row[i].row.class, class) == 0)
			VEC_PUSH(&rows, a, &m->row[i]);
	if (rows.n > 0)
		qsort(rows.at, (size_t)rows.n, sizeof *rows.at, by_order);
	for (int i = 0; i < rows.n && i < PLAN_ROWS; i++)
		VEC_PUSH(&ids.id, a, (uint32_t)(rows.at[i] - m->row));
	for (uint32_t g = 0; g < m->ngroups && groups.id.n < TILE_ROWS; g++)
		if (t->kind == TILE_STATES &&
			strcmp(m->group[g].class, class) == 0)
			VEC_PUSH(&groups.id, a, g);
	add_outermost(m, a, t);
	add_texts(t, a, &groups, 'g');
	add_texts(t, a, &ids, 'r');
	t->row = ids.id.at;
	t->nrows = (uint32_t)ids.id.n;
	t->all_rows = (uint32_t)rows.n;
}

bool
plan_make(struct index_query *q, struct arena *a, struct plan *out)
{
	const struct index_meta *m = index_meta(q->ix);
	struct plan p = { .type = ARENA_ARRAY(a, struct plan_type, m->ntypes),
		.step = plan_fit(m->end, PLAN_COLUMNS) };

	for (uint32_t i = 0; i < m->ntypes; i++) {
		struct plan_type *t = &p.type[p.n];

		if (m->type[i].nrecords == 0)
			continue;
		*t = (struct plan_type){ .id = i, .kind = tile_kind(q->ix, i) };
		if (t->kind == TILE_STATES && !add_values(q, a, t))
			return false;
		add_rows(m, a, t);
		p.n++;
	}
	if (p.n > 0)
		qsort(p.type, (size_t)p.n, sizeof *p.type, by_interest);
	*out = p;
	return true;
}
