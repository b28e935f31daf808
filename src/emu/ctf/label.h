/* SPDX-License-Identifier: MIT */
/*
 * label.h - names that events give: of types of tasks, of where these are in
 * the program, of sections.
 *
 * A type's number is its value in the timeline. Processes number their types
 * each for itself: what has the same name gets the same value, and a number
 * that has another name already becomes a free one.
 */
#ifndef WEFT_EMU_CTF_LABEL_H
#define WEFT_EMU_CTF_LABEL_H

#include "emu/model.h"

struct task_type;

/* The type of that number in the process of the event; it may be new. */
struct task_type *ctf_type(struct emu *emu, uint32_t number);

/* (u16 type, str label or source) */
event_fn ctf_label, ctf_source;

/* As ctf_label(), in that channel of the event's model. */
void ctf_label_type(struct emu *emu, const struct event *ev, int chan);

/* (u8 id, str name), then (u8 id) */
event_fn ctf_debug_register, ctf_debug_enter, ctf_debug_transition,
	ctf_debug_exit;

#endif
