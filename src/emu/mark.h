/* SPDX-License-Identifier: MIT */
/*
 * mark.h - marks: states that users define in the metadata of their trace.
 *
 * Each declared mark type becomes a channel, pushed and popped or set.
 */
#ifndef WEFT_EMU_MARK_H
#define WEFT_EMU_MARK_H

#include "emu/model.h"

#define MARK_TYPES 100
#define MARK_FIRST_NUMBER 100 /* Paraver type of mark type 0 */

/* Adds a channel for each mark type of the trace. Before the system. */
void mark_add_chans(struct emu *emu, const struct model *model);

/* Tells the sink the labels of all mark types. After view_declare(). */
void mark_declare_labels(struct emu *emu);

/* A view of all mark types at once, if there are several. */
void mark_declare_panels(struct emu *emu);

/* (i64 value, i32 type) */
event_fn mark_push, mark_pop, mark_set;

/* The label that the trace gives to a value of a channel of marks, or NULL. */
const char *mark_label(const struct emu *emu, int chan, int64_t value);

#endif
