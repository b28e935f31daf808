/* SPDX-License-Identifier: MIT */
/*
 * sample.h - one sample, as a source delivers it.
 */
#ifndef WEFT_INPROC_MEM_SAMPLE_H
#define WEFT_INPROC_MEM_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "inproc/code/walk.h"

/* General registers, numbered as in instruction encodings. */
enum { REG_SP = 4, REG_BP = 5, REGS = 16 };

struct registers {
	uint64_t r[REGS], ip, flags;
};

struct sample {
	int event; /* index in events */
	int tid;
	uint16_t cpu;
	uint32_t count;
	uint64_t time;    /* ns */
	uint64_t address; /* address of a fault */
	bool has_registers;
	struct registers at;
	struct stack stack;   /* the copy, if there is one */
	const uint64_t *path; /* already walked, or NULL */
	int npath;
	bool is_cut;
};

#endif
