/* SPDX-License-Identifier: MIT */
/*
 * away.h - threads that the kernel has switched out, as their own events tell.
 *
 * While a channel with `away` (struct chan_def) has a value, its thread is out
 * of the CPU: events of models with NEED_ON_CPU are errors.
 */
#ifndef WEFT_EMU_AWAY_H
#define WEFT_EMU_AWAY_H

#include "emu/model.h"

struct holder;

/* Notes whether the channel's owner, if it is a thread, is out of the CPU. Call
 * it when a channel with `away` has changed. */
void away_look(struct emu *emu, const struct holder *of);

/* Reports an event of a thread that is out of the CPU. */
void away_refuse(struct emu *emu);

#endif
