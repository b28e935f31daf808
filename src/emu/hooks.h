/* SPDX-License-Identifier: MIT */
/* hooks.h - calls the functions of enabled models that belong to no row. */
#ifndef WEFT_EMU_HOOKS_H
#define WEFT_EMU_HOOKS_H

struct emu;

/* Call the functions of struct model with these names. */
void hooks_start(struct emu *emu);
void hooks_end(struct emu *emu);
void hooks_fini(struct emu *emu);

/* Calls `cut` for the current thread, whose events end here. */
void hooks_cut(struct emu *emu);

#endif
