/* SPDX-License-Identifier: MIT */
/*
 * mark.h - marks: states that users define in the metadata of their trace.
 *
 * Each declared mark type becomes a channel, which holds either a stack or a
 * single value.
 */
#ifndef WEFT_EMU_MARK_H
#define WEFT_EMU_MARK_H

#include "emu/model.h"

/* Adds a channel for each mark type of the trace. Call it before the system is
 * built. */
void mark_add_chans(struct emu *emu, const struct model *model);

/* Declares the labels of all mark types, and a view of all types if there are
 * several. */
hook_fn mark_start;

/* Arguments of their events: (i64 value, i32 type). */
event_fn mark_push, mark_pop, mark_set;

#endif
