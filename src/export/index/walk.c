/* SPDX-License-Identifier: MIT */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "export/index/walk.h"

#include <string.h>

#include "export/index/records.h"

static uint64_t
word(const uint8_t *at, size_t n)
{
	uint64_t value = 0;

	memcpy(&value, at, n);
	return value;
}

/* Returns the next array of a chunk, of n bytes. */
static const uint8_t *
array(const struct view *v, uint64_t *at, uint64_t n)
{
	const uint8_t *found = v->base + *at;

	*at += WIDX_ALIGN(n);
	return *at <= v->head.size ? found : NULL;
}

/* Finds the arrays. Returns false if they do not fit into the chunk. */
static bool
lay_out(struct view *v)
{
	const struct widx_chunk *h = &v->head;
	uint64_t at = sizeof *h, n = h->nblocks;
	uint64_t time = (h->flags & WIDX_LONG) != 0 ? 8 : 4;

	v->class_of = v->abs = v->local = v->sum = v->extent = v->total = NULL;
	if (h->n == 0 || h->n > WIDX_CHUNK ||
		n != (h->n + WIDX_BLOCK - 1) / WIDX_BLOCK ||
		h->nseen > INDEX_CLASSES || h->nlocal > h->nseen)
		return false;
	v->bits = 0;
	if ((h->flags & WIDX_NUMBER) == 0) {
		v->bits = records_bits(h->nseen);
		v->class_of = array(v, &at, h->nseen);
		v->abs = array(v, &at, (uint64_t)h->nseen * 8);
	}
	v->block_t = array(v, &at, n * time);
	v->block_off = array(v, &at, n * 4);
	if ((h->flags & WIDX_NUMBER) == 0) {
		v->local = array(v, &at, h->nlocal);
		v->sum = array(v, &at, (n - 1) * h->nlocal * time);
	}
	if ((h->flags & WIDX_EXTENTS) != 0)
		v->extent = array(v, &at, n * sizeof(struct widx_extent));
	if ((h->flags & WIDX_NUMBER) != 0)
		v->total = array(v, &at, n * sizeof(struct widx_total));
	return at < h->size; /* if the last array fits, all do */
}

/* Checks the checksum of a chunk, the first time that a thread reads it. */
static bool
is_good(const struct index *ix, uint64_t i, const struct view *v)
{
	uint8_t state =
		atomic_load_explicit(&ix->chunk[i], memory_order_relaxed);

	if (state == READER_UNREAD) {
		uint32_t sum;

		reader_expect(v->base, v->head.size);
		sum = (uint32_t)XXH3_64bits(v->base + sizeof v->head.check,
			v->head.size - sizeof v->head.check);
		state = sum == v->head.check ? READER_GOOD : READER_BAD;
		atomic_store_explicit(
			&ix->chunk[i], state, memory_order_relaxed);
	}
	return state == READER_GOOD;
}

struct widx_entry
walk_entry(const struct walk *w, uint64_t chunk)
{
	return w->q->ix->directory.at[w->s.chunk + chunk];
}

bool
walk_load(struct walk *w, uint64_t chunk)
{
	const struct index *ix = w->q->ix;
	uint64_t at = walk_entry(w, chunk).offset - ix->chunks_at;
	struct view *v = &w->v;

	if (at >= ix->chunks_size || at % 8 != 0 ||
		ix->chunks_size - at < sizeof v->head)
		return reader_damaged(
			w->q, &ix->directory.at[w->s.chunk + chunk]);
	reader_touch(ix);
	v->base = ix->chunks + at;
	memcpy(&v->head, v->base, sizeof v->head);
	if (v->head.size < sizeof v->head || v->head.size > WIDX_CHUNK_BYTES ||
		v->head.size > ix->chunks_size - at ||
		((v->head.flags ^ w->s.flags) & (WIDX_NUMBER | WIDX_POINT)) !=
			0 ||
		!lay_out(v) || !is_good(ix, w->s.chunk + chunk, v))
		return reader_damaged(w->q, v->base);
	v->end = v->base + v->head.size;
	w->chunk = chunk;
	w->loaded = true;
	return true;
}

int64_t
walk_block_time(const struct view *v, uint32_t block)
{
	uint64_t time = (v->head.flags & WIDX_LONG) != 0
		? word(v->block_t + (size_t)8 * block, 8)
		: word(v->block_t + (size_t)4 * block, 4);

	return (int64_t)((uint64_t)v->head.t_first + time);
}

bool
walk_enter(struct walk *w, uint32_t block)
{
	uint64_t at = word(w->v.block_off + (size_t)4 * block, 4);

	if (at < sizeof w->v.head || at >= w->v.head.size)
		return reader_damaged(w->q, w->v.base);
	w->at = w->v.base + at;
	w->i = block * WIDX_BLOCK;
	w->v_last = 0;
	return true;
}

bool
walk_open(struct walk *w, struct index_query *q, uint32_t series)
{
	const struct index *ix = q->ix;

	*w = (struct walk){ .q = q };
	if (series >= ix->series.n)
		return reader_damaged(q, ix->series.at);
	w->s = ix->series.at[series];
	if (w->s.type >= ix->meta.ntypes || w->s.nchunks == 0 ||
		w->s.nchunks > ix->directory.n ||
		w->s.chunk > ix->directory.n - w->s.nchunks)
		return reader_damaged(q, &ix->series.at[series]);
	w->type = &ix->meta.type[w->s.type];
	return true;
}

uint64_t
walk_number(const struct walk *w)
{
	return walk_entry(w, w->chunk).before + w->i;
}

/* Reads the value of a slot; the record contains it if several values share
 * the class. */
static bool
take_slot_value(struct walk *w)
{
	uint8_t class = view_class(&w->v, w->slot);
	uint64_t folded;

	if (class == INDEX_CLASS_NONE) {
		w->value = VALUE_NONE;
	} else if (class < INDEX_HASHED) {
		if (class >= w->type->nvalues)
			return reader_damaged(w->q, w->v.base);
		w->value = w->type->value[class];
	} else {
		w->at = varint_get(w->at, &folded);
		w->value = w->v_last =
			(int64_t)((uint64_t)w->v_last + unzigzag(folded));
	}
	return true;
}

/* Reads the rest of a record, after its time and slot. */
static bool
take_rest(struct walk *w)
{
	uint64_t folded;

	w->i++;
	w->any = true;
	if ((w->s.flags & WIDX_NUMBER) == 0)
		return take_slot_value(w);
	w->at = varint_get(w->at, &folded);
	w->value = w->v_last =
		(int64_t)((uint64_t)w->v_last + unzigzag(folded));
	return true;
}

/* Reads the time of the next record, less that of the record before or 0 in the
 * first record of a block, and its slot, if records have slots. Returns the
 * bytes behind them. */
static const uint8_t *
read_head(const struct walk *w, uint64_t *delta, uint8_t *slot)
{
	const uint8_t *at = w->at;

	if (__builtin_expect(w->v.bits > 0, 1))
		return records_get(at, w->v.bits, delta, slot);
	*delta = 0;
	if (w->i % WIDX_BLOCK != 0)
		at = varint_get(at, delta);
	if ((w->s.flags & WIDX_NUMBER) == 0)
		*slot = *at++;
	return at;
}

bool
walk_next(struct walk *w, bool *some)
{
	uint64_t delta;

	*some = false;
	if (w->i == w->v.head.n) {
		if (w->chunk + 1 == w->s.nchunks)
			return true;
		if (!walk_load(w, w->chunk + 1) || !walk_enter(w, 0))
			return false;
	} else if (w->i % WIDX_BLOCK == 0 &&
		!walk_enter(w, w->i / WIDX_BLOCK)) {
		return false;
	}
	if (w->at >= w->v.end)
		return reader_damaged(w->q, w->v.base);
	*some = true;
	w->at = read_head(w, &delta, &w->slot);
	if (w->i % WIDX_BLOCK == 0)
		w->t = walk_block_time(&w->v, w->i / WIDX_BLOCK);
	else
		w->t = (int64_t)((uint64_t)w->t + delta);
	return walk_pay(w->q, 1) && take_rest(w);
}

bool
walk_peek(struct walk *w, int64_t *t)
{
	uint64_t delta;
	uint8_t slot;

	*t = INT64_MAX;
	if (w->i == w->v.head.n) {
		if (w->chunk + 1 < w->s.nchunks)
			*t = walk_entry(w, w->chunk + 1).t_first;
	} else if (w->i % WIDX_BLOCK == 0) {
		*t = walk_block_time(&w->v, w->i / WIDX_BLOCK);
	} else {
		if (w->at >= w->v.end)
			return reader_damaged(w->q, w->v.base);
		read_head(w, &delta, &slot);
		*t = (int64_t)((uint64_t)w->t + delta);
	}
	return true;
}

bool
walk_find_chunk(const struct walk *w, int64_t x, uint64_t *chunk)
{
	const struct widx_entry *e = &w->q->ix->directory.at[w->s.chunk];
	uint64_t low = 0, high = w->s.nchunks, step = 1;

	if (w->loaded && e[w->chunk].t_first < x) {
		low = w->chunk;
		while (low + step < high && e[low + step].t_first < x) {
			low += step;
			step *= 2;
		}
		if (low + step < high)
			high = low + step;
	} else if (e[0].t_first >= x) {
		return false;
	}
	while (high - low > 1) { /* low is before x, high is not */
		uint64_t mid = low + (high - low) / 2;

		if (e[mid].t_first < x)
			low = mid;
		else
			high = mid;
	}
	*chunk = low;
	return true;
}

uint32_t
walk_find_block(const struct view *v, int64_t x)
{
	uint32_t low = 0, high = v->head.nblocks;

	while (high - low > 1) {
		uint32_t mid = low + (high - low) / 2;

		if (walk_block_time(v, mid) < x)
			low = mid;
		else
			high = mid;
	}
	return low;
}

#define CACHE_LINE 64 /* bytes */
#define HEAD_LINES 6  /* cache lines from a chunk to its table of blocks */
#define BLOCK_LINES 4 /* cache lines; the processor fetches the rest */

void
walk_fetch_chunk(const struct walk *w, uint64_t chunk)
{
	const struct index *ix = w->q->ix;
	uint64_t at = walk_entry(w, chunk).offset - ix->chunks_at;

	for (int i = 0; i < HEAD_LINES && at < ix->chunks_size; i++)
		__builtin_prefetch(ix->chunks + at + (size_t)i * CACHE_LINE);
}

void
walk_fetch_block(const struct walk *w, int64_t x)
{
	const struct view *v = &w->v;
	uint32_t block = walk_find_block(v, x);
	uint64_t at = word(v->block_off + (size_t)4 * block, 4);

	for (int i = 0; i < BLOCK_LINES && at < v->head.size; i++)
		__builtin_prefetch(v->base + at + (size_t)i * CACHE_LINE);
}

/* Takes records up to number `last` with time < x. quick is a constant at each
 * call. */
static inline __attribute__((always_inline)) void
skip_to(struct walk *w, int64_t x, uint32_t last, bool quick)
{
	struct records r = records_of(w->at, w->v.bits);
	const uint8_t *end = w->v.end;
	uint64_t time = (uint64_t)w->t;
	uint32_t i = w->i;
	uint8_t slot = w->slot;

	for (; i < last && r.at < end; i++) {
		const uint8_t *at = r.at;
		uint8_t next;
		uint64_t delta = quick ? records_next(&r, &next)
				       : records_plain(&r, &next);

		if ((int64_t)(time + delta) >= x) {
			r.at = at;
			break;
		}
		time += delta;
		slot = next;
	}
	w->i = i;
	w->t = (int64_t)time;
	w->slot = slot;
	w->at = r.at;
}

/* Takes the records of the block with time < x, none of which contains a
 * value. */
static bool
skip(struct walk *w, int64_t x)
{
	uint32_t last =
		w->i % WIDX_BLOCK == 0 ? w->i : (w->i | (WIDX_BLOCK - 1)) + 1;
	uint32_t from = w->i;

	if (last > w->v.head.n)
		last = w->v.head.n;
	if (w->v.bits > 0)
		skip_to(w, x, last, true);
	else
		skip_to(w, x, last, false);
	if (w->i < last && w->at >= w->v.end)
		return reader_damaged(w->q, w->v.base);
	return walk_pay(w->q, w->i - from) && take_slot_value(w);
}

/* Moves behind the first record of the block that x is in, unless the walk is
 * in that block already and before x. */
static bool
jump(struct walk *w, int64_t x, uint64_t chunk)
{
	bool some, moved = !w->any || w->t >= x;
	uint32_t block;

	if (!w->loaded || chunk != w->chunk) {
		if (!walk_load(w, chunk))
			return false;
		moved = true;
	}
	block = walk_find_block(&w->v, x);
	if (!moved && w->i > 0 && block == (w->i - 1) / WIDX_BLOCK)
		return true;
	return walk_enter(w, block) && walk_next(w, &some);
}

bool
walk_seek(struct walk *w, int64_t x)
{
	uint64_t chunk;
	bool some;
	int64_t t;

	if (!walk_find_chunk(w, x, &chunk)) {
		w->any = false;
		return walk_load(w, 0) && walk_enter(w, 0);
	}
	if (!jump(w, x, chunk))
		return false;
	if ((w->v.head.flags & (WIDX_NUMBER | WIDX_EXTENTS)) == 0)
		return skip(w, x);
	while (walk_peek(w, &t)) {
		if (t >= x)
			return true;
		if (!walk_next(w, &some))
			return false;
	}
	return false;
}

bool
walk_to(struct walk *w, uint64_t number)
{
	const struct widx_entry *e = &w->q->ix->directory.at[w->s.chunk];
	uint64_t low = 0, high = w->s.nchunks;
	uint32_t i;
	bool some;

	while (high - low > 1) {
		uint64_t mid = low + (high - low) / 2;

		if (e[mid].before <= number)
			low = mid;
		else
			high = mid;
	}
	if (!walk_load(w, low))
		return false;
	number -= e[low].before;
	i = number < w->v.head.n ? (uint32_t)number : w->v.head.n - 1;
	if (!walk_enter(w, i / WIDX_BLOCK))
		return false;
	while (w->i <= i)
		if (!walk_next(w, &some))
			return false;
	return true;
}
