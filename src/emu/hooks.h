/* SPDX-License-Identifier: MIT */
/*
 * hooks.h - what the models that are on do besides their rows.
 */
#ifndef WEFT_EMU_HOOKS_H
#define WEFT_EMU_HOOKS_H

struct emu;

/* Calls the functions that struct model calls by these names. */
void hooks_start(struct emu *emu);
void hooks_end(struct emu *emu);
void hooks_fini(struct emu *emu);

/* The same of the current thread, whose events end here. */
void hooks_cut(struct emu *emu);

#endif
