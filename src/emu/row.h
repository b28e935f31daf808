/* SPDX-License-Identifier: MIT */
/*
 * row.h - runs a general model row: finds the channel and the value, and
 * changes it.
 */
#ifndef WEFT_EMU_ROW_H
#define WEFT_EMU_ROW_H

struct binding;
struct emu;

/* Runs the row of a binding for the current event, whose payload was
 * checked. */
void row_run(struct emu *emu, const struct binding *b);

#endif
