/* SPDX-License-Identifier: MIT */
/*
 * take.h - what becomes of a sample.
 */
#ifndef WEFT_INPROC_MEM_TAKE_H
#define WEFT_INPROC_MEM_TAKE_H

#include <stdint.h>

#include "inproc/mem/sample.h"

/* Looks up, walks, blames, and writes the record. */
void take_sample(const struct sample *s);

/* Writes what waits: a run of faults. Before files are flushed. */
void take_end_round(void);

/* Samples within the recorder, so far. */
uint64_t take_in_tool(void);

#endif
