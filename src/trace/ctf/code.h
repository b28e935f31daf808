/* SPDX-License-Identifier: MIT */
/*
 * code.h - the operations of a code, by which a struct is read (layout.h).
 */
#ifndef WEFT_TRACE_CTF_CODE_H
#define WEFT_TRACE_CTF_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "trace/event.h"

#define CTF_KEY_ID 1 /* of the event, where its header is not simple */
#define CTF_FIRST_KEY 2
#define CTF_NO_SLOT UINT32_MAX

enum ctf_op_kind {
	/* Whole bytes, little endian; n: bits from the begin of the run. */
	CTF_OP_U8,
	CTF_OP_U16,
	CTF_OP_U32,
	CTF_OP_64,
	CTF_OP_I8,
	CTF_OP_I16,
	CTF_OP_I32,
	CTF_OP_INT,   /* any number; n as above */
	CTF_OP_FLOAT, /* the same */
	CTF_OP_ALIGN, /* to n bits */
	CTF_OP_RUN,   /* of n bits */
	CTF_OP_STRING,
	CTF_OP_TEXT, /* n characters, or as many as the key says */
	CTF_OP_LIST, /* the same for elements */
	CTF_OP_VARIANT,
};

/* Values of a variant's tag that choose an option. */
struct ctf_choice {
	int64_t lo, hi;
	uint32_t option;
};

struct ctf_op {
	uint8_t kind, bits;
	bool is_signed, big;
	bool clock;   /* the number is one of the clock */
	uint16_t key; /* of a number: where to keep it, of others: what to
	               * read; 0: none */
	uint32_t slot;
	uint64_t n;
	const struct ctf_code *inner; /* an element; options */
	const struct ctf_choice *choice;
	int nchoices;
};

struct ctf_code {
	const struct ctf_op *op;
	int nops;
	bool fixed; /* whole bytes; op[0] aligns to a byte, op[1] is the run */
	VEC(struct field) fields;
	VEC(struct ctf_op *) draft; /* until it is finished */
};

#endif
