/* SPDX-License-Identifier: MIT */
/*
 * code.h - the instructions of a function: where they begin, which of them are
 * jumped to, and from where.
 *
 * Instructions cannot be read backwards, so a function is decoded once from its
 * beginning (which .eh_frame tells, also of stripped programs) into four
 * bitmaps, which are kept: of 40 MB of code, as compilers have. The decoder is
 * Zydis, loaded apart from the program's libraries; without it there is no
 * code.
 */
#ifndef WEFT_INPROC_CODE_CODE_H
#define WEFT_INPROC_CODE_CODE_H

#include <Zydis/Zydis.h>
#include <stdbool.h>
#include <stdint.h>

enum {
	CODE_BYTES = 128 << 10, /* longer functions are cut */
	CODE_TABLES = 8
};

struct code {
	uint64_t lo, hi;
	uint64_t *start, *target; /* a bit a byte */
	uint64_t *loop;           /* targets of jumps backwards */
	uint64_t *jump; /* jumps and calls within it, and what is no code */
	uint64_t table[CODE_TABLES]; /* jumps through tables in memory */
	int tables;
};

struct instruction {
	uint64_t ip;
	ZydisDecodedInstruction is;
	ZydisDecodedOperand operand[ZYDIS_MAX_OPERAND_COUNT];
};

bool code_init(void);

/* The function around ip, or NULL. Good until the next call. */
const struct code *code_at(uint64_t ip);

/* Code may have changed. */
void code_forget(void);

/* The last instruction that begins before ip in the function, or 0. */
uint64_t code_before(const struct code *c, uint64_t ip);

/* Of [from, to) within the function: how many instructions begin, and the first
 * that may lead to another place of the function, or 0. */
int code_count(const struct code *c, uint64_t from, uint64_t to);
uint64_t code_next_jump(const struct code *c, uint64_t from, uint64_t to);

bool code_starts(const struct code *c, uint64_t ip);
bool code_is_target(const struct code *c, uint64_t ip);
bool code_is_loop(const struct code *c, uint64_t ip);

/* Decodes one. False: no instruction, or beyond the end of its function. */
bool code_decode(const struct code *c, uint64_t ip, struct instruction *to);

/* The same without a copy: good until the next one is decoded. NULL: none. */
const struct instruction *code_look(const struct code *c, uint64_t ip);

/* Nothing falls through it: a jump, a return. */
bool code_ends(const struct instruction *i);

/* Where a direct jump goes, or 0. */
uint64_t code_jump(const struct instruction *i);

/* The memory operand that counts: what it reads, else what it writes; or -1. */
int code_memory(const struct instruction *i);

/* A general register as instructions number it, or -1. */
int code_register(ZydisRegister r);

#endif
