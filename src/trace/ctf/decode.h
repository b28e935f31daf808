/* SPDX-License-Identifier: MIT */
/*
 * decode.h - runs the codes of layout.h over untrusted bytes.
 *
 *	c.pos = begin_of_event;
 *	how = ctf_decode(&c, &stream->header, header_values);
 *
 * Positions are bits in a window of the packet. CTF_SHORT means that the bytes
 * end too early: the same call may succeed with a longer window, so a caller
 * repeats the whole event. Values of lists live until ctf_decode_reset().
 */
#ifndef WEFT_TRACE_CTF_DECODE_H
#define WEFT_TRACE_CTF_DECODE_H

#include <string.h>

#include "base/arena.h"
#include "trace/ctf/layout.h"

#define CTF_SLACK 16 /* bytes */

enum ctf_result {
	CTF_OK,
	CTF_SHORT, /* the value extends beyond the window */
	CTF_BAD,   /* the value is invalid: see `why` */
};

struct ctf_cursor {
	const uint8_t *data; /* bytes of the window; CTF_SLACK bytes behind them
	                      * may be read */
	uint64_t pos, end;   /* positions in the window, in bits */
	uint64_t bias;       /* bits of the packet before the window */
	uint64_t clock;      /* last clock value, in ticks */
	int64_t *keys;
	struct arena lists;
	uint32_t nvalues; /* number of values in the lists of this event */
	const char *why;
};

enum ctf_result ctf_decode_slow(
	struct ctf_cursor *c, const struct ctf_code *code, union value *v);

/* Frees the lists of the last event. */
static inline void
ctf_decode_reset(struct ctf_cursor *c)
{
	if (c->nvalues > 0) {
		arena_reset(&c->lists);
		c->nvalues = 0;
	}
}

/* Reads a number of whole bytes. */
static inline void
ctf_decode_plain(const struct ctf_op *op, const uint8_t *base, union value *v)
{
	const uint8_t *at = base + op->n / 8;
	uint64_t u;

	memcpy(&u, at, sizeof u);
	switch (op->kind) {
	case CTF_OP_U8:
		v[op->slot].u = (uint8_t)u;
		break;
	case CTF_OP_U16:
		v[op->slot].u = (uint16_t)u;
		break;
	case CTF_OP_U32:
		v[op->slot].u = (uint32_t)u;
		break;
	case CTF_OP_64:
		v[op->slot].u = u;
		break;
	case CTF_OP_I8:
		v[op->slot].i = (int64_t)(u << 56) >> 56;
		break;
	case CTF_OP_I16:
		v[op->slot].i = (int16_t)u;
		break;
	default:
		v[op->slot].i = (int32_t)u;
		break;
	}
}

/* Reads the values of the code's fields into v, and moves the cursor. */
static inline enum ctf_result
ctf_decode(struct ctf_cursor *c, const struct ctf_code *code, union value *v)
{
	uint64_t pos = (c->pos + 7) & ~UINT64_C(7);
	const struct ctf_op *op = code->op;

	if (__builtin_expect(!code->fixed, 0))
		return ctf_decode_slow(c, code, v);
	if (code->nops == 0)
		return CTF_OK;
	if (__builtin_expect(pos + op[1].n > c->end, 0))
		return CTF_SHORT;
	for (int i = 2; i < code->nops; i++)
		ctf_decode_plain(&op[i], c->data + pos / 8, v);
	c->pos = pos + op[1].n;
	return CTF_OK;
}

#endif
