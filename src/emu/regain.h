/* SPDX-License-Identifier: MIT */
/*
 * regain.h - what is known behind a gap, by the notes of an earlier run.
 */
#ifndef WEFT_EMU_REGAIN_H
#define WEFT_EMU_REGAIN_H

struct emu;
struct thread;

/* Enters again what was open behind the gap. */
void regain(struct emu *emu, struct thread *th);

#endif
