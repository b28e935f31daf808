/* SPDX-License-Identifier: MIT */
/*
 * sample.h - one sample as a source took it, and what becomes of it.
 */
#ifndef WEFT_INPROC_MEM_SAMPLE_H
#define WEFT_INPROC_MEM_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "inproc/code/walk.h"
#include "inproc/mem/out.h"

/* General registers, numbered as instructions do. */
enum { REG_SP = 4, REG_BP = 5, REGS = 16 };

struct registers {
	uint64_t r[REGS], ip, flags;
};

struct sample {
	int event; /* in events */
	int tid;
	uint16_t cpu;
	uint32_t count;
	uint64_t time;    /* ns */
	uint64_t address; /* of a fault */
	bool has_registers;
	struct registers at;
	struct stack stack;   /* of the copy, if there is one */
	const uint64_t *path; /* walked already, or NULL */
	int npath;
	bool is_cut;
};

/* Looks up, walks, blames, and writes the record. */
void sample_take(const struct sample *s);

/* Writes what waits: a run of faults. Before files are flushed. */
void sample_end_round(void);

/* Samples within the recorder, so far. */
uint64_t sample_in_tool(void);

#endif
