/* SPDX-License-Identifier: MIT */
/*
 * gate.h - which events are recorded: WEFT_EVENTS and the switch.
 *
 *	WEFT_EVENTS=nanos6:-memory,-scheduler   all but these two of nanos6
 *	WEFT_EVENTS=nanos6:worker               of nanos6 only this
 *	WEFT_EVENTS=-nanos6    =none    =all
 *
 * Rules are separated by spaces or ";", categories by ",". A category is a
 * word or its letter. Events of the ovni model that start, end and move threads
 * are recorded always: without them nothing else can be shown.
 */
#ifndef WEFT_RT_GATE_H
#define WEFT_RT_GATE_H

#include <stdbool.h>

/* The words, an empty one for the model itself; a row without model ends. */
struct gate_word {
	const char *model;
	char letter;
	const char *word; /* "memory" */
	char category;
};
extern const struct gate_word weft_rt_gate_words[];

void weft_rt_gate_load(void);
void weft_rt_gate_switch(bool is_on);

#endif
