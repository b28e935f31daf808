/* SPDX-License-Identifier: MIT */
#include "test.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/vec.h"
#include "export/filter.h"

/* A sink that keeps everything. */
struct keeper {
	struct sink base;
	struct arena a;
	VEC(struct row) rows;
	VEC(struct gap) gaps;
	VEC(struct sink_finding) findings;
	char renamed[16];
	uint32_t renamed_row;
	enum meaning meaning;
	VEC(struct type) types;
	VEC(struct record) states;
	VEC(struct link) links;
	int labels, panels;
	uint32_t label_type, panel_type;
	int64_t end, backward;
	bool closed;
};

static void
keep_row(struct sink *s, const struct row *row)
{
	struct keeper *k = (struct keeper *)s;

	CHECK_INT(row->id, k->rows.n);
	VEC_PUSH(&k->rows, &k->a, *row);
}

static void
keep_type(struct sink *s, const struct type *type)
{
	struct keeper *k = (struct keeper *)s;

	CHECK_INT(type->id, k->types.n);
	VEC_PUSH(&k->types, &k->a, *type);
}

static void
keep_label(struct sink *s, uint32_t type, int64_t value, const char *text,
	enum meaning meaning)
{
	struct keeper *k = (struct keeper *)s;

	k->meaning = meaning;
	(void)value;
	(void)text;
	k->labels++;
	k->label_type = type;
}

static void
keep_panel(struct sink *s, const struct panel *panel)
{
	struct keeper *k = (struct keeper *)s;

	k->panels++;
	k->panel_type = panel->types[panel->ntypes - 1];
}

static void
keep_state(struct sink *s, const struct record *r)
{
	struct keeper *k = (struct keeper *)s;
	struct record copy = *r;

	k->backward += r->time < k->end;
	k->end = r->time;
	if (r->stack != NULL) {
		int64_t *stack = ARENA_ARRAY(&k->a, int64_t, r->depth);

		memcpy(stack, r->stack, r->depth * sizeof *stack);
		copy.stack = stack;
	}
	VEC_PUSH(&k->states, &k->a, copy);
}

static void
keep_link(struct sink *s, const struct link *l)
{
	struct keeper *k = (struct keeper *)s;

	VEC_PUSH(&k->links, &k->a, *l);
}

static void
keep_gap(struct sink *s, const struct gap *g)
{
	struct keeper *k = (struct keeper *)s;

	k->backward += g->from < k->end;
	k->end = g->from;
	VEC_PUSH(&k->gaps, &k->a, *g);
}

static void
keep_finding(struct sink *s, const struct sink_finding *f)
{
	struct keeper *k = (struct keeper *)s;

	VEC_PUSH(&k->findings, &k->a, *f);
}

static void
keep_rename(struct sink *s, uint32_t row, const char *name)
{
	struct keeper *k = (struct keeper *)s;

	snprintf(k->renamed, sizeof k->renamed, "%s", name);
	k->renamed_row = row;
}

static void
keep_advance(struct sink *s, int64_t time)
{
	struct keeper *k = (struct keeper *)s;

	k->backward += time < k->end;
	k->end = time;
}

static bool
keep_close(struct sink *s, struct err *err)
{
	(void)err;
	((struct keeper *)s)->closed = true;
	return true;
}

static const struct sink_ops keeper_ops = {
	.row = keep_row,
	.type = keep_type,
	.label = keep_label,
	.panel = keep_panel,
	.state = keep_state,
	.link = keep_link,
	.gap = keep_gap,
	.finding = keep_finding,
	.rename = keep_rename,
	.advance = keep_advance,
	.close = keep_close,
};

/* Bit i is set if the filter keeps row i, or type i. */
struct masks {
	uint32_t rows, types;
};

static bool
row_in_mask(void *arg, const struct row *row)
{
	return ((struct masks *)arg)->rows >> row->id & 1;
}

static bool
type_in_mask(void *arg, const struct type *type)
{
	return ((struct masks *)arg)->types >> type->id & 1;
}

static void
declare(struct sink *s, uint32_t rows, uint32_t types)
{
	for (uint32_t i = 0; i < rows; i++)
		sink_row(s, &(struct row){ i, ROW_NONE, "c", "row", NULL });
	for (uint32_t i = 0; i < types; i++)
		sink_type(s,
			&(struct type){ .id = i, .class = "c", .number = i });
}

static struct filter_options
options_of(struct masks *m, int64_t from, int64_t to)
{
	return (struct filter_options){ from, to, row_in_mask, type_in_mask,
		m };
}

static void
count_loss(void *arg, const struct loss *loss)
{
	*(uint64_t *)arg += loss->count;
}

#define ROWS 5
#define TYPES 4
#define CALLS 120
#define DEPTH 6

/* A trace of random calls, for the filter and for brute force. */
struct history {
	struct record state[CALLS];
	int64_t stack[CALLS][DEPTH];
	struct link link[CALLS];
	int nstates, nlinks;
	int64_t end;
};

static uint64_t seed;

static uint64_t
any(uint64_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed % n;
}

static void
random_state(struct history *h, int64_t time)
{
	int i = h->nstates++;
	struct record *r = &h->state[i];

	*r = (struct record){
		.time = time,
		.row = (uint32_t)any(ROWS),
		.type = (uint32_t)any(TYPES),
		.value = any(4) == 0 ? VALUE_NONE : (int64_t)any(9),
	};
	if (any(2) == 0)
		return;
	r->depth = (uint32_t)any(DEPTH);
	r->stack = h->stack[i];
	for (uint32_t d = 0; d < r->depth; d++)
		h->stack[i][d] = (int64_t)any(100);
}

static uint32_t
any_end(void)
{
	uint32_t row = (uint32_t)any(ROWS + 1);

	return row == ROWS ? ROW_NONE : row;
}

/* Makes random calls, keeps them in h and sends them to s. */
static void
random_history(struct history *h, struct sink *s, int steps)
{
	int64_t time = 0;

	h->nstates = h->nlinks = 0;
	for (int i = 0; i < steps; i++) {
		time += (int64_t)any(3);
		if (any(6) == 0) {
			h->link[h->nlinks] =
				(struct link){ time, time + (int64_t)any(20),
					any_end(), any_end(), i, i, i };
			sink_link(s, &h->link[h->nlinks++]);
		} else {
			random_state(h, time);
			sink_state(s, &h->state[h->nstates - 1]);
		}
		if (any(9) == 0)
			sink_advance(s, time);
	}
	h->end = time + (int64_t)any(4);
	sink_advance(s, h->end);
}

static uint32_t
new_id(uint32_t mask, uint32_t id)
{
	return (uint32_t)__builtin_popcount(mask & ((1u << id) - 1));
}

static bool
is_kept(const struct masks *m, const struct record *r)
{
	return (m->rows >> r->row & 1) != 0 && (m->types >> r->type & 1) != 0;
}

/* Returns the last record of a lane up to a time, or NULL. */
static const struct record *
last_of(const struct history *h, uint32_t row, uint32_t type, int64_t time)
{
	const struct record *last = NULL;

	for (int i = 0; i < h->nstates; i++)
		if (h->state[i].row == row && h->state[i].type == type &&
			h->state[i].time <= time)
			last = &h->state[i];
	return last;
}

/* Computes the expected records; those of equal times are in any order. */
static int
brute_states(const struct history *h, const struct masks *m,
	const struct filter_options *o, struct record *out)
{
	int n = 0;

	for (uint32_t lane = 0; lane < ROWS * TYPES; lane++) {
		const struct record *r =
			last_of(h, lane / TYPES, lane % TYPES, o->from);

		if (r == NULL || r->time == o->from || r->value == VALUE_NONE ||
			!is_kept(m, r) || h->end < o->from || o->from >= o->to)
			continue;
		out[n] = *r;
		out[n++].time = o->from;
	}
	for (int i = 0; i < h->nstates; i++)
		if (h->state[i].time >= o->from && h->state[i].time < o->to &&
			is_kept(m, &h->state[i]))
			out[n++] = h->state[i];
	for (int i = 0; i < n; i++) {
		out[i].row = new_id(m->rows, out[i].row);
		out[i].type = new_id(m->types, out[i].type);
	}
	return n;
}

static bool
same_record(const struct record *a, const struct record *b)
{
	return a->time == b->time && a->row == b->row && a->type == b->type &&
		a->value == b->value && a->depth == b->depth &&
		(a->stack == NULL) == (b->stack == NULL) &&
		(a->stack == NULL ||
			memcmp(a->stack, b->stack,
				a->depth * sizeof *a->stack) == 0);
}

/* Checks for the same records, in the same order within a lane. */
static void
check_states(const struct keeper *k, const struct record *want, int n)
{
	bool used[2 * CALLS] = { false };

	CHECK_INT(k->states.n, n);
	for (int i = 0; i < k->states.n; i++) {
		const struct record *got = &k->states.at[i];
		int j = 0;

		while (j < n &&
			(used[j] || want[j].row != got->row ||
				want[j].type != got->type))
			j++;
		CHECK(j < n && same_record(got, &want[j]));
		if (j < n)
			used[j] = true;
	}
}

static bool
end_kept(const struct masks *m, const struct filter_options *o, uint32_t row,
	int64_t time)
{
	return time >= o->from && time < o->to &&
		(row == ROW_NONE || (m->rows >> row & 1) != 0);
}

static void
check_links(const struct keeper *k, const struct history *h,
	const struct masks *m, const struct filter_options *o)
{
	int n = 0;

	for (int i = 0; i < h->nlinks; i++) {
		const struct link *l = &h->link[i];
		const struct link *got;

		if (!end_kept(m, o, l->from_row, l->from_time) ||
			!end_kept(m, o, l->to_row, l->to_time))
			continue;
		CHECK(n < k->links.n);
		if (n >= k->links.n)
			return;
		got = &k->links.at[n];
		CHECK(got->id == l->id);
		CHECK(got->from_row ==
			(l->from_row == ROW_NONE
					? ROW_NONE
					: new_id(m->rows, l->from_row)));
		n++;
	}
	CHECK_INT(k->links.n, n);
}

static void
check_against_brute_force(struct masks m, int64_t from, int64_t to)
{
	struct keeper k = { .base = { &keeper_ops, true } };
	struct filter_options o = options_of(&m, from, to);
	struct history h;
	struct record want[2 * CALLS];
	struct err err = { 0 };
	struct arena a = { 0 };
	struct sink *s = filter_open(&a, &k.base, &o);
	uint64_t lost = 0;
	int n;

	declare(s, ROWS, TYPES);
	random_history(&h, s, (int)any(CALLS));
	CHECK(sink_close(s, &err));
	CHECK(k.closed);
	n = brute_states(&h, &m, &o, want);
	check_states(&k, want, n);
	check_links(&k, &h, &m, &o);
	sink_loss(s, count_loss, &lost);
	CHECK_INT(lost, h.nlinks - k.links.n);
	CHECK_INT(k.end, h.end < to ? h.end : to);
	CHECK_INT(k.backward, 0);
	CHECK_INT(k.rows.n, __builtin_popcount(m.rows));
	CHECK_INT(k.types.n, __builtin_popcount(m.types));
	arena_fini(&a);
	arena_fini(&k.a);
}

TEST(equals_brute_force)
{
	seed = 88172645463325252;
	for (int i = 0; i < 3000 && !test_failed; i++) {
		struct masks m = { (uint32_t)any(1 << ROWS),
			(uint32_t)any(1 << TYPES) };
		int64_t from = (int64_t)any(60);

		check_against_brute_force(m, from, from + 1 + (int64_t)any(60));
	}
}

TEST(without_options_nothing_changes)
{
	seed = 4711;
	for (int i = 0; i < 200 && !test_failed; i++)
		check_against_brute_force(
			(struct masks){ UINT32_MAX >> (32 - ROWS),
				UINT32_MAX >> (32 - TYPES) },
			0, FILTER_END);
}

TEST(an_empty_window_lets_nothing_through)
{
	seed = 99;
	for (int i = 0; i < 100 && !test_failed; i++) {
		struct keeper k = { .base = { &keeper_ops, true } };
		struct filter_options o = { .from = 20, .to = 20 };
		struct history h;
		struct arena a = { 0 };
		struct sink *s = filter_open(&a, &k.base, &o);

		declare(s, ROWS, TYPES);
		random_history(&h, s, CALLS);
		CHECK(sink_close(s, &(struct err){ 0 }));
		CHECK_INT(k.states.n, 0);
		CHECK_INT(k.links.n, 0);
		arena_fini(&a);
		arena_fini(&k.a);
	}
}

static void
set(struct sink *s, int64_t time, int64_t value)
{
	sink_state(s, &(struct record){ .time = time, .value = value });
}

TEST(a_change_at_a_border_counts_once)
{
	struct keeper k = { .base = { &keeper_ops, true } };
	struct filter_options o = { .from = 10, .to = 20 };
	struct arena a = { 0 };
	struct sink *s = filter_open(&a, &k.base, &o);

	declare(s, 1, 1);
	set(s, 5, 1);
	set(s, 10, 2);
	set(s, 19, 3);
	set(s, 20, 4);
	sink_advance(s, 30);
	CHECK(sink_close(s, &(struct err){ 0 }));
	CHECK_INT(k.states.n, 2);
	CHECK_INT(k.states.at[0].time, 10);
	CHECK_INT(k.states.at[0].value, 2);
	CHECK_INT(k.states.at[1].time, 19);
	CHECK_INT(k.end, 20);
	arena_fini(&a);
	arena_fini(&k.a);
}

TEST(a_parent_is_the_nearest_one_kept)
{
	struct keeper k = { .base = { &keeper_ops, true } };
	struct masks m = { 0x19, 1 }; /* rows 0, 3, 4 */
	struct filter_options o = options_of(&m, 0, FILTER_END);
	struct arena a = { 0 };
	struct sink *s = filter_open(&a, &k.base, &o);

	sink_row(s, &(struct row){ 0, ROW_NONE, "c", "root", NULL });
	sink_row(s, &(struct row){ 1, 0, "c", "gone", NULL });
	sink_row(s, &(struct row){ 2, ROW_NONE, "c", "gone root", NULL });
	sink_row(s, &(struct row){ 3, 1, "c", "grandchild", NULL });
	sink_row(s, &(struct row){ 4, 2, "c", "orphan", NULL });
	CHECK(sink_close(s, &(struct err){ 0 }));
	CHECK_INT(k.rows.n, 3);
	CHECK_INT(k.rows.at[1].parent, 0);
	CHECK_INT(k.rows.at[2].parent, ROW_NONE);
	CHECK_STR(k.rows.at[2].name, "orphan");
	arena_fini(&a);
	arena_fini(&k.a);
}

TEST(gaps_are_cut_to_the_window)
{
	struct keeper k = { .base = { &keeper_ops, true } };
	struct masks m = { 0x2, 1 }; /* row 1 */
	struct filter_options o = options_of(&m, 10, 20);
	struct arena a = { 0 };
	struct sink *s = filter_open(&a, &k.base, &o);

	declare(s, 2, 1);
	sink_gap(s, &(struct gap){ 1, 9, 1, 1, "before" });
	sink_gap(s, &(struct gap){ 2, 12, 0, 2, "of a row left out" });
	sink_gap(s, &(struct gap){ 3, 13, 1, 3, "over the border" });
	sink_gap(s, &(struct gap){ 18, 30, 1, 4, "over the end" });
	sink_gap(s, &(struct gap){ 20, 30, 1, 5, "behind" });
	sink_advance(s, 40);
	CHECK(sink_close(s, &(struct err){ 0 }));
	CHECK_INT(k.gaps.n, 2);
	CHECK_INT(k.gaps.at[0].from, 10);
	CHECK_INT(k.gaps.at[0].to, 13);
	CHECK_INT(k.gaps.at[0].events, 3);
	CHECK_INT(k.gaps.at[0].row, 0);
	CHECK_INT(k.gaps.at[1].from, 18);
	CHECK_INT(k.gaps.at[1].to, 20);
	CHECK_INT(k.backward, 0);
	arena_fini(&a);
	arena_fini(&k.a);
}

TEST(findings_and_names_follow_their_rows)
{
	struct keeper k = { .base = { &keeper_ops, true } };
	struct masks m = { 0x2, 1 }; /* row 1 */
	struct filter_options o = options_of(&m, 10, 20);
	struct arena a = { 0 };
	struct sink *s = filter_open(&a, &k.base, &o);

	declare(s, 2, 1);
	sink_rename(s, 1, "kept");
	sink_rename(s, 0, "gone");
	sink_finding(s, &(struct sink_finding){ 0, VALUE_NONE, 1, "a" });
	sink_finding(s, &(struct sink_finding){ 0, 5, 1, "early" });
	sink_finding(s, &(struct sink_finding){ 0, 15, 0, "of row 0" });
	sink_finding(s, &(struct sink_finding){ 0, 15, ROW_NONE, "b" });
	CHECK(sink_close(s, &(struct err){ 0 }));
	CHECK_INT(k.findings.n, 2);
	CHECK_INT(k.findings.at[0].row, 0);
	CHECK_STR(k.findings.at[1].text, "b");
	CHECK_STR(k.renamed, "kept");
	CHECK_INT(k.renamed_row, 0);
	arena_fini(&a);
	arena_fini(&k.a);
}

TEST(labels_and_panels_follow_their_types)
{
	struct keeper k = { .base = { &keeper_ops, true } };
	struct masks m = { 1, 0xa }; /* types 1, 3 */
	struct filter_options o = options_of(&m, 0, FILTER_END);
	uint32_t both[] = { 1, 3 }, broken[] = { 1, 2 };
	struct arena a = { 0 };
	struct sink *s = filter_open(&a, &k.base, &o);

	declare(s, 1, 4);
	sink_label(s, 2, 5, "gone", MEANS_UNSAID);
	sink_label(s, 3, 5, "here", MEANS_SYNC);
	CHECK_INT(k.meaning, MEANS_SYNC);
	sink_panel(s, &(struct panel){ "c", "k", "t", broken, 2, false });
	sink_panel(s, &(struct panel){ "c", "k", "t", both, 2, false });
	CHECK(sink_close(s, &(struct err){ 0 }));
	CHECK_INT(k.labels, 1);
	CHECK_INT(k.label_type, 1);
	CHECK_INT(k.panels, 1);
	CHECK_INT(k.panel_type, 1);
	arena_fini(&a);
	arena_fini(&k.a);
}

TEST_MAIN(RUN(equals_brute_force), RUN(without_options_nothing_changes),
	RUN(an_empty_window_lets_nothing_through),
	RUN(a_change_at_a_border_counts_once),
	RUN(a_parent_is_the_nearest_one_kept), RUN(gaps_are_cut_to_the_window),
	RUN(findings_and_names_follow_their_rows),
	RUN(labels_and_panels_follow_their_types))
