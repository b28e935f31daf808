/* SPDX-License-Identifier: MIT */
/* Takes records: finds series and class, and appends the bytes to the buffer.
 */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/arena.h"
#include "base/bug.h"
#include "base/compare.h"
#include "export/index/build.h"
#include "export/varint.h"

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

/* Returns the class of a value that is new, or not in the array. */
static __attribute__((noinline)) uint8_t
find_class(struct build_type *t, int64_t value)
{
	uint64_t *class;

	if (value >= 0 && value < BUILD_DIRECT) {
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

/* Returns the class of a value; a value that is new gets the next class. */
static inline uint8_t
class_of(struct build_type *t, int64_t value)
{
	if (value == VALUE_NONE)
		return INDEX_CLASS_NONE;
	if ((uint64_t)value < BUILD_DIRECT && t->direct[value] != 0)
		return (uint8_t)(t->direct[value] - 1);
	return find_class(t, value);
}

uint8_t
build_class(struct build_type *t, int64_t value)
{
	return class_of(t, value);
}

uint32_t
build_series(struct build *b, uint32_t row, uint32_t type, uint32_t lane)
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
	if (t->type.stack && lane == 0) {
		b->hot[series].flags |= BUILD_STACK;
		b->hot[series].top = VALUE_NONE;
	}
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

/* Returns lane 0 of a row and type; makes it if it is new. */
static __attribute__((noinline)) uint32_t
find_series(struct build *b, uint32_t row, uint32_t type)
{
	struct build_type *t = b->types.at[type];

	BUG_ON(row >= (uint32_t)b->rows.n);
	if (row >= t->series_room)
		grow_rows(t, row);
	if (t->series[row] == 0)
		t->series[row] = build_series(b, row, type, 0) + 1;
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
	uint32_t *open;
	size_t n = 0;

	build_part_all(b, BUILD_AHEAD); /* chunks can be given records, but not
	                                 * lose any, when they are closed */
	open = mem_resize(NULL, b->cold.n, sizeof *open);
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

/* Makes room before a record that does not fit into the buffer or the chunk.
 * May move b->hot. */
static __attribute__((noinline)) void
make_room(struct build *b, uint32_t series)
{
	struct build_hot *h = &b->hot[series];

	if (h->n == WIDX_CHUNK || (h->buf != NULL && h->size == SLAB_SIZES - 1))
		build_pack(b, series);
	if (b->slab.used > b->budget)
		spare_memory(b);
	h = &b->hot[series];
	if (h->buf == NULL || h->end - h->at < BUILD_RECORD)
		grow_buffer(b, h);
}

/* Appends time and class of a record to the buffer, which has room. */
static inline void
put_record(struct build_hot *h, int64_t time, uint8_t class)
{
	uint8_t *at =
		varint_put_quick(h->at, (uint64_t)time - (uint64_t)h->t_last);

	*at = class;
	h->at = at + 1;
	h->t_last = time;
	h->n++;
}

static void
put_value(struct build_hot *h, int64_t value)
{
	h->at = varint_put(
		h->at, zigzag((uint64_t)value - (uint64_t)h->v_last));
	h->v_last = value;
}

/* Adds a record to a series of the type. */
static void
feed(struct build *b, uint32_t series, struct build_type *t, int64_t time,
	int64_t value)
{
	struct build_hot *h = &b->hot[series];
	uint8_t class;

	if (h->end - h->at < BUILD_RECORD || h->n == WIDX_CHUNK)
		make_room(b, series);
	h = &b->hot[series];
	if (h->n % WIDX_BLOCK == 0) {
		h->v_last = 0;
		if (h->n == 0)
			h->t_first = h->t_last = time;
	}
	BUG_ON(time < h->t_last);
	if ((h->flags & WIDX_NUMBER) != 0) {
		h->at = varint_put(h->at, (uint64_t)time - (uint64_t)h->t_last);
		h->t_last = time;
		h->n++;
		put_value(h, value);
		return;
	}
	class = class_of(t, value);
	put_record(h, time, class);
	if (class >= INDEX_HASHED && class != INDEX_CLASS_NONE)
		put_value(h, value);
}

/* Adds a record if this needs nothing more than some bytes of the buffer.
 * Returns false if it needs more. */
static inline bool
feed_plain(struct build_hot *h, const struct build_type *t, int64_t time,
	int64_t value)
{
	uint8_t class = INDEX_CLASS_NONE;

	if (value != VALUE_NONE) {
		if ((uint64_t)value >= BUILD_DIRECT)
			return false;
		class = (uint8_t)(t->direct[value] - 1);
		if (class >= INDEX_HASHED) /* also if it has none yet */
			return false;
	}
	if (h->end - h->at < BUILD_RECORD || h->n % WIDX_BLOCK == 0 ||
		time < h->t_last || (h->flags & WIDX_NUMBER) != 0)
		return false;
	put_record(h, time, class);
	return true;
}

/* Writes a new value of a lane of a stack. */
static void
feed_lane(struct build *b, const struct record *r, struct build_stack *s,
	uint32_t lane, int64_t value)
{
	struct build_lane *to = &s->lanes.at[lane - 1];

	if (to->series == 0)
		to->series = build_series(b, r->row, r->type, lane) + 1;
	if (!feed_plain(&b->hot[to->series - 1], b->types.at[r->type], r->time,
		    value))
		feed(b, to->series - 1, b->types.at[r->type], r->time, value);
	to->value = value;
	s->fed |= UINT64_C(1) << (lane - 1);
}

static void
feed_stack(struct build *b, const struct record *r, struct build_stack *s)
{
	const int64_t *entry = build_entries(r);
	const struct build_lane *has;
	uint32_t depth = build_depth(r), had = s->depth;

	s->top = r->value;
	s->fed = 0;
	if (depth > INDEX_LANES) {
		b->too_deep++;
		depth = INDEX_LANES;
	}
	while ((uint32_t)s->lanes.n < depth)
		VEC_PUSH(&s->lanes, b->arena,
			((struct build_lane){ VALUE_NONE, 0 }));
	has = s->lanes.at;
	for (uint32_t i = 0; i < depth; i++)
		if (has[i].value != entry[i])
			feed_lane(b, r, s, i + 1, entry[i]);
	for (uint32_t i = depth; i < had; i++)
		if (has[i].value != VALUE_NONE)
			feed_lane(b, r, s, i + 1, VALUE_NONE);
	s->depth = depth;
}

/* Makes lane 1 of a series, with the records that lane 0 has so far. */
static uint32_t
copy_lane(struct build *b, uint32_t series)
{
	const struct build_cold *c = &b->cold.at[series];
	uint32_t lane = build_series(b, c->row, c->type, 1);

	build_copy(b, lane, series);
	return lane;
}

/* Gives the stack lanes of its own. */
static __attribute__((noinline)) void
set_apart(struct build *b, uint32_t series)
{
	struct build_stack *s = ARENA_NEW(b->arena, struct build_stack);
	int64_t top = b->hot[series].top;

	s->top = top;
	if ((b->hot[series].flags & BUILD_SHOWN) != 0) {
		struct build_lane lane = { top, copy_lane(b, series) + 1 };

		VEC_PUSH(&s->lanes, b->arena, lane);
		s->depth = top != VALUE_NONE;
	}
	b->hot[series].flags |= BUILD_APART;
	b->hot[series].stack = s;
}

void
build_last_lanes(struct build *b)
{
	size_t n = b->cold.n;

	for (size_t i = 0; i < n; i++) {
		unsigned flags = b->hot[i].flags;

		if ((flags & BUILD_SHOWN) != 0 && (flags & BUILD_APART) == 0)
			copy_lane(b, (uint32_t)i);
	}
}

static inline void
note_last(struct build_hot *h, int64_t value)
{
	h->top = value;
	if (value != VALUE_NONE && (h->flags & BUILD_STACK) != 0)
		h->flags |= BUILD_SHOWN;
}

/* Notes that a follower lacks the record. */
static inline void
go_ahead(struct build_hot *h)
{
	if ((h->flags & BUILD_FOLLOWED) != 0)
		h->flags |= BUILD_AHEAD;
}

/* Takes any record. */
static __attribute__((noinline)) void
take_any(struct build *b, uint32_t series, struct build_type *t,
	const struct record *r)
{
	if ((b->hot[series].flags & BUILD_APART) == 0) {
		if ((b->hot[series].flags & BUILD_STACK) == 0 ||
			build_is_flat(r))
			note_last(&b->hot[series], r->value);
		else
			set_apart(b, series);
	}
	feed(b, series, t, r->time, r->value);
	go_ahead(&b->hot[series]);
	if ((b->hot[series].flags & BUILD_APART) != 0)
		feed_stack(b, r, b->hot[series].stack);
}

/* Takes a record if its series needs no more than feed_plain(). Returns false
 * if it needs more. */
static inline bool
take_plain(
	struct build_hot *h, const struct build_type *t, const struct record *r)
{
	bool alone = (h->flags & (BUILD_STACK | BUILD_APART)) == BUILD_STACK;

	if ((alone && !build_is_flat(r)) ||
		!feed_plain(h, t, r->time, r->value))
		return false;
	if ((h->flags & BUILD_APART) == 0)
		note_last(h, r->value);
	go_ahead(h);
	return true;
}

/* Takes a record that follows another, or that begins to. Returns false if it
 * does neither. */
static inline bool
take_same(struct build *b, uint32_t series, struct build_type *t,
	const struct record *r)
{
	const struct build_hot *h = &b->hot[series];

	if ((h->flags & BUILD_FOLLOWS) != 0)
		return build_follow(b, series, t, r);
	if ((h->flags & BUILD_AHEAD) != 0)
		build_part(b, b->cold.at[series].follower - 1);
	else if (h->n < BUILD_BEGIN)
		return build_begin_following(b, series, t, r);
	return false;
}

void
build_state(struct sink *s, const struct record *r)
{
	struct build *b = (struct build *)s;
	struct build_type *t;
	uint32_t series;

	BUG_ON(r->type >= (uint32_t)b->types.n);
	t = b->types.at[r->type];
	series = r->row < t->series_room ? t->series[r->row] : 0;
	if (__builtin_expect(series == 0, 0))
		series = find_series(b, r->row, r->type) + 1;
	if (take_same(b, series - 1, t, r)) {
		b->last = 0;
		return;
	}
	if (__builtin_expect(!take_plain(&b->hot[series - 1], t, r), 0))
		take_any(b, series - 1, t, r);
	else if ((b->hot[series - 1].flags & BUILD_APART) != 0)
		feed_stack(b, r, b->hot[series - 1].stack);
	b->last = series;
}
