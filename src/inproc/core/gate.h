/* SPDX-License-Identifier: MIT */
/*
 * gate.h - selects the events to record: WEFT_EVENTS, weft_off(), weft_on().
 *
 *	WEFT_EVENTS=nanos6:-memory,-scheduler   all of nanos6 but these two
 *	WEFT_EVENTS=nanos6:worker               of nanos6 only worker
 *	WEFT_EVENTS=-nanos6    =none    =all
 *	WEFT_EVENTS=-nanos6:memory              without memory; else unchanged
 *
 *	WEFT_EVENTS=ctf:-scheduler_*            all but these CTF tracepoints
 *
 * Rules are separated by spaces or ";", categories by ",". A category is a word
 * or its letter, or for CTF the name of a tracepoint with * and ?. Events of
 * the ovni model that start, end and move threads are always recorded: without
 * them no timeline can be shown.
 */
#ifndef WEFT_INPROC_CORE_GATE_H
#define WEFT_INPROC_CORE_GATE_H

#include <stdbool.h>

/* Values in weft_gate: not recorded; recorded; recorded, but its model may not
 * be required yet. */
enum { GATE_OFF, GATE_ON, GATE_ASK };

/* The category words; an empty word stands for the model itself; an entry
 * without model ends the table. */
struct gate_word {
	const char *model;
	char letter;
	const char *word; /* "memory" */
	char category;
};
extern const struct gate_word weft_rt_gate_words[];

/* Returns the version that an event of a known model requires; NULL for other
 * models. */
const char *weft_rt_gate_version(const char *mcv, const char **name);

/* Returns true if the event requires a newer version than others of its
 * model. */
bool weft_rt_gate_is_newer(const char *mcv);

/* Returns true if the rules select the CTF tracepoint of that name. */
bool weft_rt_gate_point(const char *name);

/* Warns of words that match none of these tracepoints. */
void weft_rt_gate_check_points(const char *const *names, int n);

void weft_rt_gate_load(void);
void weft_rt_gate_switch(bool is_on);

/* Mark as asked (GATE_ASK): all events with the model and category of mcv; all
 * events of the model; in a child of fork, none. */
void weft_rt_gate_asked(const char *mcv);
void weft_rt_gate_required(const char *model);
void weft_rt_gate_ask_again(void);

#endif
