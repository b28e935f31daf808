/* SPDX-License-Identifier: MIT */
/*
 * row.h - runs a general row of a model: whose channel, which value, what is
 * done with it.
 */
#ifndef WEFT_EMU_ROW_H
#define WEFT_EMU_ROW_H

struct binding;
struct emu;

/* The current event is of this binding, and has its payload. */
void row_run(struct emu *emu, const struct binding *b);

#endif
