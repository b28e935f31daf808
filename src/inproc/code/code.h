/* SPDX-License-Identifier: MIT */
/*
 * code.h - finds the instructions of a function: their starts, the jump
 * targets, and the jumps.
 *
 * Instructions cannot be decoded backwards, so a function is decoded once from
 * its beginning (known from .eh_frame, even in stripped programs) into four
 * bitmaps, which are kept: enough for 40 MB of code, as large as a compiler's.
 * The decoder is Zydis, loaded separately from the program's libraries; without
 * Zydis no instructions are found.
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
	uint64_t *start, *target; /* a bit per byte */
	uint64_t *loop;           /* targets of backward jumps */
	uint64_t *jump; /* jumps and calls within the function, and bytes that
	                 * are no code */
	uint64_t table[CODE_TABLES]; /* jumps through tables in memory */
	int tables;
};

struct instruction {
	uint64_t ip;
	ZydisDecodedInstruction is;
	ZydisDecodedOperand operand[ZYDIS_MAX_OPERAND_COUNT];
};

bool code_init(void);

/* Returns the function around ip, or NULL; valid until the next call. */
const struct code *code_at(uint64_t ip);

/* Forgets all functions: code may have changed. */
void code_forget(void);

/* Returns the start of the function's last instruction before ip, or 0. */
uint64_t code_before(const struct code *c, uint64_t ip);

/* For the addresses [from, to) of the function: return the number of
 * instructions that begin there; return the first instruction that may jump
 * within the function, or 0. */
int code_count(const struct code *c, uint64_t from, uint64_t to);
uint64_t code_next_jump(const struct code *c, uint64_t from, uint64_t to);

bool code_starts(const struct code *c, uint64_t ip);
bool code_is_target(const struct code *c, uint64_t ip);
bool code_is_loop(const struct code *c, uint64_t ip);

/* Decodes one instruction. Returns false if there is none, or at the function's
 * end. */
bool code_decode(const struct code *c, uint64_t ip, struct instruction *to);

/* Does the same without a copy; valid until the next call. NULL: none. */
const struct instruction *code_look(const struct code *c, uint64_t ip);

/* Returns true if execution never falls through i: a jump or return. */
bool code_ends(const struct instruction *i);

/* Returns the target of a direct jump, or 0. */
uint64_t code_jump(const struct instruction *i);

/* Returns the index of the memory operand: one that is read, else one that is
 * written; or -1. */
int code_memory(const struct instruction *i);

/* Returns a general register's number in instruction encodings, or -1. */
int code_register(ZydisRegister r);

#endif
