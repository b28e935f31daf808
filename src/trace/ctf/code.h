/* SPDX-License-Identifier: MIT */
/* code.h - the operations by which a struct is read (layout.h). */
#ifndef WEFT_TRACE_CTF_CODE_H
#define WEFT_TRACE_CTF_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "trace/event.h"

#define CTF_KEY_ID 1 /* key of the event id, if the header is not simple */
#define CTF_FIRST_KEY 2
#define CTF_NO_SLOT UINT32_MAX

enum ctf_op_kind {
	/* Whole bytes, little endian; n: bits from the beginning of the run. */
	CTF_OP_U8,
	CTF_OP_U16,
	CTF_OP_U32,
	CTF_OP_64,
	CTF_OP_I8,
	CTF_OP_I16,
	CTF_OP_I32,
	CTF_OP_INT,    /* any integer; n as above */
	CTF_OP_FLOAT,  /* n as above */
	CTF_OP_ALIGN,  /* moves to a multiple of n bits */
	CTF_OP_RUN,    /* a run of n bits follows */
	CTF_OP_VARINT, /* an integer of any number of bytes */
	CTF_OP_BLOB,   /* n bytes, or as many as the key's value */
	CTF_OP_STRING,
	CTF_OP_TEXT, /* n bytes, or as many as the key's value */
	CTF_OP_LIST, /* n elements, or as many as the key's value */
	CTF_OP_VARIANT,
};

/* A range of tag values that selects an option of a variant. */
struct ctf_choice {
	int64_t lo, hi;
	uint32_t option;
};

struct ctf_op {
	uint8_t kind, bits;
	bool is_signed, big;
	bool clock;       /* the number is a clock value */
	bool odd;         /* integer: `reversed` or `truth` */
	bool reversed;    /* the first bit is the last one */
	bool truth;       /* any value but 0 becomes 1 */
	bool optional;    /* variant: a tag that chooses nothing chooses option
	                   * 0 */
	uint8_t encoding; /* text: enum ctf_encoding */
	uint16_t key;     /* number: key under which to keep its value; other
	                   * operations: key of the value to use; 0: none */
	uint32_t slot;
	uint64_t n;
	const struct ctf_code *inner; /* the code of an element, or the codes
	                               * of the options */
	const struct ctf_choice *choice;
	int nchoices;
};

struct ctf_code {
	const struct ctf_op *op;
	int nops;
	bool fixed; /* whole bytes only; op[0] aligns to a byte, op[1] is the
	             * run */
	VEC(struct field) fields;
	VEC(struct ctf_op *)
	draft; /* the operations while the code is being
	        * built */
};

#endif
