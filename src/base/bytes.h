/* SPDX-License-Identifier: MIT */
/*
 * bytes.h - a bounded, sticky cursor over untrusted bytes.
 *
 * A read past the end returns 0 (or NULL) and sets `bad`; all later reads do
 * the same, so a caller reads a whole layout and checks `bad` once:
 *
 *	struct bytes b = bytes_of(ev->data, ev->size);
 *	uint32_t id = bytes_u32(&b);
 *	if (b.bad)
 *		...
 *
 * Values are little endian and need no alignment.
 */
#ifndef WEFT_BASE_BYTES_H
#define WEFT_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
	"values are copied as they lie in the trace");

struct bytes {
	const uint8_t *at, *end; /* borrowed */
	bool bad;                /* a read went past the end */
	bool swap;               /* numbers are big endian */
};

/* Returns a cursor over the bytes. data may be NULL when size is 0. */
static inline struct bytes
bytes_of(const void *data, size_t size)
{
	const uint8_t *at = data != NULL ? data : (const void *)"";

	return (struct bytes){ at, at + size, false, false };
}

/* Returns the number of bytes left. */
static inline size_t
bytes_left(const struct bytes *b)
{
	return (size_t)(b->end - b->at);
}

/* Returns the next n bytes, or NULL. */
static inline const uint8_t *
bytes_take(struct bytes *b, size_t n)
{
	const uint8_t *at = b->at;

	if (b->bad || n > bytes_left(b)) {
		b->bad = true;
		return NULL;
	}
	b->at += n;
	return at;
}

/* Reads an unsigned integer of n = 1, 2, 4 or 8 bytes, little endian unless
 * `swap` is set. */
static inline uint64_t
bytes_uint(struct bytes *b, size_t n)
{
	const uint8_t *at = bytes_take(b, n);
	uint64_t v = 0;

	if (at != NULL)
		memcpy(&v, at, n); /* the host is little endian */
	if (b->swap)
		v = __builtin_bswap64(v) >> (64 - 8 * n);
	return v;
}

static inline uint8_t
bytes_u8(struct bytes *b)
{
	return (uint8_t)bytes_uint(b, 1);
}

static inline uint16_t
bytes_u16(struct bytes *b)
{
	return (uint16_t)bytes_uint(b, 2);
}

static inline uint32_t
bytes_u32(struct bytes *b)
{
	return (uint32_t)bytes_uint(b, 4);
}

static inline uint64_t
bytes_u64(struct bytes *b)
{
	return bytes_uint(b, 8);
}

static inline int32_t
bytes_i32(struct bytes *b)
{
	return (int32_t)bytes_u32(b);
}

static inline int64_t
bytes_i64(struct bytes *b)
{
	return (int64_t)bytes_u64(b);
}

/* Reads a string with its NUL. Returns NULL if the bytes hold no NUL. */
const char *bytes_str(struct bytes *b);

#endif
