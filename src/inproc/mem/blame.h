/* SPDX-License-Identifier: MIT */
/*
 * blame.h - finds the instruction that delayed an interrupted thread, and the
 * address that it used.
 *
 * A processor interrupts when the oldest instruction retires, so the
 * instruction to blame is the one before the interrupted one (calibrate.h
 * verifies that). But after a page fault it is the interrupted one itself,
 * which is executed again: the processor's flag RF tells. It is found by
 * decoding the function from its beginning, and its address is computed from
 * its operand and the saved registers. If the instruction overwrote its own
 * base (p = p->next), the code is followed until it reaches the instruction
 * again, or the base is loaded again from its source.
 */
#ifndef WEFT_INPROC_MEM_BLAME_H
#define WEFT_INPROC_MEM_BLAME_H

#include <stdbool.h>
#include <stdint.h>

#include "inproc/mem/sample.h"

struct blame {
	uint64_t ip; /* the instruction to blame */
	uint64_t address;
	uint8_t skid;    /* bytes from ip to the interrupted instruction */
	uint8_t access;  /* enum mem_access */
	uint8_t derived; /* enum mem_derived; NOT: no address */
	bool is_certain; /* false: discard the address if it lies in no
	                  * known memory */
};

/* Loads the decoder. Returns false if there is none: then nothing is blamed. */
bool blame_init(void);

/* Returns what to blame. The code must stay loaded; other memory is read
 * safely. The stack's bytes may be NULL. */
struct blame blame(const struct registers *at, const struct stack *stack,
	uint64_t fs, bool has_skid);

/* Forgets all decoded code: code may have changed. */
void blame_forget(void);

#endif
