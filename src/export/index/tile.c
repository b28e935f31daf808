/* SPDX-License-Identifier: MIT */
#include "export/index/tile.h"

#include <string.h>

#include "base/arena.h"
#include "export/index/column.h"
#include "export/index/sums.h"
#include "export/index/sweep.h"

/* Intervals that all groups of a tile may cost. */
#define GROUP_BUDGET 800000
#define SHORT 32 /* bytes of a column that are copied at once */

/* Bytes in memory of their own. */
struct out {
	uint8_t *at;
	size_t n, room;
};

/* A row while its columns are encoded. */
struct drawing {
	struct index_query *q;
	const struct tile_params *p;
	struct arena scratch;
	struct out *tile; /* by tile */
	struct out runs;
	struct hot hot;
	uint8_t found[TILE_MOST * TILE_COLUMNS]; /* by column of the span */
	struct column_scale scale;
	uint8_t coarse;
	/* The run that is being extended, and the next column. */
	uint8_t columns[2][COLUMN_BYTES];
	uint8_t *column, *next;
	size_t size;
	uint64_t length;
};

/* Successive tiles of a row that are encoded at once. */
struct span {
	int first, n; /* tiles; the first one of the request is 0 */
	struct index_range range;
};

enum tile_kind
tile_kind(const struct index *ix, uint32_t type)
{
	const struct index_type *t = &index_meta(ix)->type[type];

	if (t->type.kind == TYPE_NUMBER)
		return TILE_NUMBERS;
	if (t->type.kind == TYPE_POINT)
		return TILE_POINTS;
	return t->hashed || t->type.kind == TYPE_ID ? TILE_IDS : TILE_STATES;
}

static uint8_t *
room(struct out *o, size_t n)
{
	if (o->room - o->n < n) {
		o->room = 2 * o->room + n + 1024;
		o->at = mem_resize(o->at, o->room, 1);
	}
	return o->at + o->n;
}

static void
put(struct out *o, const void *data, size_t n)
{
	memcpy(room(o, n), data, n);
	o->n += n;
}

static void
put_varint(struct out *o, uint64_t value)
{
	uint8_t *from = room(o, VARINT_MOST);

	o->n += (size_t)(varint_put(from, value) - from);
}

static void
end_run(struct drawing *r)
{
	uint8_t *at;

	if (r->length == 0)
		return;
	at = room(&r->runs, COLUMN_BYTES + VARINT_MOST);
	if (r->size <= SHORT)
		memcpy(at, r->column, SHORT);
	else
		memcpy(at, r->column, r->size);
	at = varint_put(at + r->size, r->length);
	r->runs.n = (size_t)(at - r->runs.at);
	r->length = 0;
}

/* Adds r->next. */
static void
add_column(struct drawing *r, size_t size)
{
	uint8_t *column = r->next;

	if (r->length > 0 && size == r->size &&
		column[size - 1] == r->column[size - 1] &&
		memcmp(column, r->column, size) == 0) {
		r->length++;
		return;
	}
	end_run(r);
	r->next = r->column;
	r->column = column;
	r->size = size;
	r->length = 1;
}

/* Encodes a column. Returns the end of the content. extent: for numbers and for
 * ids of single rows; else NULL. */
static uint8_t *
encode(const struct drawing *r, enum tile_kind kind, uint8_t found,
	const struct index_column *c, const struct index_extent *extent,
	uint8_t *at)
{
	if (c->from >= c->to) {
		*at++ = 0;
		return at;
	}
	if (kind == TILE_NUMBERS)
		return column_put_numbers(extent, at);
	if (kind == TILE_POINTS)
		return column_put_points(c, at);
	at = column_put_classes(&r->scale, &r->hot, found, c, at);
	if (kind == TILE_IDS)
		at = column_put_id(c->changes,
			extent != NULL && extent->longest > 0
				? extent->longest_value
				: VALUE_NONE,
			at);
	return at;
}

/* Returns true if columns of states, without highlighted classes, have the same
 * shares: only columns in which nothing changes share an array. */
static bool
is_same(const struct index_column *c, const struct index_column *before)
{
	return c->share == before->share && c->share != NULL &&
		c->nshares == before->nshares;
}

/* Appends the bytes of a row to a tile. */
static void
put_tile(struct drawing *r, struct out *to)
{
	end_run(r);
	put_varint(to, r->runs.n + 1);
	put(to, &r->coarse, 1);
	put(to, r->runs.at, r->runs.n);
	r->runs.n = 0;
}

static void
put_columns(struct drawing *r, enum tile_kind kind, const struct span *s,
	const struct index_column *c, const struct index_extent *extent)
{
	bool simple = kind == TILE_STATES && r->hot.n == 0;

	for (int i = 0; i < s->range.n; i++) {
		const uint8_t *end;

		if (i > 0 && i % TILE_COLUMNS == 0)
			put_tile(r, &r->tile[s->first + i / TILE_COLUMNS - 1]);
		if (simple && r->length > 0 && is_same(&c[i], &c[i - 1])) {
			r->length++;
			continue;
		}
		end = encode(r, kind, r->found[i], &c[i],
			extent != NULL ? &extent[i] : NULL, r->next);
		add_column(r, (size_t)(end - r->next));
	}
	put_tile(r, &r->tile[s->first + s->n - 1]);
}

/* Returns the columns of a row that has no record of the type. */
static struct index_column *
empty_columns(struct drawing *r, const struct index_range *range)
{
	struct sweep_columns next = { range->from, range->width,
		index_meta(r->q->ix)->end };
	struct index_column *c =
		ARENA_ARRAY(&r->scratch, struct index_column, range->n);

	for (int i = 0; i < range->n; i++) {
		struct index_share *share;

		sweep_column(&next, &c[i].from, &c[i].to);
		c[i].nshares = 1;
		if (i > 0 &&
			c[i].to - c[i].from == c[i - 1].to - c[i - 1].from) {
			c[i].share = c[i - 1].share;
			continue;
		}
		share = ARENA_NEW(&r->scratch, struct index_share);
		*share = (struct index_share){ c[i].to - c[i].from,
			INDEX_CLASS_NONE, { 0 } };
		c[i].share = share;
	}
	return c;
}

static bool
put_nothing(struct drawing *r, enum tile_kind kind, const struct span *s)
{
	struct index_column *c = empty_columns(r, &s->range);
	struct index_extent *e =
		ARENA_ARRAY(&r->scratch, struct index_extent, s->range.n);

	for (int i = 0; i < s->range.n; i++) {
		e[i].mean = e[i].last = VALUE_NONE;
		if (kind == TILE_POINTS)
			c[i].nshares = 0;
	}
	put_columns(r, kind, s, c, kind == TILE_NUMBERS ? e : NULL);
	return true;
}

static bool
put_series(struct drawing *r, enum tile_kind kind, const struct span *s,
	uint32_t series)
{
	struct index_column *c;
	struct index_extent *e = NULL;

	if (series == INDEX_NONE)
		return put_nothing(r, kind, s);
	if (kind != TILE_STATES && kind != TILE_POINTS &&
		!index_extents(r->q, &r->scratch, series, s->range, &e))
		return false;
	if (kind == TILE_NUMBERS) {
		c = empty_columns(r, &s->range);
	} else if (!index_columns(r->q, &r->scratch, series, s->range, &c) ||
		!hot_find(r->q, series, s->range, &r->hot)) {
		return false;
	}
	put_columns(r, kind, s, c, e);
	return true;
}

static bool
put_group(struct drawing *r, enum tile_kind kind, const struct span *s,
	uint32_t group)
{
	const struct index_group *g = &index_meta(r->q->ix)->group[group];
	struct index_column *c;

	if (!index_group_columns(
		    r->q, &r->scratch, group, r->p->type, s->range, &c))
		return false;
	r->coarse = (uint8_t)r->q->coarse;
	if (r->coarse > 0) {
		column_scale(&r->scale, r->p->q,
			(r->p->width & -r->p->width) *
				((index_wide)1 << r->coarse) * g->n);
		r->hot.n = 0;
	} else {
		column_scale(
			&r->scale, r->p->q, (index_wide)r->p->width * g->n);
	}
	r->scale.least = 1;
	for (uint32_t i = 0; r->hot.n > 0 && i < g->n; i++) {
		uint32_t series =
			index_series(r->q->ix, g->rows[i], r->p->type, 0);

		if (series != INDEX_NONE &&
			!hot_find(r->q, series, s->range, &r->hot))
			return false;
	}
	put_columns(r, kind, s, c, NULL);
	return true;
}

/* Marks all columns of the tile that lie inside the trace as damaged. */
static void
put_damaged(struct drawing *r, const struct span *s)
{
	struct index_column *c = empty_columns(r, &s->range);

	r->runs.n = 0;
	r->length = 0;
	r->coarse = 0;
	for (int i = 0; i < s->range.n; i++) {
		*r->next = c[i].from < c[i].to ? TILE_DAMAGED : 0;
		add_column(r, 1);
	}
	put_tile(r, &r->tile[s->first]);
}

/* Returns some of the tiles of the request. */
static struct span
span_of(const struct tile_params *p, int first, int n)
{
	return (struct span){ first, n,
		{ (p->number + first) * p->width * TILE_COLUMNS, p->width,
			n * TILE_COLUMNS } };
}

/* Encodes a row of the tiles, which group_spans() found to be alike. */
static bool
put_span(struct drawing *r, const struct tile_row *which, const struct span *s)
{
	enum tile_kind kind = tile_kind(r->q->ix, r->p->type);
	bool ok;

	r->runs.n = 0;
	r->length = 0;
	r->coarse = 0;
	r->hot.n = r->p->nhot;
	if (r->hot.n > 0)
		memset(r->found, 0, sizeof r->found);
	if (which->group) {
		ok = put_group(r, kind, s, which->id);
	} else {
		column_scale(&r->scale, r->p->q, r->p->width);
		ok = put_series(r, kind, s,
			index_series(
				r->q->ix, which->id, r->p->type, r->p->lane));
	}
	if (!ok && r->q->state == INDEX_DAMAGED && s->n == 1) {
		r->q->state = INDEX_OK;
		put_damaged(r, s);
		ok = true;
	}
	arena_reset(&r->scratch);
	return ok;
}

/* Encodes a row of the tiles one by one: some of them are damaged. */
static bool
put_each(struct drawing *r, const struct tile_row *which, const struct span *s)
{
	for (int i = 0; i < s->n; i++) {
		struct span one = span_of(r->p, s->first + i, 1);

		r->q->state = INDEX_OK;
		if (!put_span(r, which, &one))
			return false;
	}
	return true;
}

/* Returns how many tiles from `first` on cost a group either too much or not.
 * Sets the budget so that they are answered likewise. */
static int
alike(struct drawing *r, uint32_t group, int first, uint64_t budget)
{
	bool dear = false, next = false;
	int n = 0;

	for (; first + n < r->p->tiles; n++) {
		struct span one = span_of(r->p, first + n, 1);

		r->q->group_budget = budget;
		/* If the sums are damaged, the group's rows tell. */
		if (!index_group_is_dear(
			    r->q, group, r->p->type, one.range, &next))
			r->q->state = INDEX_OK;
		if (n > 0 && next != dear)
			break;
		dear = next;
	}
	r->q->group_budget = dear ? 1 : 0;
	return n;
}

/* Encodes a row, or a group with this budget, of all tiles. */
static bool
put_row(struct drawing *r, const struct tile_row *which, uint64_t budget)
{
	for (int first = 0, n; first < r->p->tiles; first += n) {
		struct span s;

		n = which->group ? alike(r, which->id, first, budget)
				 : r->p->tiles;
		s = span_of(r->p, first, n);
		if (!put_span(r, which, &s) &&
			(r->q->state != INDEX_DAMAGED ||
				!put_each(r, which, &s)))
			return false;
	}
	return true;
}

static void
put_head(struct out *o, const struct index *ix, const struct tile_params *p)
{
	uint8_t head[20] = { 'W', 'T', '1', 0 };
	uint16_t rows = (uint16_t)p->nrows, columns = TILE_COLUMNS;
	int64_t watermark = index_meta(ix)->end;

	memcpy(head + 4, &rows, 2);
	memcpy(head + 6, &columns, 2);
	head[8] = p->q == TILE_FINE ? 0 : (uint8_t)p->q;
	head[9] = (uint8_t)tile_kind(ix, p->type);
	memcpy(head + 12, &watermark, 8);
	put(o, head, sizeof head);
}

/* Returns what each group of a tile may cost. */
static uint64_t
group_budget(const struct tile_params *p)
{
	uint64_t n = 0;

	for (int i = 0; i < p->nrows; i++)
		n += p->rows[i].group;
	return n == 0 ? 0 : GROUP_BUDGET / n;
}

/* Copies all tiles into the arena, and frees them. */
static void
join(struct out *tile, int n, struct arena *a, struct tile_bytes *to)
{
	uint8_t *at;

	to->n = 0;
	for (int i = 0; i < n; i++)
		to->n += tile[i].n;
	to->at = at = arena_alloc(a, to->n);
	for (int i = 0; i < n; i++) {
		memcpy(at, tile[i].at, tile[i].n);
		at += tile[i].n;
		mem_free(tile[i].at);
	}
}

bool
tile_encode(struct index_query *q, struct arena *a, const struct tile_params *p,
	struct tile_bytes *out)
{
	struct out tile[TILE_MOST] = { 0 };
	struct drawing *r = ARENA_NEW(a, struct drawing);
	struct sums *sums = q->sums;
	uint64_t given = q->group_budget;
	uint64_t budget = given != 0 ? given : group_budget(p);
	bool ok = true;

	q->sums = sums_of(q, a, p->tiles * TILE_COLUMNS);
	r->q = q;
	r->p = p;
	r->hot = (struct hot){ p->hot, p->nhot, r->found };
	r->tile = tile;
	r->column = r->columns[0];
	r->next = r->columns[1];
	for (int i = 0; i < p->tiles; i++)
		put_head(&tile[i], q->ix, p);
	for (int i = 0; ok && i < p->nrows; i++)
		ok = put_row(r, &p->rows[i], budget);
	arena_fini(&r->scratch);
	q->sums = sums;
	q->group_budget = given;
	join(tile, p->tiles, a, out);
	mem_free(r->runs.at);
	return ok;
}
