/* SPDX-License-Identifier: MIT */
/*
 * refuse.h - events that mean nothing to the emulator, and why: findings, each
 * said once for what may be millions of them.
 */
#ifndef WEFT_EMU_REFUSE_H
#define WEFT_EMU_REFUSE_H

struct emu;

/* The current event is of a stream that no thread owns: said once a stream.
 * Those of CTF are of a CPU. */
void refuse_stranger(struct emu *emu) __attribute__((cold));

/* No model that is on knows the current event: said once a model that is off,
 * or once a class of CTF. */
void refuse_unknown(struct emu *emu) __attribute__((cold));

#endif
