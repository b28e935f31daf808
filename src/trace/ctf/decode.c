/* SPDX-License-Identifier: MIT */
#include "trace/ctf/decode.h"

#include "trace/ctf/unicode.h"

#define VALUES_MAX (1u << 22) /* most values in the lists of one event */
#define EMPTY_MAX 1024        /* elements without any bits */

static enum ctf_result
bad(struct ctf_cursor *c, const char *why)
{
	c->why = why;
	return CTF_BAD;
}

/* Returns n <= 64 bits from bit `pos` on. Little endian: the first bit is the
 * lowest. */
static uint64_t
bits_little(const uint8_t *data, uint64_t pos, unsigned n)
{
	unsigned shift = (unsigned)pos % 8;
	uint64_t low;

	memcpy(&low, data + pos / 8, sizeof low);
	low >>= shift;
	if (shift + n > 64)
		low |= (uint64_t)data[pos / 8 + 8] << (64 - shift);
	return n == 64 ? low : low & ((UINT64_C(1) << n) - 1);
}

/* Does the same, but the first bit is the highest. */
static uint64_t
bits_big(const uint8_t *data, uint64_t pos, unsigned n)
{
	unsigned shift = (unsigned)pos % 8;
	uint64_t high;

	memcpy(&high, data + pos / 8, sizeof high);
	high = __builtin_bswap64(high) << shift;
	if (shift > 0)
		high |= (uint64_t)data[pos / 8 + 8] >> (8 - shift);
	return high >> (64 - n);
}

static int64_t
sign_extend(uint64_t u, unsigned n)
{
	unsigned up = 64 - n;

	return (int64_t)(u << up) >> up;
}

/* Updates the clock from its low n bits. If they are less than before, they
 * have wrapped around. */
static void
move_clock(struct ctf_cursor *c, uint64_t u, unsigned n)
{
	uint64_t mask = n == 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1;
	uint64_t now = (c->clock & ~mask) | (u & mask);

	if (n < 64 && now < c->clock)
		now += mask + 1;
	c->clock = now;
}

/* Returns the low n bits in the opposite order. */
static uint64_t
reverse_bits(uint64_t u, unsigned n)
{
	uint64_t r = 0;

	for (unsigned i = 0; i < n; i++)
		r |= (u >> i & 1) << (n - 1 - i);
	return r;
}

/* Reads the bits of a number, in the order of its bytes and bits. */
static uint64_t
take_bits(const struct ctf_cursor *c, const struct ctf_op *op, uint64_t pos,
	unsigned n)
{
	uint64_t u = op->big ? bits_big(c->data, pos, n)
			     : bits_little(c->data, pos, n);

	return op->reversed ? reverse_bits(u, n) : u;
}

static void
take_int(struct ctf_cursor *c, const struct ctf_op *op, uint64_t run,
	union value *v)
{
	uint64_t u = take_bits(c, op, run + op->n, op->bits);

	if (op->truth)
		u = u != 0;
	if (op->clock)
		move_clock(c, u, op->bits);
	if (op->is_signed)
		u = (uint64_t)sign_extend(u, op->bits);
	if (op->key != 0)
		c->keys[op->key] = (int64_t)u;
	v[op->slot].u = u;
}

/* Returns the number in 16 bits of IEEE 754: 5 of them are the exponent. */
static double
half(uint32_t u)
{
	uint64_t sign = (uint64_t)(u >> 15) << 63, bits;
	uint64_t exponent = u >> 10 & 31, fraction = u & 0x3ff;
	double f;

	if (exponent == 0) {
		f = (double)fraction * 0x1p-24;
		return sign != 0 ? -f : f;
	}
	exponent = exponent == 31 ? 2047 : exponent + 1023 - 15;
	bits = sign | exponent << 52 | fraction << 42;
	memcpy(&f, &bits, sizeof f);
	return f;
}

/* Returns the number in 128 bits of IEEE 754, rounded towards 0: 15 of them are
 * the exponent. */
static double
quadruple(const struct ctf_cursor *c, const struct ctf_op *op, uint64_t pos)
{
	uint64_t first = take_bits(c, op, pos, 64);
	uint64_t second = take_bits(c, op, pos + 64, 64);
	uint64_t high = op->big ? first : second;
	uint64_t low = op->big ? second : first;
	uint64_t exponent = high >> 48 & 0x7fff, bits = high & 1ull << 63;
	uint64_t fraction = (high & 0xffffffffffff) << 4 | low >> 60;
	double f;

	if (exponent == 0x7fff)
		bits |= UINT64_C(0x7ff) << 52 |
			(fraction != 0 || low != 0 ? UINT64_C(1) << 51 : 0);
	else if (exponent >= 16383 + 1024)
		bits |= UINT64_C(0x7ff) << 52;
	else if (exponent > 16383 - 1023)
		bits |= (exponent - 16383 + 1023) << 52 | fraction;
	memcpy(&f, &bits, sizeof f);
	return f;
}

static void
take_float(const struct ctf_cursor *c, const struct ctf_op *op, uint64_t run,
	union value *v)
{
	uint64_t pos = run + op->n, u;
	uint32_t low;
	float single;

	if (op->bits == 128) {
		v[op->slot].f = quadruple(c, op, pos);
		return;
	}
	u = take_bits(c, op, pos, op->bits);
	if (op->bits == 64) {
		memcpy(&v[op->slot].f, &u, sizeof u);
		return;
	}
	low = (uint32_t)u;
	memcpy(&single, &low, sizeof low);
	v[op->slot].f = op->bits == 16 ? half(low) : (double)single;
}

/* Reads an integer of 7 bits a byte; the highest bit of a byte says that more
 * follow. */
static enum ctf_result
take_varint(struct ctf_cursor *c, const struct ctf_op *op, union value *v)
{
	const uint8_t *at = c->data + c->pos / 8;
	uint64_t room = (c->end - c->pos) / 8, u = 0;
	unsigned n = 0;

	for (;; n++) {
		if (n == room)
			return CTF_SHORT;
		if (n == 9 && at[n] > 1 && !(op->is_signed && at[n] == 0x7f))
			return bad(c, "an integer of more than 64 bits");
		u |= (uint64_t)(at[n] & 0x7f) << (7 * n);
		if ((at[n] & 0x80) == 0)
			break;
	}
	n = n < 9 ? 7 * (n + 1) : 64;
	if (op->is_signed)
		u = (uint64_t)sign_extend(u, n);
	if (op->clock)
		move_clock(c, u, n);
	if (op->key != 0)
		c->keys[op->key] = (int64_t)u;
	v[op->slot].u = u;
	c->pos += (uint64_t)(n + 6) / 7 * 8;
	return CTF_OK;
}

/* Reads a text that ends with a NUL of its encoding. */
static enum ctf_result
take_wide_string(struct ctf_cursor *c, const struct ctf_op *op, union value *v)
{
	const uint8_t *at = c->data + c->pos / 8;
	size_t room = (size_t)((c->end - c->pos) / 8), n;

	if (!unicode_find_nul(op->encoding, at, room, &n))
		return CTF_SHORT;
	v[op->slot].s = unicode_text(&c->lists, op->encoding, at, n);
	c->nvalues++;
	c->pos += (n + unicode_unit(op->encoding)) * 8;
	return CTF_OK;
}

static enum ctf_result
take_string(struct ctf_cursor *c, const struct ctf_op *op, union value *v)
{
	const uint8_t *at = c->data + c->pos / 8;
	size_t room = (size_t)((c->end - c->pos) / 8);
	const uint8_t *nul;

	if (op->encoding != CTF_UTF8)
		return take_wide_string(c, op, v);
	nul = memchr(at, '\0', room);
	if (nul == NULL)
		return CTF_SHORT;
	v[op->slot].s = (const char *)at;
	c->pos += (uint64_t)(nul - at + 1) * 8;
	return CTF_OK;
}

/* Reads the number of elements of a list. */
static enum ctf_result
count_of(struct ctf_cursor *c, const struct ctf_op *op, uint64_t *n)
{
	int64_t kept = op->key == 0 ? 0 : c->keys[op->key];

	*n = op->key == 0 ? op->n : (uint64_t)kept;
	if (*n > VALUES_MAX)
		return bad(c, "a list has too many elements to be read");
	return CTF_OK;
}

/* Reads characters. They are used in place if they end with a NUL, and copied
 * otherwise. */
static enum ctf_result
take_text(struct ctf_cursor *c, const struct ctf_op *op, union value *v)
{
	const char *at = (const char *)c->data + c->pos / 8;
	enum ctf_result r;
	uint64_t n;

	r = count_of(c, op, &n);
	if (r != CTF_OK)
		return r;
	if (n * 8 > c->end - c->pos)
		return CTF_SHORT;
	v[op->slot].s = at;
	if (op->encoding != CTF_UTF8) {
		size_t used;

		unicode_find_nul(op->encoding, (const uint8_t *)at, n, &used);
		v[op->slot].s = unicode_text(
			&c->lists, op->encoding, (const uint8_t *)at, used);
		c->nvalues++;
	} else if (memchr(at, '\0', n) == NULL) {
		v[op->slot].s = arena_strndup(&c->lists, at, n);
		c->nvalues++;
	}
	c->pos += n * 8;
	return CTF_OK;
}

static enum ctf_result
make_list(struct ctf_cursor *c, uint64_t n, const struct ctf_code *inner,
	struct value_list *list, union value **at)
{
	uint64_t all = n * (uint64_t)inner->fields.n;

	if (all > VALUES_MAX - c->nvalues)
		return bad(c, "its lists have too many elements to be read");
	c->nvalues += (uint32_t)all + 1;
	*at = ARENA_ARRAY(&c->lists, union value, all);
	list->at = *at;
	return CTF_OK;
}

static enum ctf_result
take_list(struct ctf_cursor *c, const struct ctf_op *op, union value *v)
{
	const struct ctf_code *inner = op->inner;
	struct value_list *list;
	union value *at;
	uint64_t n, begin = c->pos;
	enum ctf_result r = count_of(c, op, &n);

	if (r != CTF_OK)
		return r;
	/* The check comes before any allocation: each element takes at least
	 * one bit. */
	if (inner->nops > 0 && n > c->end - c->pos)
		return CTF_SHORT;
	if (c->nvalues >= VALUES_MAX)
		return bad(c, "its lists have too many elements to be read");
	c->nvalues++;
	list = ARENA_NEW(&c->lists, struct value_list);
	list->n = (uint32_t)n;
	v[op->slot].list = list;
	r = make_list(c, n, inner, list, &at);
	for (uint64_t i = 0; i < n && r == CTF_OK; i++) {
		if (i == EMPTY_MAX && c->pos == begin)
			return bad(c, "a long list of empty elements");
		r = ctf_decode(c, inner, at + i * (uint64_t)inner->fields.n);
	}
	return r;
}

static enum ctf_result
take_blob(struct ctf_cursor *c, const struct ctf_op *op, union value *v)
{
	const uint8_t *from = c->data + c->pos / 8;
	struct value_list *list;
	union value *at;
	uint64_t n;
	enum ctf_result r = count_of(c, op, &n);

	if (r != CTF_OK)
		return r;
	if (n > (c->end - c->pos) / 8)
		return CTF_SHORT;
	list = ARENA_NEW(&c->lists, struct value_list);
	list->n = (uint32_t)n;
	v[op->slot].list = list;
	r = make_list(c, n, op->inner, list, &at);
	for (uint64_t i = 0; i < n && r == CTF_OK; i++)
		at[i].u = from[i];
	c->pos += n * 8;
	return r;
}

static bool
is_chosen(const struct ctf_op *op, const struct ctf_choice *choice, int64_t tag)
{
	if (op->is_signed)
		return tag >= choice->lo && tag <= choice->hi;
	return (uint64_t)tag >= (uint64_t)choice->lo &&
		(uint64_t)tag <= (uint64_t)choice->hi;
}

static enum ctf_result
take_variant(struct ctf_cursor *c, const struct ctf_op *op, union value *v)
{
	struct value_list *list;
	union value *at;
	enum ctf_result r;
	int i = 0;

	while (i < op->nchoices &&
		!is_chosen(op, &op->choice[i], c->keys[op->key]))
		i++;
	if (i == op->nchoices && !op->optional)
		return bad(c, "the tag of a variant chooses no option");
	if (c->nvalues >= VALUES_MAX)
		return bad(c, "its lists have too many elements to be read");
	c->nvalues++;
	list = ARENA_NEW(&c->lists, struct value_list);
	list->n = i == op->nchoices ? 0 : op->choice[i].option;
	v[op->slot].list = list;
	r = make_list(c, 1, &op->inner[list->n], list, &at);
	return r == CTF_OK ? ctf_decode(c, &op->inner[list->n], at) : r;
}

static enum ctf_result
align(struct ctf_cursor *c, uint64_t n)
{
	uint64_t pos = ((c->pos + c->bias + n - 1) & ~(n - 1)) - c->bias;

	if (pos > c->end)
		return CTF_SHORT;
	c->pos = pos;
	return CTF_OK;
}

/* Runs an operation that stands alone; numbers belong to a run. */
static enum ctf_result
take(struct ctf_cursor *c, const struct ctf_op *op, union value *v)
{
	switch (op->kind) {
	case CTF_OP_ALIGN:
		return align(c, op->n);
	case CTF_OP_RUN:
		if (op->n > c->end - c->pos)
			return CTF_SHORT;
		c->pos += op->n;
		return CTF_OK;
	case CTF_OP_VARINT:
		return take_varint(c, op, v);
	case CTF_OP_BLOB:
		return take_blob(c, op, v);
	case CTF_OP_STRING:
		return take_string(c, op, v);
	case CTF_OP_TEXT:
		return take_text(c, op, v);
	case CTF_OP_LIST:
		return take_list(c, op, v);
	default:
		return take_variant(c, op, v);
	}
}

enum ctf_result
ctf_decode_slow(
	struct ctf_cursor *c, const struct ctf_code *code, union value *v)
{
	uint64_t run = c->pos;

	for (int i = 0; i < code->nops; i++) {
		const struct ctf_op *op = &code->op[i];
		uint64_t pos = c->pos;
		enum ctf_result r;

		if (op->kind <= CTF_OP_I32) {
			ctf_decode_plain(op, c->data + run / 8, v);
		} else if (op->kind == CTF_OP_INT) {
			take_int(c, op, run, v);
		} else if (op->kind == CTF_OP_FLOAT) {
			take_float(c, op, run, v);
		} else {
			r = take(c, op, v);
			if (r != CTF_OK)
				return r;
			run = pos;
		}
	}
	return CTF_OK;
}
