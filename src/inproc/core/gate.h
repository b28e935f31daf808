/* SPDX-License-Identifier: MIT */
/*
 * gate.h - which events are recorded: WEFT_EVENTS and the switch.
 *
 *	WEFT_EVENTS=nanos6:-memory,-scheduler   all but these two of nanos6
 *	WEFT_EVENTS=nanos6:worker               of nanos6 only this
 *	WEFT_EVENTS=-nanos6    =none    =all
 *	WEFT_EVENTS=-nanos6:memory              without this; else as before
 *
 *	WEFT_EVENTS=ctf:-scheduler_*            all but these points of CTF
 *
 * Rules are separated by spaces or ";", categories by ",". A category is a
 * word or its letter, or of CTF the name of a point with * and ?. What starts,
 * ends and moves threads in the ovni model is always recorded: without it
 * nothing else can be shown.
 */
#ifndef WEFT_INPROC_CORE_GATE_H
#define WEFT_INPROC_CORE_GATE_H

#include <stdbool.h>

/* In weft_gate: not recorded; recorded; recorded, but its model may still have
 * to be required. */
enum { GATE_OFF, GATE_ON, GATE_ASK };

/* The words, an empty one for the model itself; a row without model ends. */
struct gate_word {
	const char *model;
	char letter;
	const char *word; /* "memory" */
	char category;
};
extern const struct gate_word weft_rt_gate_words[];

/* What an event of a model of ours requires; NULL: it is of no such model. */
const char *weft_rt_gate_version(const char *mcv, const char **name);

/* Does it require more than others of its model? */
bool weft_rt_gate_is_newer(const char *mcv);

/* Do the rules let a point of CTF through, of that name? */
bool weft_rt_gate_point(const char *name);

/* Warns of words that name none of these points. */
void weft_rt_gate_check_points(const char *const *names, int n);

void weft_rt_gate_load(void);
void weft_rt_gate_switch(bool is_on);

/* Nothing is left to ask of events like that; of that model; of none (a child
 * of fork begins). */
void weft_rt_gate_asked(const char *mcv);
void weft_rt_gate_required(const char *model);
void weft_rt_gate_ask_again(void);

#endif
