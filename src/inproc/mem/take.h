/* SPDX-License-Identifier: MIT */
/*
 * take.h - processes a sample.
 */
#ifndef WEFT_INPROC_MEM_TAKE_H
#define WEFT_INPROC_MEM_TAKE_H

#include <stdint.h>

#include "inproc/mem/sample.h"

/* Walks the stack, finds instruction and memory, and writes the record. */
void take_sample(const struct sample *s);

/* Writes the pending record of consecutive page faults; called before files are
 * flushed. */
void take_end_round(void);

/* Returns how many samples so far hit the recorder's own code. */
uint64_t take_in_tool(void);

#endif
