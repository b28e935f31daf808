/* SPDX-License-Identifier: MIT */
/*
 * refuse.h - findings about events that the emulator does not know, each
 * reported once, because there may be millions of such events.
 */
#ifndef WEFT_EMU_REFUSE_H
#define WEFT_EMU_REFUSE_H

struct emu;

/* Reports that the current event's stream belongs to no thread, once per
 * stream; not for CTF, whose streams belong to CPUs. */
void refuse_stranger(struct emu *emu) __attribute__((cold));

/* Reports that no enabled model knows the current event: once per disabled
 * model, or once per class of CTF. */
void refuse_unknown(struct emu *emu) __attribute__((cold));

#endif
