/* SPDX-License-Identifier: MIT */
/*
 * events.h - the events to sample, from the environment.
 *
 *	WEFT_MEM_EVENTS=datacentric=1000000,faults=256
 *
 * weft run has completed the names and converted periods to ns or faults.
 */
#ifndef WEFT_INPROC_MEM_EVENTS_H
#define WEFT_INPROC_MEM_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "inproc/mem/out.h"

enum { EVENTS_MAX = 3, EVENT_FAULTS_USUAL = 256 };

/* Bytes of the stack in a sample: copying them has no measurable cost, but the
 * rings must hold them. */
enum { EVENTS_STACK = 4096 };

struct event {
	enum mem_event_kind kind;
	enum mem_source source;
	int error; /* errno that says why it is not the better source */
	uint64_t period, real;
	const char *name;
};

/* Kinds and periods are set at the start. The drain opens the sources under its
 * lock, before its phase says that it samples; threads that began earlier read
 * sources only after timer.c's is_open. */
struct events {
	int n;
	struct event event[EVENTS_MAX];
};

extern struct events events;

void events_parse(const char *text);

void events_write(struct outbuf *o);

/* Resets the sources in a child of fork: they belong to the parent. */
void events_forked(void);

/* Returns true if every page fault is recorded, from the first one on. */
bool events_are_exact(void);

/* Returns the event of this kind, or NULL. */
struct event *events_find(enum mem_event_kind kind);

#endif
