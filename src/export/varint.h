/* SPDX-License-Identifier: MIT */
/*
 * varint.h - integers in as few bytes as they need (LEB128), and with a sign
 * folded into the lowest bit (zigzag).
 */
#ifndef WEFT_EXPORT_VARINT_H
#define WEFT_EXPORT_VARINT_H

#include <stdint.h>
#include <string.h>

#define VARINT_MOST 10 /* bytes */

static inline uint8_t *
varint_put(uint8_t *at, uint64_t value)
{
	while (value >= 0x80) {
		*at++ = (uint8_t)(value | 0x80);
		value >>= 7;
	}
	*at++ = (uint8_t)value;
	return at;
}

/* Does the same as varint_put(), but always writes at least 4 bytes, and does
 * not branch on the length of values of up to 28 bits. */
static inline uint8_t *
varint_put_quick(uint8_t *at, uint64_t value)
{
	uint32_t v = (uint32_t)value;
	unsigned last; /* number of the last byte */

	if (__builtin_expect(value >> 28 != 0, 0))
		return varint_put(at, value);
	v = (v & 0x00003fff) | (v & 0x0fffc000) << 2;
	v = (v & 0x007f007f) | (v & 0x3f803f80) << 1;
	last = (31 - (unsigned)__builtin_clz(v | 1)) / 8;
	v |= 0x80808080 & ((1U << 8 * last) - 1);
	memcpy(at, &v, sizeof v);
	return at + last + 1;
}

/* Reads at most VARINT_MOST bytes; bits beyond 64 are dropped. */
static inline const uint8_t *
varint_get(const uint8_t *at, uint64_t *value)
{
	uint64_t v = *at & 0x7f;

	for (unsigned shift = 7; (*at++ & 0x80) != 0 && shift < 70; shift += 7)
		v |= (uint64_t)(*at & 0x7f) << (shift < 64 ? shift : 63);
	*value = v;
	return at;
}

/* Does the same as varint_get(), but always reads 8 bytes, and does not branch
 * on the length: for lengths that cannot be predicted. */
static inline const uint8_t *
varint_quick(const uint8_t *at, uint64_t *value)
{
	uint64_t v, stop;

	memcpy(&v, at, sizeof v);
	stop = ~v & UINT64_C(0x8080808080808080); /* the lowest bit set marks
	                                           * the last byte */
	if (__builtin_expect(stop == 0, 0))
		return varint_get(at, value);
	v &= (stop ^ (stop - 1)) & UINT64_C(0x7f7f7f7f7f7f7f7f);
	v = (v & UINT64_C(0x007f007f007f007f)) |
		(v & UINT64_C(0x7f007f007f007f00)) >> 1;
	v = (v & UINT64_C(0x00003fff00003fff)) |
		(v & UINT64_C(0x3fff00003fff0000)) >> 2;
	*value = (v & UINT64_C(0x0fffffff)) |
		(v & UINT64_C(0x0fffffff00000000)) >> 4;
	return at + (__builtin_ctzll(stop) + 1) / 8;
}

static inline uint64_t
zigzag(uint64_t value)
{
	return value << 1 ^ (0 - (value >> 63));
}

static inline uint64_t
unzigzag(uint64_t value)
{
	return value >> 1 ^ (0 - (value & 1));
}

static inline uint8_t *
varint_put_signed(uint8_t *at, int64_t value)
{
	return varint_put(at, zigzag((uint64_t)value));
}

static inline const uint8_t *
varint_get_signed(const uint8_t *at, int64_t *value)
{
	uint64_t folded;

	at = varint_get(at, &folded);
	*value = (int64_t)unzigzag(folded);
	return at;
}

#endif
