/* SPDX-License-Identifier: MIT */
/* Closes a chunk: one pass over its records gives slots to classes, adds up,
 * and finds where blocks begin. */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/arena.h"
#include "base/bug.h"
#include "export/index/build.h"
#include "export/index/records.h"
#include "export/varint.h"

#define SHARED_LEAST 1024 /* bytes of a chunk that several series share */

struct pack_block {
	uint64_t time;            /* relative to t_first */
	const uint8_t *from, *to; /* bytes of the block's records */
	struct widx_extent extent;
	struct widx_total total;
	uint64_t acc[INDEX_CLASSES]; /* by slot, up to here */
};

/* A chunk that was written. */
struct pack_known {
	uint64_t high; /* high half of the hash of its bytes */
	uint64_t offset;
};

struct pack {
	struct pack_block block[WIDX_BLOCKS];
	int nblocks;
	uint64_t acc[INDEX_CLASSES];     /* time by slot, since t_first */
	uint16_t slot_of[INDEX_CLASSES]; /* class -> slot + 1 */
	bool here[INDEX_CLASSES];        /* the slot occurs in the chunk */
	bool wide;                       /* some records contain a value */
	uint8_t out[WIDX_CHUNK_BYTES];
	/* The records as the pass read them, which is cheaper than to read them
	 * again. Numbers have no slots. */
	uint64_t delta[WIDX_CHUNK];
	uint8_t slots[WIDX_CHUNK];
	/* The record before, and the values of the whole chunk. */
	int64_t time, value, v_last;
	uint8_t slot;
	bool any; /* there is a record before */
	index_uwide sum;
	int64_t valued;
	/* The larger chunks that were written. */
	struct map known; /* low half of the hash -> index + 1 */
	BUILD_ARRAY(struct pack_known) written;
};

struct pack *
build_pack_open(struct arena *a)
{
	return ARENA_NEW(a, struct pack);
}

void
build_pack_close(struct pack *p)
{
	map_fini(&p->known);
	mem_free(p->written.at);
}

static uint8_t
new_slot(struct build *b, struct build_cold *c, struct pack *p, uint8_t class)
{
	if (c->nseen == c->seen_room) {
		unsigned room = c->seen_room == 0 ? 4 : 2U * c->seen_room;
		size_t each = sizeof(uint64_t) +
			(c->lengths ? sizeof(struct build_length) : 0);
		uint8_t *class_of;
		uint64_t *abs;

		if (room > INDEX_CLASSES)
			room = INDEX_CLASSES;
		class_of = ARENA_ARRAY(b->arena, uint8_t, room);
		abs = arena_array(b->arena, room, each);
		if (c->nseen > 0) {
			memcpy(class_of, c->class_of, c->nseen);
			memcpy(abs, c->abs, c->nseen * sizeof *abs);
			if (c->lengths)
				memcpy(abs + room, build_lengths(c),
					c->nseen * sizeof(struct build_length));
		}
		c->class_of = class_of;
		c->abs = abs;
		c->seen_room = (uint16_t)room;
	}
	c->class_of[c->nseen] = class;
	p->slot_of[class] = (uint16_t)(c->nseen + 1);
	return (uint8_t)c->nseen++;
}

static void
begin(struct pack *p, const struct build_cold *c)
{
	memset(p->slot_of, 0, sizeof p->slot_of);
	memset(p->here, 0, sizeof p->here);
	memset(p->acc, 0, sizeof p->acc);
	for (int i = 0; i < c->nseen; i++)
		p->slot_of[c->class_of[i]] = (uint16_t)(i + 1);
	p->nblocks = 0;
	p->wide = false;
	p->any = c->nchunks > 0;
	p->time = c->t_last;
	p->value = c->v_last;
	p->slot = c->slot_last;
	p->sum = c->sum;
	p->valued = c->time;
}

/* Adds the interval before a record to the extents of chunk and block. */
static void
end_interval(struct pack *p, struct pack_block *block, int64_t time)
{
	int64_t length = time - p->time;

	if (!p->any || p->value == VALUE_NONE)
		return;
	if (length > block->extent.longest) {
		block->extent.longest = length;
		block->extent.longest_value = p->value;
	}
	p->sum += (index_uwide)((index_wide)p->value * length);
	p->valued += length;
}

static void
add_value(struct widx_extent *e, int64_t value)
{
	if (value == VALUE_NONE)
		return;
	if (value < e->min)
		e->min = value;
	if (value > e->max)
		e->max = value;
}

static struct pack_block *
begin_block(struct pack *p, const struct build_hot *h, int64_t time)
{
	struct pack_block *block = &p->block[p->nblocks++];

	block->time = (uint64_t)(time - h->t_first);
	block->extent = (struct widx_extent){ INT64_MAX, INT64_MIN, 0, 0 };
	return block;
}

/* Starts a block, after the interval before it was added. */
static void
snapshot(struct pack *p, const struct build_cold *c)
{
	struct pack_block *block = &p->block[p->nblocks - 1];

	memcpy(block->acc, p->acc, c->nseen * sizeof *p->acc);
	memset(block->acc + c->nseen, 0,
		(INDEX_CLASSES - c->nseen) * sizeof *p->acc);
	block->total = (struct widx_total){ (uint64_t)p->sum,
		(uint64_t)(p->sum >> 64), p->valued };
}

/* Replaces the class of a record by its slot, and returns the slot. */
static inline uint8_t
take_slot(struct build *b, struct build_cold *c, uint8_t *at)
{
	struct pack *p = b->pack;
	uint16_t known = p->slot_of[*at];
	uint8_t slot =
		known != 0 ? (uint8_t)(known - 1) : new_slot(b, c, p, *at);

	p->here[slot] = true;
	*at = slot;
	return slot;
}

/* Returns the value of a record that is not a number. */
static inline int64_t
take_value(const struct build_type *t, struct pack *p, uint8_t class,
	const uint8_t **at)
{
	uint64_t folded;

	if (class == INDEX_CLASS_NONE)
		return VALUE_NONE;
	if (class < INDEX_HASHED)
		return t->value[class];
	*at = varint_get(*at, &folded);
	p->wide = true;
	p->v_last = (int64_t)((uint64_t)p->v_last + unzigzag(folded));
	return p->v_last;
}

enum scan_kind {
	SCAN_STATES, /* each class has one value */
	SCAN_VALUES, /* some classes have several */
	SCAN_NUMBERS,
};

/* The state of a pass over the records. */
struct scan {
	struct pack_block *block;
	uint8_t *at;
	uint8_t slot;
	int64_t time;
};

/* Begins a block with the record whose time was just read; its bytes start at
 * `from`. */
static inline void
scan_block(struct pack *p, const struct build_hot *h, struct scan *s,
	const uint8_t *from)
{
	if (s->block != NULL)
		s->block->to = from;
	s->block = begin_block(p, h, s->time);
	s->block->from = s->at;
	p->v_last = 0;
}

/* Reads the rest of a record, after its time. */
static inline __attribute__((always_inline)) void
scan_rest(struct build *b, struct build_cold *c, struct scan *s,
	enum scan_kind kind, bool point)
{
	struct pack *p = b->pack;
	const uint8_t *next;

	if (kind == SCAN_NUMBERS) {
		uint64_t folded;

		next = varint_get(s->at, &folded);
		p->value = p->v_last =
			(int64_t)((uint64_t)p->v_last + unzigzag(folded));
	} else {
		uint8_t class = *s->at;

		s->slot = take_slot(b, c, s->at);
		next = ++s->at;
		p->acc[s->slot] += point;
		if (kind == SCAN_VALUES)
			p->value = take_value(
				b->types.at[c->type], p, class, &next);
	}
	s->at += next - s->at;
	if (kind != SCAN_STATES)
		add_value(&s->block->extent, p->value);
}

/* Passes over all records. kind, point and lengths are constants in each call.
 * A record at the end of the trace has no interval in it. */
static inline __attribute__((always_inline)) void
scan(struct build *b, struct build_cold *c, const struct build_hot *h,
	enum scan_kind kind, bool point, bool lengths)
{
	struct pack *p = b->pack;
	struct scan s = { .at = h->buf, .time = h->t_first };
	const int64_t limit = b->closing ? b->end : INT64_MAX;

	for (int i = 0; i < h->n; i++) {
		const uint8_t *from = s.at;
		uint64_t delta;

		s.at += varint_quick(s.at, &delta) - s.at;
		if (lengths && i > 0 && s.time < limit)
			build_add_length(
				&build_lengths(c)[s.slot], (int64_t)delta);
		s.time += (int64_t)delta;
		if (!point)
			p->acc[s.slot] += delta; /* 0 at the first */
		if (i % WIDX_BLOCK == 0)
			scan_block(p, h, &s, from);
		if (kind != SCAN_STATES)
			end_interval(p, s.block, s.time);
		if (i % WIDX_BLOCK == 0)
			snapshot(p, c);
		if (kind != SCAN_STATES) {
			p->any = true;
			p->time = s.time;
		}
		scan_rest(b, c, &s, kind, point);
		p->delta[i] = delta;
		p->slots[i] = s.slot;
	}
	s.block->to = s.at;
	p->slot = s.slot;
	p->time = s.time;
}

/* Begins to count lengths, or goes on with the interval of the last record of
 * the chunk before. Series that begin with a short chunk are many, and cheap to
 * read. */
static void
begin_lengths(struct build *b, struct build_cold *c, const struct build_hot *h)
{
	if (c->nchunks == 0 && c->lane == 0 && h->n >= WIDX_BLOCK)
		c->lengths = true;
	else if (c->lengths && c->t_last < (b->closing ? b->end : INT64_MAX))
		build_add_length(&build_lengths(c)[c->slot_last],
			h->t_first - c->t_last);
}

static void
scan_chunk(struct build *b, struct build_cold *c, const struct build_hot *h)
{
	const struct build_type *t = b->types.at[c->type];
	struct pack *p = b->pack;
	bool point = (c->flags & WIDX_POINT) != 0;

	if ((c->flags & (WIDX_NUMBER | WIDX_POINT)) != 0 || t->hashed)
		c->lengths = false;
	else
		begin_lengths(b, c, h);

	if ((c->flags & WIDX_NUMBER) != 0) {
		scan(b, c, h, SCAN_NUMBERS, true, false);
	} else if (t->hashed) {
		c->flags |= WIDX_WIDE;
		scan(b, c, h, SCAN_VALUES, point, false);
	} else {
		if (point)
			scan(b, c, h, SCAN_STATES, true, false);
		else if (c->lengths)
			scan(b, c, h, SCAN_STATES, false, true);
		else
			scan(b, c, h, SCAN_STATES, false, false);
		p->value = c->class_of[p->slot] == INDEX_CLASS_NONE
			? VALUE_NONE
			: t->value[c->class_of[p->slot]];
	}
}

/* Where the next array of a chunk goes. */
struct writer {
	uint8_t *out;
	size_t at;
};

/* Returns the next array of n bytes, zeroed, and pads up to the next array. */
static void *
room(struct writer *w, size_t n)
{
	uint8_t *at = w->out + w->at;

	w->at = WIDX_ALIGN(w->at + n);
	BUG_ON(w->at > WIDX_CHUNK_BYTES);
	memset(at, 0, (size_t)(w->out + w->at - at));
	return at;
}

static void
put_time(void *to, size_t i, uint64_t time, bool is_long)
{
	uint32_t narrow = (uint32_t)time;

	if (is_long)
		memcpy((uint8_t *)to + 8 * i, &time, 8);
	else
		memcpy((uint8_t *)to + 4 * i, &narrow, 4);
}

static void
put_matrix(struct writer *w, const struct pack *p, struct widx_chunk *head)
{
	bool is_long = (head->flags & WIDX_LONG) != 0;
	uint8_t *local;
	void *sum;
	size_t n = 0;

	for (int slot = 0; slot < head->nseen; slot++)
		head->nlocal = (uint16_t)(head->nlocal + p->here[slot]);
	if (p->nblocks == 1)
		head->nlocal = 0;
	local = room(w, head->nlocal);
	for (int slot = 0; head->nlocal > 0 && slot < head->nseen; slot++)
		if (p->here[slot])
			local[n++] = (uint8_t)slot;
	sum = room(w, (size_t)(p->nblocks - 1) * n * (is_long ? 8 : 4));
	for (int i = 1; i < p->nblocks; i++)
		for (size_t j = 0; j < n; j++)
			put_time(sum, (size_t)(i - 1) * n + j,
				p->block[i].acc[local[j]], is_long);
}

/* Writes the records of a block, some of which contain a value. `to` has room
 * for as many bytes as they took. Returns the end. */
static uint8_t *
put_valued(const struct build_cold *c, const struct pack_block *block,
	unsigned bits, uint8_t *to)
{
	uint64_t delta = 0, folded;
	const uint8_t *at = block->from;

	for (;;) {
		uint8_t slot = *at++;

		to = records_put(to, bits, delta, slot);
		if (c->class_of[slot] >= INDEX_HASHED &&
			c->class_of[slot] != INDEX_CLASS_NONE) {
			at = varint_get(at, &folded);
			to = varint_put(to, folded);
		}
		if (at == block->to)
			return to;
		at = varint_quick(at, &delta);
	}
}

/* Does the same for records without values, from number `from` to `end`. */
static uint8_t *
put_plain(const struct pack *p, unsigned from, unsigned end, unsigned bits,
	uint8_t *to)
{
	uint64_t delta = 0;

	for (unsigned i = from;;) {
		to = records_put(to, bits, delta, p->slots[i]);
		if (++i == end)
			return to;
		delta = p->delta[i];
	}
}

static void
put_records(struct writer *w, const struct pack *p, const struct build_cold *c,
	const struct widx_chunk *head, uint8_t *offsets)
{
	bool has_slots = (c->flags & WIDX_NUMBER) == 0;
	unsigned bits = has_slots ? records_bits(c->nseen) : 0;

	for (int i = 0; i < p->nblocks; i++) {
		const struct pack_block *block = &p->block[i];
		size_t n = (size_t)(block->to - block->from);
		uint32_t offset = (uint32_t)w->at;
		unsigned first = (unsigned)i * WIDX_BLOCK;
		uint8_t *to = w->out + w->at;

		memcpy(offsets + 4 * i, &offset, 4);
		BUG_ON(w->at + n + 8 > WIDX_CHUNK_BYTES);
		if (bits == 0)
			to = (uint8_t *)memcpy(to, block->from, n) + n;
		else if (p->wide)
			to = put_valued(c, block, bits, to);
		else
			to = put_plain(p, first,
				i + 1 == p->nblocks ? head->n
						    : first + WIDX_BLOCK,
				bits, to);
		w->at = (size_t)(to - w->out);
	}
	memset(w->out + w->at, 0, 8);
	w->at = WIDX_ALIGN(w->at);
}

/* Writes all arrays except those of slots; chunks of numbers have no slots. */
static void
put_blocks(struct writer *w, const struct pack *p, const struct build_cold *c,
	struct widx_chunk *head)
{
	size_t n = (size_t)p->nblocks;
	void *times = room(w, n * ((head->flags & WIDX_LONG) != 0 ? 8 : 4));
	uint8_t *offsets = room(w, n * 4);

	for (size_t i = 0; i < n; i++)
		put_time(times, i, p->block[i].time,
			(head->flags & WIDX_LONG) != 0);
	if ((head->flags & WIDX_NUMBER) == 0)
		put_matrix(w, p, head);
	if ((head->flags & WIDX_EXTENTS) != 0)
		for (size_t i = 0; i < n; i++)
			memcpy(room(w, sizeof(struct widx_extent)),
				&p->block[i].extent,
				sizeof(struct widx_extent));
	if ((head->flags & WIDX_NUMBER) != 0)
		for (size_t i = 0; i < n; i++)
			memcpy(room(w, sizeof(struct widx_total)),
				&p->block[i].total, sizeof(struct widx_total));
	put_records(w, p, c, head, offsets);
}

static void
add_extent(struct build *b, struct build_chunk *chunk)
{
	const struct pack *p = b->pack;
	struct widx_extent sum = p->block[0].extent;

	for (int i = 1; i < p->nblocks; i++) {
		const struct widx_extent *e = &p->block[i].extent;

		if (e->min < sum.min)
			sum.min = e->min;
		if (e->max > sum.max)
			sum.max = e->max;
		if (e->longest > sum.longest) {
			sum.longest = e->longest;
			sum.longest_value = e->longest_value;
		}
	}
	*BUILD_ADD(&b->extents) = sum;
	chunk->extent = (uint32_t)b->extents.n;
}

/* Writes n bytes of a chunk and returns their offset in the file. Rows often
 * have the same records, as a thread and the CPU that it is bound to: then the
 * chunk of the first one is used. */
static uint64_t
write_chunk(struct build *b, size_t n)
{
	struct pack *p = b->pack;
	uint64_t offset = (uint64_t)outfile_tell(&b->file), *index;
	XXH128_hash_t hash;

	if (n >= SHARED_LEAST) {
		hash = XXH3_128bits(p->out, n);
		index = map_put(&p->known, hash.low64);
		if (*index != 0 &&
			p->written.at[*index - 1].high == hash.high64)
			return p->written.at[*index - 1].offset;
		*BUILD_ADD(&p->written) =
			(struct pack_known){ hash.high64, offset };
		*index = p->written.n;
	}
	outfile_write(&b->file, p->out, n);
	return offset;
}

/* Writes the chunk to the file. */
static void
put_chunk(
	struct build *b, const struct build_cold *c, const struct build_hot *h)
{
	struct pack *p = b->pack;
	struct writer w = { p->out, sizeof(struct widx_chunk) };
	struct widx_chunk head = { .n = h->n,
		.nblocks = (uint16_t)p->nblocks,
		.flags = (uint16_t)c->flags,
		.t_first = h->t_first };
	struct build_chunk *chunk = BUILD_ADD(&b->chunks);

	if ((c->flags & WIDX_NUMBER) != 0)
		head.flags |= WIDX_EXTENTS;
	if (h->t_last - h->t_first > UINT32_MAX)
		head.flags |= WIDX_LONG;
	if ((c->flags & WIDX_NUMBER) == 0) {
		head.nseen = c->nseen;
		memcpy(room(&w, c->nseen), c->class_of, c->nseen);
		memcpy(room(&w, c->nseen * sizeof *c->abs), c->abs,
			c->nseen * sizeof *c->abs);
	}
	*chunk = (struct build_chunk){ .series = (uint32_t)(h - b->hot),
		.t_first = h->t_first,
		.before = c->nrecords };
	if ((head.flags & WIDX_EXTENTS) != 0)
		add_extent(b, chunk);
	put_blocks(&w, p, c, &head);
	head.size = (uint32_t)w.at;
	memcpy(p->out, &head, sizeof head);
	head.check = (uint32_t)XXH3_64bits(p->out + 4, w.at - 4);
	memcpy(p->out, &head.check, 4);
	chunk->offset = write_chunk(b, w.at);
}

void
build_pack(struct build *b, uint32_t series)
{
	struct build_hot *h = &b->hot[series];
	struct build_cold *c = &b->cold.at[series];
	struct pack *p = b->pack;

	BUG_ON(h->n == 0);
	begin(p, c);
	if (c->nchunks > 0 && (c->flags & (WIDX_POINT | WIDX_NUMBER)) == 0)
		c->abs[c->slot_last] += (uint64_t)(h->t_first - c->t_last);
	scan_chunk(b, c, h);
	put_chunk(b, c, h);
	for (int i = 0; i < c->nseen; i++)
		c->abs[i] += p->acc[i];
	c->t_last = p->time;
	c->v_last = p->value;
	c->slot_last = p->slot;
	c->sum = p->sum;
	c->time = p->valued;
	c->nrecords += h->n;
	c->nchunks++;
	c->closed = b->closing;
	slab_put(&b->slab, h->buf, h->size);
	h->buf = h->at = h->end = NULL;
	h->n = 0;
}
