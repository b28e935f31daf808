/* SPDX-License-Identifier: MIT */
/*
 * label.h - names in events: of task types, of their code locations, of
 * sections.
 *
 * The number of a type is its value in the timeline. Each process numbers its
 * own types: types with the same name get the same value, and a number that is
 * already used for another name is replaced by a free one.
 */
#ifndef WEFT_EMU_CTF_LABEL_H
#define WEFT_EMU_CTF_LABEL_H

#include "emu/model.h"

struct task_type;

/* Returns the type of that number in the process of the event; adds it if it is
 * new. */
struct task_type *ctf_type(struct emu *emu, uint32_t number);

/* Arguments of the events: (u16 type, str label), (u16 type, str source). */
event_fn ctf_label, ctf_source;

/* As ctf_label(), for that channel of the event's model. */
void ctf_label_type(struct emu *emu, const struct event *ev, int chan);

/* Arguments: register (u8 id, str name); enter and transition (u8 id); exit
 * none. */
event_fn ctf_debug_register, ctf_debug_enter, ctf_debug_transition,
	ctf_debug_exit;

#endif
