/* SPDX-License-Identifier: MIT */
#include "export/index/tile.h"

#include <string.h>

#include "base/arena.h"
#include "export/index/hot.h"
#include "export/index/sums.h"
#include "export/index/varint.h"

#define MOST_CLASSES 126 /* most classes of a column */
#define MORE 0x80
#define GROUP_BUDGET \
	1500000 /* intervals that all groups of a tile may cost \
	         */
/* Most bytes of a column's content: its classes, or four numbers. */
#define COLUMN_BYTES (2 + MOST_CLASSES * (1 + VARINT_MOST) + 4 * VARINT_MOST)

struct out {
	uint8_t *at;
	size_t n, room;
	struct arena *arena;
};

/* A row while its columns are encoded. */
struct drawing {
	struct index_query *q;
	const struct tile_params *p;
	struct arena scratch;
	struct out runs;
	struct index_range range;
	struct hot hot;
	uint8_t found[TILE_COLUMNS];
	index_wide whole; /* sum of all shares of a column */
	int64_t least;    /* time that has a quantum */
	uint8_t coarse;
	/* The run that is being extended. */
	uint8_t column[COLUMN_BYTES];
	size_t size;
	uint64_t length;
};

bool
tile_on_ladder(int64_t width)
{
	while (width >= 8 && width % 2 == 0)
		width /= 2;
	return width >= 1 && width <= 7;
}

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

/* Returns true if the row can have this type and this width. */
static bool
fits(const struct index_meta *m, const struct tile_params *p,
	const struct tile_row *r)
{
	const struct type *t = &m->type[p->type].type;

	if (r->group)
		return r->id < m->ngroups && p->lane == 0 &&
			t->kind != TYPE_NUMBER &&
			strcmp(m->group[r->id].class, t->class) == 0;
	return r->id < m->nrows &&
		strcmp(m->row[r->id].row.class, t->class) == 0;
}

static const char *
refuse_rows(const struct index_meta *m, const struct tile_params *p)
{
	if (p->nrows < 1 || p->nrows > TILE_ROWS)
		return "rows";
	for (int i = 0; i < p->nrows; i++) {
		if (!fits(m, p, &p->rows[i]))
			return "rows";
		if (p->rows[i].group && !tile_on_ladder(p->width))
			return "w";
	}
	return NULL;
}

const char *
tile_refuse(const struct index *ix, const struct tile_params *p)
{
	const struct index_meta *m = index_meta(ix);
	int64_t end;

	if (p->type >= m->ntypes)
		return "type";
	if (p->width < 1)
		return "w";
	if (p->number < 0 || p->number == INT64_MAX ||
		__builtin_mul_overflow(p->width, TILE_COLUMNS, &end) ||
		__builtin_mul_overflow(end, p->number + 1, &end))
		return "i";
	if (p->q != 15 && p->q != 63 && p->q != 255)
		return "q";
	if (p->lane > (uint32_t)m->type[p->type].lanes)
		return "lane";
	if (p->nhot < 0 || p->nhot > TILE_HOT)
		return "hot";
	return refuse_rows(m, p);
}

static uint8_t *
room(struct out *o, size_t n)
{
	if (o->room - o->n < n) {
		uint8_t *at;

		o->room = 2 * o->room + n + 1024;
		at = arena_alloc(o->arena, o->room);
		if (o->n > 0)
			memcpy(at, o->at, o->n);
		o->at = at;
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
	if (r->length == 0)
		return;
	put(&r->runs, r->column, r->size);
	put_varint(&r->runs, r->length);
	r->length = 0;
}

static void
add_column(struct drawing *r, const uint8_t *column, size_t size)
{
	if (r->length > 0 && size == r->size &&
		memcmp(column, r->column, size) == 0) {
		r->length++;
		return;
	}
	end_run(r);
	memcpy(r->column, column, size);
	r->size = size;
	r->length = 1;
}

/* The classes of a column and their quanta. */
struct portion {
	uint8_t class;
	int quanta;
};

static bool
is_hot(const struct drawing *r, uint8_t class)
{
	for (int i = 0; i < r->hot.n; i++)
		if (r->hot.class[i] == class)
			return true;
	return false;
}

/* Adds highlighted classes without time, in the order of classes. Returns the
 * number of shares. */
static int
add_hot(const struct drawing *r, int column, struct index_share *share, int n)
{
	for (int i = 0; i < r->hot.n; i++) {
		int at = 0;

		if ((r->found[column] & 1 << i) == 0)
			continue;
		while (at < n && share[at].class < r->hot.class[i])
			at++;
		if (at < n && share[at].class == r->hot.class[i])
			continue;
		memmove(share + at + 1, share + at,
			(size_t)(n - at) * sizeof *share);
		share[at] = (struct index_share){ 0, r->hot.class [i], { 0 } };
		n++;
	}
	return n;
}

/* Sets the sum of all shares of a column. */
static void
set_whole(struct drawing *r, index_wide whole)
{
	index_wide least = (whole + r->p->q - 1) / r->p->q;

	r->whole = whole;
	r->least = least > INT64_MAX ? INT64_MAX : (int64_t)least;
}

/* Returns floor(time * q / whole). */
static int
portion_of(const struct drawing *r, int64_t time)
{
	if (time < r->least)
		return 0;
	if (r->whole <= INT64_MAX && time <= INT64_MAX / 255)
		return (int)(time * r->p->q / (int64_t)r->whole);
	return (int)((index_wide)time * r->p->q / r->whole);
}

/* Divides q among the shares. Returns how many remain; *more is set if some do
 * not. */
static int
divide(const struct drawing *r, const struct index_share *share, int n,
	struct portion *to, uint8_t *more)
{
	int largest = 0, left = r->p->q, kept = 0, others = 0, at = 0;

	for (int i = 1; i < n; i++)
		if (share[i].time > share[largest].time)
			largest = i;
	for (int i = 0; i < n; i++) {
		int quanta = portion_of(r, share[i].time);

		if (i == largest) {
			at = kept;
			to[kept++].class = share[i].class;
			continue;
		}
		if (quanta == 0 && is_hot(r, share[i].class))
			quanta = 1;
		if (quanta == 0 || quanta >= left ||
			others == MOST_CLASSES - 1) {
			*more = MORE;
			continue;
		}
		left -= quanta;
		others++;
		to[kept++] = (struct portion){ share[i].class, quanta };
	}
	to[at].quanta = left;
	return kept;
}

/* Encodes the classes and quanta of a column of states or ids. */
static uint8_t *
put_classes(const struct drawing *r, int column, const struct index_column *c,
	uint8_t *at)
{
	struct index_share hot[INDEX_CLASSES + TILE_HOT];
	const struct index_share *share = c->share;
	struct portion portion[INDEX_CLASSES + TILE_HOT];
	uint8_t more = 0;
	int n = c->nshares;

	if (r->hot.n > 0) {
		memcpy(hot, share, (size_t)n * sizeof *share);
		n = add_hot(r, column, hot, n);
		share = hot;
	}
	n = divide(r, share, n, portion, &more);
	*at++ = (uint8_t)n | more;
	for (int i = 0; i < n; i++) {
		*at++ = portion[i].class;
		if (n > 1)
			*at++ = (uint8_t)portion[i].quanta;
	}
	return at;
}

static uint8_t *
put_signed(uint8_t *at, int64_t value)
{
	return varint_put(at, zigzag((uint64_t)value));
}

static uint8_t *
put_points(const struct index_column *c, uint8_t *at)
{
	int n = c->nshares > MOST_CLASSES ? MOST_CLASSES : c->nshares;

	if (n == 0)
		return memcpy(at, (uint8_t[]){ 1, INDEX_CLASS_NONE, 0 }, 3),
		       at + 3;
	*at++ = (uint8_t)(n | (n < c->nshares ? MORE : 0));
	for (int i = 0; i < n; i++) {
		*at++ = c->share[i].class;
		at = varint_put(at, (uint64_t)c->share[i].time);
	}
	return at;
}

static uint8_t *
put_numbers(const struct index_extent *e, uint8_t *at)
{
	*at++ = 1;
	at = put_signed(at, e->some ? e->min : VALUE_NONE);
	at = put_signed(at, e->some ? e->max : VALUE_NONE);
	at = put_signed(at, e->mean);
	return put_signed(at, e->last);
}

/* extent: for numbers and for ids of single rows; else NULL. */
static void
put_columns(struct drawing *r, enum tile_kind kind,
	const struct index_column *c, const struct index_extent *extent)
{
	for (int i = 0; i < r->range.n; i++) {
		uint8_t column[COLUMN_BYTES], *at = column;

		if (c[i].from >= c[i].to) {
			*at++ = 0;
		} else if (kind == TILE_NUMBERS) {
			at = put_numbers(&extent[i], at);
		} else if (kind == TILE_POINTS) {
			at = put_points(&c[i], at);
		} else {
			at = put_classes(r, i, &c[i], at);
			if (kind == TILE_IDS) {
				at = varint_put(at, c[i].changes);
				at = put_signed(at,
					extent != NULL && extent[i].longest > 0
						? extent[i].longest_value
						: VALUE_NONE);
			}
		}
		add_column(r, column, (size_t)(at - column));
	}
}

/* Returns the columns of a row that has no record of the type. */
static struct index_column *
empty_columns(struct drawing *r, const struct index_range *range)
{
	int64_t end = index_meta(r->q->ix)->end, from = range->from;
	struct index_column *c =
		ARENA_ARRAY(&r->scratch, struct index_column, range->n);

	for (int i = 0; i < range->n; i++, from += range->width) {
		struct index_share *share =
			ARENA_NEW(&r->scratch, struct index_share);

		c[i].from = from < end ? from : end;
		c[i].to = from + range->width < end ? from + range->width : end;
		*share = (struct index_share){ c[i].to - c[i].from,
			INDEX_CLASS_NONE, { 0 } };
		c[i].share = share;
		c[i].nshares = 1;
	}
	return c;
}

static bool
put_nothing(struct drawing *r, enum tile_kind kind)
{
	struct index_column *c = empty_columns(r, &r->range);
	struct index_extent *e =
		ARENA_ARRAY(&r->scratch, struct index_extent, r->range.n);

	for (int i = 0; i < r->range.n; i++) {
		e[i].mean = e[i].last = VALUE_NONE;
		if (kind == TILE_POINTS)
			c[i].nshares = 0;
	}
	put_columns(r, kind, c, kind == TILE_NUMBERS ? e : NULL);
	return true;
}

static bool
put_series(struct drawing *r, enum tile_kind kind, uint32_t series)
{
	struct index_column *c;
	struct index_extent *e = NULL;

	if (series == INDEX_NONE)
		return put_nothing(r, kind);
	if (kind != TILE_STATES && kind != TILE_POINTS &&
		!index_extents(r->q, &r->scratch, series, r->range, &e))
		return false;
	if (kind == TILE_NUMBERS) {
		c = empty_columns(r, &r->range);
	} else if (!index_columns(r->q, &r->scratch, series, r->range, &c) ||
		!hot_find(r->q, series, r->range, &r->hot)) {
		return false;
	}
	put_columns(r, kind, c, e);
	return true;
}

static bool
put_group(struct drawing *r, enum tile_kind kind, uint32_t group)
{
	const struct index_group *g = &index_meta(r->q->ix)->group[group];
	struct index_column *c;

	set_whole(r, r->whole * g->n);
	if (!index_group_columns(
		    r->q, &r->scratch, group, r->p->type, r->range, &c))
		return false;
	if (r->q->coarse > 0) {
		r->coarse = (uint8_t)r->q->coarse;
		set_whole(r,
			(r->p->width & -r->p->width) *
				((index_wide)1 << r->coarse) * g->n);
		r->hot.n = 0;
	}
	for (uint32_t i = 0; r->hot.n > 0 && i < g->n; i++) {
		uint32_t series =
			index_series(r->q->ix, g->rows[i], r->p->type, 0);

		if (series != INDEX_NONE &&
			!hot_find(r->q, series, r->range, &r->hot))
			return false;
	}
	put_columns(r, kind, c, NULL);
	return true;
}

/* Marks all columns of the row that lie inside the trace as damaged. */
static void
put_damaged(struct drawing *r)
{
	struct index_column *c = empty_columns(r, &r->range);

	r->runs.n = 0;
	r->length = 0;
	for (int i = 0; i < r->range.n; i++) {
		uint8_t byte = c[i].from < c[i].to ? TILE_DAMAGED : 0;

		add_column(r, &byte, 1);
	}
}

static bool
put_row(struct drawing *r, struct out *out, const struct tile_row *which)
{
	enum tile_kind kind = tile_kind(r->q->ix, r->p->type);
	bool ok;

	r->runs.n = 0;
	r->length = 0;
	set_whole(r, r->p->width);
	r->coarse = 0;
	r->hot.n = r->p->nhot;
	memset(r->found, 0, sizeof r->found);
	ok = which->group ? put_group(r, kind, which->id)
			  : put_series(r, kind,
				    index_series(r->q->ix, which->id,
					    r->p->type, r->p->lane));
	if (!ok && r->q->state != INDEX_DAMAGED)
		return false;
	if (!ok) {
		r->q->state = INDEX_OK;
		put_damaged(r);
	}
	end_run(r);
	put_varint(out, r->runs.n + 1);
	put(out, &r->coarse, 1);
	put(out, r->runs.at, r->runs.n);
	arena_reset(&r->scratch);
	r->runs = (struct out){ .arena = &r->scratch };
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
	head[8] = (uint8_t)p->q;
	head[9] = (uint8_t)tile_kind(ix, p->type);
	memcpy(head + 12, &watermark, 8);
	put(o, head, sizeof head);
}

/* Returns what each group of the tile may cost. */
static uint64_t
group_budget(const struct tile_params *p)
{
	uint64_t n = 0;

	for (int i = 0; i < p->nrows; i++)
		n += p->rows[i].group;
	return n == 0 ? 0 : GROUP_BUDGET / n;
}

bool
tile_encode(struct index_query *q, struct arena *a, const struct tile_params *p,
	struct tile_bytes *out)
{
	struct out o = { .arena = a };
	struct drawing *r = ARENA_NEW(a, struct drawing);
	struct sums *before = q->sums;
	uint64_t budget = q->group_budget;
	bool ok = true;

	q->sums = sums_of(q, a, TILE_COLUMNS);
	r->q = q;
	r->p = p;
	r->hot = (struct hot){ p->hot, p->nhot, r->found };
	r->range = (struct index_range){ p->number * p->width * TILE_COLUMNS,
		p->width, TILE_COLUMNS };
	r->runs = (struct out){ .arena = &r->scratch };
	put_head(&o, q->ix, p);
	if (budget == 0)
		q->group_budget = group_budget(p);
	for (int i = 0; ok && i < p->nrows; i++)
		ok = put_row(r, &o, &p->rows[i]);
	arena_fini(&r->scratch);
	q->sums = before;
	q->group_budget = budget;
	*out = (struct tile_bytes){ o.at, o.n };
	return ok;
}
