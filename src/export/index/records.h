/* SPDX-License-Identifier: MIT */
/*
 * records.h - reads the records of a block quickly, if none contains a value
 * and each slot is below 128.
 *
 * Then two bytes of each record have a clear highest bit: the last byte of its
 * time, and its slot. A mask of such bytes tells where the next records begin
 * before their times are decoded, so the processor decodes several at once.
 *
 *	struct records r = records_of(at);
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

#include "export/index/varint.h"

#define RECORDS_AHEAD 64
#define RECORDS_SLOTS 128 /* slots from this one on have a highest bit */

struct records {
	const uint8_t *at; /* start of the next record */
	const uint8_t *base;
	uint64_t clear; /* bytes from base on, at or after `at`, whose highest
	                 * bit is clear */
};

static inline struct records
records_of(const uint8_t *at)
{
	return (struct records){ at, at, 0 };
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

/* Takes a record that is longer than the mask. */
static __attribute__((noinline, unused)) uint64_t
records_long(struct records *r, uint8_t *slot)
{
	uint64_t delta;
	const uint8_t *at = varint_get(r->at, &delta);

	*slot = *at;
	*r = records_of(at + 1);
	return delta;
}

/* Returns the time at the start of a record. Most have at most 28 bits. */
static inline uint64_t
records_delta(const uint8_t *at)
{
	uint32_t v, stop;
	uint64_t delta;

	memcpy(&v, at, sizeof v);
	stop = ~v & 0x80808080;
	if (__builtin_expect(stop == 0, 0)) {
		varint_quick(at, &delta);
		return delta;
	}
	v &= (stop ^ (stop - 1)) & 0x7f7f7f7f;
	v = (v & 0x007f007f) | (v & 0x7f007f00) >> 1;
	return (v & 0x00003fff) | (v & 0x3fff0000) >> 2;
}

/* Takes the next record. Returns its time less that of the record before. */
static inline uint64_t
records_next(struct records *r, uint8_t *slot)
{
	uint64_t delta, rest = r->clear & (r->clear - 1);

	if (__builtin_expect(rest == 0, 0)) {
		r->base = r->at;
		r->clear = records_clear(r->at);
		rest = r->clear & (r->clear - 1);
		if (rest == 0)
			return records_long(r, slot);
	}
	delta = records_delta(r->at);
	r->at = r->base + __builtin_ctzll(rest) + 1;
	r->clear = rest & (rest - 1);
	*slot = r->at[-1];
	return delta;
}

/* Does the same for slots of any size. */
static inline uint64_t
records_plain(struct records *r, uint8_t *slot)
{
	uint64_t delta;

	r->at = varint_quick(r->at, &delta);
	*slot = *r->at++;
	return delta;
}

#endif
