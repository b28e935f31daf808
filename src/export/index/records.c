/* SPDX-License-Identifier: MIT */
#include "export/index/records.h"

#define FETCH 1024 /* bytes: most blocks are shorter, so the next one comes */

/* The first integers of records of up to four bytes, and the others. */
struct raw {
	uint32_t at[RECORDS_MOST]; /* bytes, without their highest bits */
	unsigned nlong;
	uint8_t longs[RECORDS_MOST]; /* numbers of the longer records */
	uint64_t delta[RECORDS_MOST];
	uint8_t slot[RECORDS_MOST];
};

/* Reads a record of more than four bytes. */
static const uint8_t *
read_long(struct raw *raw, const uint8_t *at, unsigned bits, unsigned i)
{
	struct records r = records_of(at, bits);
	unsigned n = raw->nlong++;

	raw->longs[n] = (uint8_t)i;
	raw->delta[n] = records_plain(&r, &raw->slot[n]);
	return r.at;
}

/* Cuts the bytes into records. Returns their end, or NULL if a record begins at
 * `end` or behind. */
static const uint8_t *
cut(struct raw *raw, const uint8_t *at, const uint8_t *end,
	struct records_are are)
{
	static const uint32_t keep[4] = { 0x7f, 0x7f7f, 0x7f7f7f, 0x7f7f7f7f };
	unsigned i = 0;

	while (i < are.n) {
		const uint8_t *base = at;
		uint64_t clear = records_clear(at);

		if (at >= end)
			return NULL;
		__builtin_prefetch(at + FETCH);
		if (clear == 0)
			at = read_long(raw, at, are.bits, i++);
		for (; clear != 0 && i < are.n && at < end;
			clear &= clear - 1) {
			const uint8_t *last = base + __builtin_ctzll(clear);
			ptrdiff_t n = last - at;
			uint32_t v;

			if (__builtin_expect(n > 3, 0)) {
				at = read_long(raw, at, are.bits, i++);
				if (at != last + 1)
					break; /* damaged: too long */
				continue;
			}
			memcpy(&v, at, sizeof v);
			raw->at[i++] = v & keep[n];
			at = last + 1;
		}
	}
	return at;
}

const uint8_t *
records_block(const uint8_t *at, const uint8_t *end, struct records_are are,
	struct records_block *to)
{
	struct raw raw;
	uint32_t slots = (1U << are.bits) - 1;
	unsigned bits = are.bits;

	raw.nlong = 0;
	memset(raw.at, 0, sizeof raw.at);
	at = cut(&raw, at, end, are);
	/* The compiler does this for several records at once. */
	for (unsigned i = 0; i < RECORDS_MOST; i++) {
		uint32_t v = raw.at[i];

		v = (v & 0x007f007f) | (v >> 1 & 0x3f803f80);
		v = (v & 0x00003fff) | (v >> 2 & 0x0fffc000);
		to->slot[i] = (uint8_t)(v & slots);
		raw.at[i] = v >> bits;
	}
	for (unsigned i = 0; i < RECORDS_MOST; i++)
		to->delta[i] = raw.at[i];
	for (unsigned i = 0; i < raw.nlong; i++) {
		to->delta[raw.longs[i]] = raw.delta[i];
		to->slot[raw.longs[i]] = raw.slot[i];
	}
	return at;
}
