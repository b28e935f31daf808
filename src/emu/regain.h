/* SPDX-License-Identifier: MIT */
/*
 * regain.h - restores what the notes of the first pass tell about a thread
 * behind a gap.
 */
#ifndef WEFT_EMU_REGAIN_H
#define WEFT_EMU_REGAIN_H

struct emu;
struct thread;

/* Restores the states that were open behind the gap. */
void regain(struct emu *emu, struct thread *th);

#endif
