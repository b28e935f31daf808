/* SPDX-License-Identifier: MIT */
/*
 * replay.h - computes register contents after a few instructions, where
 * possible.
 *
 * Moves, also conditional ones, arithmetic and loads are executed on a copy of
 * the registers; any other write makes a register unknown. Stores on the way
 * are remembered. Other memory is read as it is now, a little later than the
 * program read it; the stack is read from the sample's copy, as far as that
 * reaches. Below the copy, where leaf functions keep variables, memory is read
 * only if the frame above is unchanged.
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
	uint32_t known; /* a bit per register */
	uint64_t fs;
	struct stack stack;   /* at the time of the sample, if it has bytes */
	uint64_t left, right; /* operands of the last compare */
	unsigned bits;        /* their width; 0: the flags are unknown */
	struct stored {
		uint64_t address, value;
		unsigned bytes;
		bool is_known;
	} stored[STORES]; /* the last stores */
	unsigned nstored; /* number of stores so far */
};

/* Sets the process whose memory is read; again in a child of fork. */
void replay_start(void);

/* Begins the next sample: forgets the memory that was read. During a sample
 * each cache line is read only once. */
void replay_begin(void);

/* Executes one instruction, except jumps. */
void replay_step(struct replay *p, const struct instruction *i);

/* Restores the registers to before the instruction. An overwritten value is
 * computed back after a copy or a sum with a constant, else it becomes unknown.
 */
void replay_undo(struct replay *p, const struct instruction *i);

/* Stores whether the condition of a jump or move is met; returns false if
 * unknown. */
bool replay_condition(const struct replay *p, ZydisMnemonic m, bool *is);

/* Computes the address of an operand; returns false if a register is
 * unknown. */
bool replay_address(const struct replay *p, const struct instruction *i,
	const ZydisDecodedOperand *o, uint64_t *address);

/* Reads up to 8 bytes of memory. */
bool replay_read(const struct replay *p, uint64_t address, uint64_t *value,
	unsigned bytes);

/* Returns the registers that the instruction writes, a bit each. */
uint32_t replay_written(const struct instruction *i);

#endif
