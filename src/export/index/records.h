/* SPDX-License-Identifier: MIT */
/*
 * records.h - the bytes of records that have a slot: one integer, time and slot
 * together (format.h), or time and a byte with the slot.
 *
 * Blocks in which no record contains a value and no slot has a byte of its own
 * are read quickly: only the last byte of each record has a clear highest bit.
 * A mask of such bytes tells where the next records begin before their times
 * are decoded, so the processor decodes several at once.
 *
 *	struct records r = records_of(at, records_bits(nseen));
 *	while (r.at < end) use(records_next(&r, &slot));
 *
 * Up to RECORDS_AHEAD bytes behind r.at are read. Damaged bytes give wrong
 * records, but nothing else is read.
 */
#ifndef WEFT_EXPORT_INDEX_RECORDS_H
#define WEFT_EXPORT_INDEX_RECORDS_H

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <stddef.h>

#include "export/varint.h"

#define RECORDS_AHEAD 64
#define RECORDS_SLOTS 128 /* with more slots, each has a byte of its own */

struct records {
	const uint8_t *at; /* start of the next record */
	const uint8_t *base;
	uint64_t clear; /* bytes from base on, at or after `at`, whose highest
	                 * bit is clear */
	unsigned bits;  /* records_bits() of the chunk */
};

/* Returns how many of a record's bits are its slot, in a chunk with that many
 * slots; 0: the slot is a byte of its own. */
static inline unsigned
records_bits(unsigned nseen)
{
	if (nseen > RECORDS_SLOTS)
		return 0;
	return nseen <= 2 ? 1 : 32 - (unsigned)__builtin_clz(nseen - 1);
}

static inline struct records
records_of(const uint8_t *at, unsigned bits)
{
	return (struct records){ at, at, 0, bits };
}

/* Writes time and slot of a record, at least 4 bytes; bits > 0. */
static inline uint8_t *
records_put(uint8_t *at, unsigned bits, uint64_t delta, uint8_t slot)
{
	if (__builtin_expect(delta >> 56 != 0, 0)) {
		*at = (uint8_t)(delta << bits & 0x7f) | slot | 0x80;
		return varint_put(at + 1, delta >> (7 - bits));
	}
	return varint_put_quick(at, delta << bits | slot);
}

/* Separates time and slot of any record, whose first integer was read into
 * *delta and ends at `end`. Returns the end of the slot. */
static inline const uint8_t *
records_split(const uint8_t *at, const uint8_t *end, unsigned bits,
	uint64_t *delta, uint8_t *slot)
{
	if (bits == 0) {
		*slot = *end;
		return end + 1;
	}
	*slot = *at & (uint8_t)((1U << bits) - 1);
	if (__builtin_expect(end - at <= 8, 1)) {
		*delta >>= bits;
		return end;
	}
	end = varint_get(at + 1, delta); /* up to 70 bits with the slot */
	*delta = *delta << (7 - bits) | (*at & 0x7fU) >> bits;
	return end;
}

/* Reads time and slot of a record, and returns what is behind them. */
static inline const uint8_t *
records_get(const uint8_t *at, unsigned bits, uint64_t *delta, uint8_t *slot)
{
	const uint8_t *end = varint_get(at, delta);

	return records_split(at, end, bits, delta, slot);
}

/* Returns a bit for each of 64 bytes: set if the highest bit is clear. */
static inline uint64_t
records_clear(const uint8_t *at)
{
	uint64_t set = 0;

#ifdef __SSE2__
	for (int i = 0; i < 4; i++) {
		__m128i bytes = _mm_loadu_si128((const __m128i *)(at + 16 * i));

		set |= (uint64_t)(uint32_t)_mm_movemask_epi8(bytes) << 16 * i;
	}
#else
	for (int i = 0; i < 8; i++) {
		uint64_t bytes;

		memcpy(&bytes, at + 8 * i, sizeof bytes);
		bytes = (bytes & UINT64_C(0x8080808080808080)) >> 7;
		/* The product gathers the eight bits in its highest byte. */
		set |= bytes * UINT64_C(0x0102040810204080) >> 56 << 8 * i;
	}
#endif
	return ~set;
}

/* Takes any record. Returns its time less that of the record before. */
static inline uint64_t
records_plain(struct records *r, uint8_t *slot)
{
	uint64_t delta;
	const uint8_t *end = varint_quick(r->at, &delta);

	r->at = records_split(r->at, end, r->bits, &delta, slot);
	return delta;
}

/* Takes a record that is longer than usual, or than the mask. */
static __attribute__((noinline, unused)) uint64_t
records_long(struct records *r, uint8_t *slot)
{
	uint64_t delta = records_plain(r, slot);

	r->base = r->at;
	r->clear = 0;
	return delta;
}

/* Does the same as records_plain(), for records without values and slots of
 * their own. Most have at most 28 bits. */
static inline uint64_t
records_next(struct records *r, uint8_t *slot)
{
	uint32_t v, stop;

	if (__builtin_expect(r->clear == 0, 0)) {
		r->base = r->at;
		r->clear = records_clear(r->at);
	}
	memcpy(&v, r->at, sizeof v);
	stop = ~v & 0x80808080;
	if (__builtin_expect(stop == 0, 0))
		return records_long(r, slot);
	r->at = r->base + __builtin_ctzll(r->clear) + 1;
	r->clear &= r->clear - 1;
	v &= (stop ^ (stop - 1)) & 0x7f7f7f7f;
	v = (v & 0x007f007f) | (v & 0x7f007f00) >> 1;
	v = (v & 0x00003fff) | (v & 0x3fff0000) >> 2;
	*slot = (uint8_t)(v & ((1U << r->bits) - 1));
	return v >> r->bits;
}

#define RECORDS_MOST 256 /* that are read at once */

struct records_are {
	unsigned n;    /* up to RECORDS_MOST */
	unsigned bits; /* not 0 */
};

struct records_block {
	uint64_t delta[RECORDS_MOST];
	uint8_t slot[RECORDS_MOST];
};

/* Reads n records without values. Returns their end, or NULL if one begins at
 * `end` or behind: then the records may be anything. */
const uint8_t *records_block(const uint8_t *at, const uint8_t *end,
	struct records_are are, struct records_block *to);

#endif
