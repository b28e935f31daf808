/* SPDX-License-Identifier: MIT */
/* Compares tiles with shares that this file computes itself, and tests refused
 * parameters. */
#include "test.h"

#include "export/index/column.h"
#include "export/index/tile.h"
#include "index_model.h"

/* A tile while it is decoded. Each column is written out again as words for
 * comparison. */
struct reader {
	const uint8_t *at, *end;
	bool bad;
};

static uint64_t
varint(struct reader *r)
{
	uint64_t value = 0;

	for (unsigned shift = 0; r->at < r->end && shift < 64; shift += 7) {
		value |= (uint64_t)(*r->at & 0x7f) << shift;
		if ((*r->at++ & 0x80) == 0)
			return value;
	}
	r->bad = true;
	return 0;
}

static int64_t
folded(struct reader *r)
{
	uint64_t value = varint(r);

	return (int64_t)(value >> 1 ^ (0 - (value & 1)));
}

static uint8_t
byte(struct reader *r)
{
	r->bad |= r->at >= r->end;
	return r->bad ? 0 : *r->at++;
}

/* Writes one column as words: "c class quanta ... changes longest". */
static void
column_text(struct reader *r, enum tile_kind kind, char to[4000])
{
	uint8_t c = byte(r);
	int n = c & 0x7f;
	char *at = to + sprintf(to, "%d%s", n, c & 0x80 ? "+" : "");

	if (n == 0)
		return;
	if (kind == TILE_NUMBERS) {
		for (int i = 0; i < 4; i++)
			at += sprintf(at, " %lld", (long long)folded(r));
		return;
	}
	for (int i = 0; i < n && !r->bad; i++) {
		at += sprintf(at, " %d", byte(r));
		if (kind == TILE_POINTS)
			at += sprintf(
				at, "x%llu", (unsigned long long)varint(r));
		else if (n > 1)
			at += sprintf(at, "=%d", byte(r));
	}
	if (kind == TILE_IDS) {
		at += sprintf(at, " n%llu", (unsigned long long)varint(r));
		at += sprintf(at, " v%lld", (long long)folded(r));
	}
}

/* Returns true if the class is highlighted and occurs, even without length. */
static bool
is_hot(const struct model *m, const struct tile_params *p,
	const struct model_series *s, const struct index_column *c, int class)
{
	const struct index_type *t = &index_meta(m->ix)->type[0];
	bool wanted = false;

	for (int i = 0; i < p->nhot; i++)
		wanted |= p->hot[i] == class;
	for (int i = 0; wanted && i < c->nshares; i++)
		if (c->share[i].class == class)
			return true;
	for (int i = 0; wanted && i < s->at.n && s->at.at[i].time < c->to; i++)
		if (s->at.at[i].time >= c->from &&
			index_class(t, s->at.at[i].value) == class)
			return true;
	return false;
}

static char *
states_text(const struct model *m, const struct tile_params *p,
	const struct model_series *s, const struct index_column *c, char *to)
{
	int64_t time[INDEX_CLASSES] = { 0 };
	int quanta[INDEX_CLASSES] = { 0 }, largest = -1, left = p->q, n = 1;
	bool more = false;

	for (int i = 0; i < c->nshares; i++)
		time[c->share[i].class] = c->share[i].time;
	for (int k = 0; k < INDEX_CLASSES; k++)
		if (time[k] > 0 && (largest < 0 || time[k] > time[largest]))
			largest = k;
	for (int k = 0; k < INDEX_CLASSES; k++) {
		bool hot = is_hot(m, p, s, c, k);

		if (k == largest || (time[k] == 0 && !hot))
			continue;
		quanta[k] = (int)((index_wide)time[k] * p->q / p->width);
		if (quanta[k] == 0 && hot)
			quanta[k] = 1;
		if (quanta[k] >= left)
			quanta[k] = 0;
		more |= quanta[k] == 0;
		left -= quanta[k];
		n += quanta[k] > 0;
	}
	quanta[largest] = left;
	to += sprintf(to, "%d%s", n, more ? "+" : "");
	for (int k = 0; k < INDEX_CLASSES; k++)
		if (quanta[k] > 0 && n > 1)
			to += sprintf(to, " %d=%d", k, quanta[k]);
		else if (quanta[k] > 0)
			to += sprintf(to, " %d", k);
	return to;
}

/* Writes what a column of the tile must contain. */
static void
want_text(struct model *m, const struct tile_params *p,
	const struct model_series *s, const struct index_column *c,
	const struct index_extent *e, char to[4000])
{
	enum tile_kind kind = tile_kind(m->ix, 0);

	if (c->from >= c->to) {
		strcpy(to, "0");
	} else if (kind == TILE_NUMBERS) {
		sprintf(to, "1 %lld %lld %lld %lld",
			(long long)(e->some ? e->min : VALUE_NONE),
			(long long)(e->some ? e->max : VALUE_NONE),
			(long long)e->mean, (long long)e->last);
	} else if (kind == TILE_POINTS) {
		to += sprintf(to, "%d", c->nshares > 0 ? c->nshares : 1);
		for (int i = 0; i < c->nshares; i++)
			to += sprintf(to, " %dx%lld", c->share[i].class,
				(long long)c->share[i].time);
		if (c->nshares == 0)
			strcpy(to, " 255x0");
	} else {
		to = states_text(m, p, s, c, to);
		if (kind == TILE_IDS)
			sprintf(to, " n%llu v%lld",
				(unsigned long long)c->changes,
				(long long)(e->longest > 0 ? e->longest_value
							   : VALUE_NONE));
	}
}

/* Compares one row of a tile; returns the number of wrong columns. */
static int
compare_row(struct model *m, const struct tile_params *p, uint32_t row,
	struct reader *r)
{
	struct index_range range = { p->number * TILE_COLUMNS * p->width,
		p->width, TILE_COLUMNS };
	uint32_t series = index_series(m->ix, row, 0, 0);
	struct arena a = { 0 };
	struct index_column *c;
	struct index_extent *e = NULL;
	char got[4000], want[4000];
	uint64_t run = 0;
	int wrong = 0;

	if (!index_columns(&m->q, &a, series, range, &c) ||
		!index_extents(&m->q, &a, series, range, &e))
		return 1;
	for (int i = 0; i < TILE_COLUMNS && !r->bad; i++) {
		if (run == 0) {
			column_text(r, tile_kind(m->ix, 0), got);
			run = varint(r);
		}
		run--;
		want_text(m, p, &m->series[row], &c[i], &e[i], want);
		if (strcmp(got, want) != 0 && wrong++ == 0)
			printf("# column %d: %s, not %s\n", i, got, want);
	}
	arena_fini(&a);
	return wrong + (run != 0);
}

static int
compare_tile(struct model *m, const struct tile_params *p)
{
	struct arena a = { 0 };
	struct tile_bytes tile;
	struct reader r;
	int wrong = 0;

	if (tile_refuse(m->ix, p) != NULL || !tile_encode(&m->q, &a, p, &tile))
		return 1;
	r = (struct reader){ tile.at + 20, tile.at + tile.n, false };
	wrong += memcmp(tile.at, "WT1", 4) != 0 || tile.at[4] != p->nrows ||
		tile.at[7] != 1 || tile.at[8] != p->q ||
		tile.at[9] != tile_kind(m->ix, 0) ||
		memcmp(tile.at + 12, &m->end, 8) != 0;
	for (int i = 0; i < p->nrows; i++) {
		uint64_t n = varint(&r);
		struct reader row = { r.at, r.at + n, false };

		wrong += byte(&row) != 0; /* not coarse */
		wrong += compare_row(m, p, p->rows[i].id, &row);
		wrong += row.bad || row.at != row.end;
		r.at += n;
	}
	arena_fini(&a);
	return wrong + (r.at != r.end);
}

static const struct model_plan plans[] = {
	{ 6, 20, 5000, 50, 10000, 10, 0, false, TYPE_STATE },
	{ 6, 9, 3000, INT64_C(1) << 40, 0, 30, 0, false, TYPE_STATE },
	{ 6, 900, 9000, 30, 0, 10, 0, false, TYPE_STATE },
	{ 6, 200, 9000, 30, 0, 50, 0, false, TYPE_STATE },
	{ 6, 50, 5000, 30, 0, 10, 0, true, TYPE_ID },
	{ 6, 12, 5000, 30, 0, 30, 0, false, TYPE_POINT },
	{ 6, 60, 5000, 70, 5000, 10, 0, true, TYPE_NUMBER },
};

TEST(tiles_have_the_shares_of_their_columns)
{
	static const struct tile_row rows[] = { { false, 1 }, { false, 0 },
		{ false, 2 } };
	static const int qs[] = { 15, 63, 255 };
	static const uint8_t hot[] = { 3, 1, 7, INDEX_CLASS_NONE, 2, 241 };
	struct model m;

	for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
		int wrong = 0;

		CHECK(model_make(&m, i + 30, &plans[i]));
		for (int j = 0; j < 40; j++) {
			struct tile_params p = { .q = qs[j % 3],
				.tiles = 1,
				.nrows = 1 + j % 3,
				.nhot = j % 7,
				.rows = rows,
				.hot = hot };
			int64_t most = m.end / TILE_COLUMNS + 2;

			p.width = 1 + (most >> model_below(&m, 20));
			p.number = model_below(
				&m, m.end / TILE_COLUMNS / p.width + 2);
			wrong += compare_tile(&m, &p);
		}
		if (wrong > 0)
			printf("# plan %d\n", (int)i);
		CHECK_INT(wrong, 0);
		model_fini(&m);
	}
}

/* Compares several tiles with the same tiles one by one. */
static bool
is_each(struct model *m, const struct tile_params *p)
{
	struct arena a = { 0 };
	struct tile_bytes all, one;
	struct tile_params next = *p;
	size_t at = 0;
	bool same = tile_refuse(m->ix, p) == NULL &&
		tile_encode(&m->q, &a, p, &all);

	next.tiles = 1;
	for (int i = 0; same && i < p->tiles; i++, next.number++) {
		same = tile_encode(&m->q, &a, &next, &one) &&
			one.n <= all.n - at &&
			memcmp(all.at + at, one.at, one.n) == 0;
		at += one.n;
	}
	arena_fini(&a);
	return same && at == all.n;
}

/* Some tiles of the group are coarse, others are not. */
TEST(several_tiles_are_the_same_as_one_by_one)
{
	static const struct tile_row rows[] = { { true, 0 }, { false, 3 },
		{ true, 1 } };
	static const struct model_plan plan = { 200, 12, 20000, 20, 5000, 10, 0,
		false, TYPE_STATE };
	static const uint8_t hot[] = { 3, 1 };
	struct model m;
	int wrong = 0;

	model_trees = 0;
	CHECK(model_make(&m, 3, &plan));
	model_trees = UINT64_MAX;
	for (int i = 0; i < 200; i++) {
		struct tile_params p = { .q = 63,
			.tiles = 1 + i % TILE_MOST,
			.nrows = 3,
			.rows = rows,
			.nhot = i % 3,
			.hot = hot };
		int64_t most = m.end / TILE_COLUMNS + 2;

		p.width = 1 + (most >> model_below(&m, 20));
		while (!tile_on_ladder(p.width))
			p.width++;
		p.number = model_below(&m, m.end / TILE_COLUMNS / p.width + 2);
		m.q.group_budget = (uint64_t)model_below(&m, 20000);
		wrong += !is_each(&m, &p);
	}
	CHECK_INT(wrong, 0);
	model_fini(&m);
}

/* Compares the columns of the group of all rows with the sums of its rows. */
static int
compare_group(struct model *m, struct index_range range)
{
	struct arena a = { 0 };
	struct index_column *group, *row;
	int wrong = 0;
	int64_t(*time)[INDEX_CLASSES] =
		arena_alloc(&a, (size_t)range.n * sizeof *time);

	memset(time, 0, (size_t)range.n * sizeof *time);
	for (uint32_t i = 0; i < (uint32_t)m->plan.nrows; i++) {
		uint32_t series = index_series(m->ix, i, 0, 0);

		if (series == INDEX_NONE)
			continue;
		if (!index_columns(&m->q, &a, series, range, &row))
			return 1;
		for (int c = 0; c < range.n; c++)
			for (int k = 0; k < row[c].nshares; k++)
				time[c][row[c].share[k].class] +=
					row[c].share[k].time;
	}
	if (!index_group_columns(&m->q, &a, 0, 0, range, &group))
		return 1;
	for (int c = 0; c < range.n; c++) {
		for (int k = 0; k < group[c].nshares; k++)
			time[c][group[c].share[k].class] -=
				group[c].share[k].time;
		/* Rows without a record have time without a value. */
		for (int k = 0; k < INDEX_CLASS_NONE; k++)
			wrong += time[c][k] != 0;
	}
	arena_fini(&a);
	return wrong;
}

TEST(the_tile_that_begins_before_2_to_63_and_ends_later_is_exact)
{
	static const struct tile_row rows[] = { { false, 1 }, { false, 0 },
		{ true, 0 } };
	struct model_plan late[] = { plans[0], plans[3], plans[4], plans[5],
		plans[6] };
	static const int64_t widths[] = { 1, 2, 3, 4, 5, 28, 160, 256, 448,
		INT64_C(5) << 20, INT64_C(1) << 53, INT64_C(7) << 52 };

	for (size_t i = 0; i < sizeof late / sizeof *late; i++) {
		struct model m;
		int wrong = 0;

		late[i].nrecords = 3000;
		late[i].pause = 0;
		model_first = INT64_MAX - 3100 * late[i].most;
		model_trees = 0;
		CHECK(model_make(&m, 60 + i, &late[i]));
		model_trees = UINT64_MAX;
		model_first = 0;
		for (size_t j = 0; j < sizeof widths / sizeof *widths; j++) {
			struct tile_params p = { .width = widths[j],
				.number = INT64_MAX / TILE_COLUMNS / widths[j],
				.tiles = 1,
				.q = 63,
				.nrows = 2,
				.rows = rows };
			struct index_range range = { p.number * p.width *
					TILE_COLUMNS,
				p.width, TILE_COLUMNS };

			wrong += compare_tile(&m, &p);
			if (m.plan.kind == TYPE_NUMBER)
				continue;
			p.nrows = 3;
			p.tiles = p.number > 3 ? 3 : 1;
			p.number -= p.tiles - 1;
			wrong += !is_each(&m, &p);
			if (m.plan.kind != TYPE_POINT)
				wrong += compare_group(&m, range);
		}
		CHECK_INT(wrong, 0);
		model_fini(&m);
	}
}

/* Returns the quanta of the smaller share of a column, which has class 1; 0 if
 * there is none. */
static int
quanta_of(int q, int64_t time, int64_t whole)
{
	struct index_share share[] = { { whole - time, 0, { 0 } },
		{ time, 1, { 0 } } };
	struct index_column c = { .nshares = 2, .share = share };
	struct column_scale scale;
	uint8_t bytes[COLUMN_BYTES];

	column_scale(&scale, q, whole);
	column_put_classes(&scale, &(struct hot){ 0 }, 0, &c, bytes);
	return (bytes[0] & 0x7f) == 1 ? 0 : bytes[4];
}

TEST(quanta_are_rounded_down_exactly)
{
	static const int quanta[] = { 15, 63, 255 };
	struct model m = { .seed = 1 };

	for (int bits = 1; bits < 62; bits++)
		for (int i = 0; i < 300; i++) {
			int64_t top = INT64_C(1) << bits;
			int64_t whole = top + model_below(&m, top);
			int q = quanta[i % 3], want = i / 3 % (q / 2);
			/* the first time that has so many quanta */
			int64_t time =
				(int64_t)(((index_wide)want * whole + q - 1) /
					q);

			if (2 * time >= whole)
				continue;
			CHECK_INT(quanta_of(q, time, whole),
				(int)((index_wide)time * q / whole));
			if (time > 0)
				CHECK_INT(quanta_of(q, time - 1, whole),
					(int)((index_wide)(time - 1) * q /
						whole));
		}
}

/* One of 1000 rows has another class for a whole column. */
TEST(a_class_with_little_time_has_a_quantum_in_a_group)
{
	struct index_share share[] = { { 999, 0, { 0 } }, { 1, 1, { 0 } } };
	struct index_column c = { .nshares = 2, .share = share };
	struct column_scale scale;
	uint8_t bytes[COLUMN_BYTES], *end;

	column_scale(&scale, 15, 1000);
	column_put_classes(&scale, &(struct hot){ 0 }, 0, &c, bytes);
	CHECK_INT(bytes[0], 0x81);
	scale.least = 1;
	end = column_put_classes(&scale, &(struct hot){ 0 }, 0, &c, bytes);
	CHECK(end == bytes + 5 &&
		memcmp(bytes, (uint8_t[]){ 2, 0, 14, 1, 1 }, 5) == 0);
}

TEST(fine_quanta_are_exact)
{
	struct index_share share[] = { { 999, 0, { 0 } }, { 1, 1, { 0 } } };
	struct index_column c = { .nshares = 2, .share = share };
	struct column_scale scale;
	uint8_t bytes[COLUMN_BYTES];
	const uint8_t *at = bytes;
	uint64_t quanta[2];

	column_scale(&scale, TILE_FINE, 1000);
	column_put_classes(&scale, &(struct hot){ 0 }, 0, &c, bytes);
	CHECK_INT(*at++, 2);
	for (int i = 0; i < 2; i++) {
		CHECK_INT(*at++, i);
		at = varint_get(at, &quanta[i]);
	}
	CHECK_INT((int64_t)quanta[1], TILE_FINE / 1000);
	CHECK_INT((int64_t)(quanta[0] + quanta[1]), TILE_FINE);
}

TEST(widths_on_the_ladder_are_small_or_four_to_seven_times_a_power)
{
	int n = 0;

	for (int64_t w = -3; w < 64; w++)
		n += tile_on_ladder(w);
	CHECK_INT(n, 3 + 4 * 4);
	CHECK(tile_on_ladder(INT64_C(7) << 58));
	CHECK(!tile_on_ladder(9));
	CHECK(!tile_on_ladder(18));
}

#define REFUSED(member, value, word) \
	do { \
		struct tile_params p_ = p; \
		p_.member = (value); \
		CHECK_STR(tile_refuse(m.ix, &p_), word); \
	} while (0)

TEST(parameters_that_cannot_be_are_named)
{
	static const struct tile_row rows[] = { { false, 1 } },
				     none[] = { { false, 6 } },
				     group[] = { { true, 0 } },
				     no_group[] = { { true, 1 } };
	struct tile_params p = {
		.width = 9, .tiles = 1, .q = 15, .nrows = 1, .rows = rows
	};
	struct model m;

	CHECK(model_make(&m, 1, &plans[0]));
	CHECK(tile_refuse(m.ix, &p) == NULL);
	REFUSED(type, 1, "type");
	REFUSED(lane, 1, "lane");
	REFUSED(width, 0, "w");
	REFUSED(width, -5, "w");
	REFUSED(number, -1, "i");
	REFUSED(number, INT64_MAX, "i");
	REFUSED(number, INT64_MAX / 9 / 256 + 1, "i");
	REFUSED(width, INT64_MAX / 256 + 1, "i");
	REFUSED(number, INT64_MAX - 1, "i");
	REFUSED(tiles, 0, "n");
	REFUSED(tiles, 9, "n");
	REFUSED(q, 7, "q");
	REFUSED(nrows, 0, "rows");
	REFUSED(nrows, 257, "rows");
	REFUSED(rows, none, "rows");
	REFUSED(rows, no_group, "rows");
	REFUSED(rows, group, "w");
	REFUSED(nhot, 9, "hot");
	p.width = 10;
	REFUSED(rows, no_group, "rows");
	p.rows = group;
	CHECK(tile_refuse(m.ix, &p) == NULL);
	model_fini(&m);
}

TEST_MAIN(RUN(tiles_have_the_shares_of_their_columns),
	RUN(several_tiles_are_the_same_as_one_by_one),
	RUN(the_tile_that_begins_before_2_to_63_and_ends_later_is_exact),
	RUN(quanta_are_rounded_down_exactly),
	RUN(a_class_with_little_time_has_a_quantum_in_a_group),
	RUN(fine_quanta_are_exact),
	RUN(widths_on_the_ladder_are_small_or_four_to_seven_times_a_power),
	RUN(parameters_that_cannot_be_are_named))
