/* SPDX-License-Identifier: MIT */
/*
 * regain.h - restores the state of a thread after a gap from the notes of the
 * first pass.
 */
#ifndef WEFT_EMU_REGAIN_H
#define WEFT_EMU_REGAIN_H

struct emu;
struct thread;

/* Restores the states that were open at the end of the gap. */
void regain(struct emu *emu, struct thread *th);

#endif
