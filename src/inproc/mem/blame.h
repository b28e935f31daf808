/* SPDX-License-Identifier: MIT */
/*
 * blame.h - which instruction held a thread up when it was interrupted, and
 * which address it used.
 *
 * A processor interrupts when the oldest instruction retires: the one to blame
 * is not the interrupted one, but the one before (calibrate.h makes sure). It
 * is found by decoding the function from its beginning, and its address
 * computed from its operand and the saved registers. An instruction that
 * overwrote its own base (p = p->next) has lost it; then we follow the code
 * until it comes round again, or load the base again from where it came from.
 */
#ifndef WEFT_INPROC_MEM_BLAME_H
#define WEFT_INPROC_MEM_BLAME_H

#include <stdbool.h>
#include <stdint.h>

#include "inproc/mem/sample.h"

struct blame {
	uint64_t ip; /* of the instruction to blame */
	uint64_t address;
	uint8_t skid;    /* interrupted - ip */
	uint8_t access;  /* enum mem_access */
	uint8_t derived; /* enum mem_derived; NOT: there is no address */
	bool is_certain; /* else an address of nothing is a wrong one */
};

/* Loads the decoder. False: there is none here, nothing is ever blamed. */
bool blame_init(void);

/* The code must stay loaded; other memory is read with care. The stack may have
 * no bytes. */
struct blame blame(const struct registers *at, const struct stack *stack,
	uint64_t fs, bool has_skid);

/* Code may have changed. */
void blame_forget(void);

#endif
