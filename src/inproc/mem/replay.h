/* SPDX-License-Identifier: MIT */
/*
 * replay.h - what registers hold after a few instructions, where that can be
 * told.
 *
 * Moves, also those on a condition, sums and loads are carried out on a copy of
 * the registers; whatever else writes a register makes it unknown. What is
 * stored on the way is remembered. Other memory is read as it is now, which is
 * a little later than when the program read it, but the stack as it was, as far
 * as the sample has a copy. What lies below the copy, where functions that call
 * nobody keep their variables, is read only if the frame above is still there.
 */
#ifndef WEFT_INPROC_MEM_REPLAY_H
#define WEFT_INPROC_MEM_REPLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "inproc/code/code.h"
#include "inproc/mem/sample.h"

enum { STORES = 16 };

struct replay {
	uint64_t r[REGS];
	uint32_t known; /* a bit a register */
	uint64_t fs;
	struct stack stack; /* of the time of the sample, if bytes are there */
	uint64_t left, right; /* that were compared last */
	unsigned bits;        /* of these; 0: the flags are not known */
	struct stored {
		uint64_t address, value;
		unsigned bytes;
		bool is_known;
	} stored[STORES]; /* the last ones */
	unsigned nstored; /* ever */
};

/* Whose memory is read: of a new process, anew. */
void replay_start(void);

/* Forgets what was read of memory: the next sample begins. Until then each line
 * of the cache is asked for once. */
void replay_begin(void);

/* Carries out one instruction, jumps excepted. */
void replay_step(struct replay *p, const struct instruction *i);

/* Registers become what they were before it; what it overwrote, and cannot be
 * told from copies or sums, becomes unknown. */
void replay_undo(struct replay *p, const struct instruction *i);

/* Whether the condition of a jump or move is met; false: nobody knows. */
bool replay_condition(const struct replay *p, ZydisMnemonic m, bool *is);

/* The address of an operand; false: of registers that are not known. */
bool replay_address(const struct replay *p, const struct instruction *i,
	const ZydisDecodedOperand *o, uint64_t *address);

/* Up to 8 bytes of memory. */
bool replay_read(const struct replay *p, uint64_t address, uint64_t *value,
	unsigned bytes);

/* The registers that it writes, a bit each. */
uint32_t replay_written(const struct instruction *i);

#endif
