/* SPDX-License-Identifier: MIT */
/* Takes records: finds series and class, and appends the bytes to the buffer.
 */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/arena.h"
#include "base/bug.h"
#include "base/compare.h"
#include "export/index/build.h"
#include "export/index/varint.h"

#define HOT_FIRST 1024

void
build_grow(void *array, size_t size)
{
	BUILD_ARRAY(char) *a = array;

	a->room = a->room == 0 ? 64 : 2 * a->room;
	a->at = mem_resize(a->at, a->room, size);
}

uint8_t
index_hash_class(int64_t value)
{
	if (value == VALUE_NONE)
		return INDEX_CLASS_NONE;
	return (uint8_t)(INDEX_HASHED + XXH64(&value, sizeof value, 0) % 15);
}

static uint8_t
new_class(struct build_type *t, int64_t value)
{
	if (t->nvalues < INDEX_HASHED && t->type.kind != TYPE_ID) {
		t->value[t->nvalues] = value;
		return (uint8_t)t->nvalues++;
	}
	t->hashed = true;
	return index_hash_class(value);
}

uint8_t
build_class(struct build_type *t, int64_t value)
{
	uint64_t *class;

	if (value == VALUE_NONE)
		return INDEX_CLASS_NONE;
	if (value >= 0 && value < BUILD_DIRECT) {
		if (t->direct[value] == 0)
			t->direct[value] = (uint16_t)(new_class(t, value) + 1);
		return (uint8_t)(t->direct[value] - 1);
	}
	if (t->type.kind == TYPE_ID) {
		t->hashed = true;
		return index_hash_class(value);
	}
	class = map_get(&t->classes, (uint64_t)value);
	if (class != NULL)
		return (uint8_t)(*class - 1);
	if (t->nvalues == INDEX_HASHED)
		return new_class(t, value); /* such values need no memory */
	*map_put(&t->classes, (uint64_t)value) = (uint64_t)t->nvalues + 1;
	return new_class(t, value);
}

static uint32_t
new_series(struct build *b, uint32_t row, uint32_t type, uint32_t lane)
{
	struct build_type *t = b->types.at[type];
	struct build_cold *c = BUILD_ADD(&b->cold);
	uint32_t series = (uint32_t)(b->cold.n - 1);
	size_t old = b->hot_room * sizeof *b->hot;

	if (series == b->hot_room) {
		b->hot_room = old == 0 ? HOT_FIRST : 2 * b->hot_room;
		b->hot = slab_array(b->hot, old, b->hot_room * sizeof *b->hot);
	}
	*c = (struct build_cold){ .row = row, .type = type, .lane = lane };
	if (t->type.kind == TYPE_NUMBER)
		c->flags = WIDX_NUMBER;
	else if (t->type.kind == TYPE_POINT)
		c->flags = WIDX_POINT;
	b->hot[series] =
		(struct build_hot){ .type = type, .flags = (uint8_t)c->flags };
	if (lane == 0)
		t->nseries++;
	else if (lane > t->lanes)
		t->lanes = lane;
	return series;
}

static void
grow_rows(struct build_type *t, uint32_t row)
{
	size_t room = t->series_room == 0 ? 64 : 2 * t->series_room;

	while (room <= row)
		room *= 2;
	t->series = mem_resize(t->series, room, sizeof *t->series);
	memset(t->series + t->series_room, 0,
		(room - t->series_room) * sizeof *t->series);
	t->series_room = room;
}

uint32_t
build_series(struct build *b, uint32_t row, uint32_t type, uint32_t lane)
{
	struct build_type *t = b->types.at[type];

	if (lane > 0)
		return new_series(b, row, type, lane);
	if (row >= t->series_room)
		grow_rows(t, row);
	if (t->series[row] == 0)
		t->series[row] = new_series(b, row, type, 0) + 1;
	return t->series[row] - 1;
}

/* Orders series by the bytes in their buffers, largest first. */
static int
by_fill(const void *x, const void *y, void *arg)
{
	const struct build *b = arg;
	uint32_t i = *(const uint32_t *)x, j = *(const uint32_t *)y;
	ptrdiff_t p = b->hot[i].at - b->hot[i].buf;
	ptrdiff_t q = b->hot[j].at - b->hot[j].buf;

	COMPARE(q, p);
	COMPARE(i, j);
	return 0;
}

/* Closes the fuller half of the open chunks early, to free memory. */
static void
spare_memory(struct build *b)
{
	uint32_t *open = mem_resize(NULL, b->cold.n, sizeof *open);
	size_t n = 0;

	for (size_t i = 0; i < b->cold.n; i++)
		if (b->hot[i].n > 0)
			open[n++] = (uint32_t)i;
	qsort_r(open, n, sizeof *open, by_fill, b);
	for (size_t i = 0; i < (n + 1) / 2; i++)
		build_pack(b, open[i]);
	mem_free(open);
}

static void
grow_buffer(struct build *b, struct build_hot *h)
{
	size_t used = (size_t)(h->at - h->buf);
	int size = h->buf == NULL ? 0 : h->size + 1;
	uint8_t *buf = slab_get(&b->slab, size);

	if (h->buf != NULL) {
		memcpy(buf, h->buf, used);
		slab_put(&b->slab, h->buf, h->size);
	}
	h->buf = buf;
	h->at = buf + used;
	h->end = buf + ((size_t)SLAB_SMALLEST << size);
	h->size = (uint8_t)size;
}

/* Makes room before a record that does not fit into the buffer or the chunk. */
static __attribute__((noinline)) void
make_room(struct build *b, uint32_t series)
{
	struct build_hot *h = &b->hot[series];

	if (h->n == WIDX_CHUNK || (h->buf != NULL && h->size == SLAB_SIZES - 1))
		build_pack(b, series);
	if (b->slab.used > b->budget)
		spare_memory(b);
	if (h->buf == NULL || h->end - h->at < BUILD_RECORD)
		grow_buffer(b, h);
}

void
build_feed(struct build *b, uint32_t series, int64_t time, int64_t value)
{
	struct build_hot *h = &b->hot[series];
	uint8_t *at;

	if (__builtin_expect(
		    h->end - h->at < BUILD_RECORD || h->n == WIDX_CHUNK, 0))
		make_room(b, series);
	at = h->at;
	if (h->n % WIDX_BLOCK == 0) {
		h->v_last = 0;
		if (h->n == 0)
			h->t_first = h->t_last = time;
	}
	BUG_ON(time < h->t_last);
	at = varint_put(at, (uint64_t)time - (uint64_t)h->t_last);
	h->t_last = time;
	if ((h->flags & WIDX_NUMBER) == 0) {
		uint8_t class = build_class(b->types.at[h->type], value);

		*at++ = class;
		if (class < INDEX_HASHED || class == INDEX_CLASS_NONE)
			goto done;
	}
	at = varint_put(at, zigzag((uint64_t)value - (uint64_t)h->v_last));
	h->v_last = value;
done:
	h->at = at;
	h->n++;
}

/* Writes one lane of a stack if its value changes. */
static void
feed_lane(struct build *b, const struct record *r, struct build_stack *s,
	uint32_t lane, int64_t value)
{
	struct build_lane *to;

	while ((uint32_t)s->lanes.n < lane)
		VEC_ADD(&s->lanes, b->arena);
	to = &s->lanes.at[lane - 1];
	if (to->series == 0) {
		if (value == VALUE_NONE)
			return;
		to->series = build_series(b, r->row, r->type, lane) + 1;
	} else if (to->value == value) {
		return;
	}
	to->value = value;
	build_feed(b, to->series - 1, r->time, value);
}

/* A hidden stack has no entries; a lost one has one entry. */
static void
feed_stack(struct build *b, const struct record *r, struct build_stack *s)
{
	uint32_t depth = r->stack != NULL ? r->depth : 0, had = s->depth;

	if (r->stack == NULL && r->value == VALUE_LOST)
		depth = 1;
	if (depth > INDEX_LANES) {
		b->too_deep++;
		depth = INDEX_LANES;
	}
	for (uint32_t lane = 1; lane <= depth; lane++)
		feed_lane(b, r, s, lane,
			r->stack != NULL ? r->stack[lane - 1] : r->value);
	for (uint32_t lane = depth + 1; lane <= had; lane++)
		feed_lane(b, r, s, lane, VALUE_NONE);
	s->depth = depth;
}

void
build_state(struct build *b, const struct record *r)
{
	struct build_type *t = b->types.at[r->type];
	uint32_t series = build_series(b, r->row, r->type, 0);

	b->nrecords++;
	t->nrecords++;
	build_feed(b, series, r->time, r->value);
	if (t->type.stack) {
		if (b->cold.at[series].stack == NULL)
			b->cold.at[series].stack =
				ARENA_NEW(b->arena, struct build_stack);
		feed_stack(b, r, b->cold.at[series].stack);
	}
	if (r->time > b->end)
		b->end = r->time;
}
