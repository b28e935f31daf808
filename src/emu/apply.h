/* SPDX-License-Identifier: MIT */
/*
 * apply.h - runs a general model row: finds the channel and the value, and
 * changes it.
 */
#ifndef WEFT_EMU_APPLY_H
#define WEFT_EMU_APPLY_H

struct binding;
struct emu;

/* Runs the row of a binding for the current event, whose payload was
 * checked. */
void apply_row(struct emu *emu, const struct binding *b);

#endif
