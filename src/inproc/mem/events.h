/* SPDX-License-Identifier: MIT */
/*
 * events.h - what is to be sampled, as the environment says.
 *
 *	WEFT_MEM_EVENTS=datacentric=1000000,faults=256
 *
 * weft run has made names whole and periods plain: ns, or faults.
 */
#ifndef WEFT_INPROC_MEM_EVENTS_H
#define WEFT_INPROC_MEM_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "inproc/mem/out.h"

enum { EVENTS_MAX = 3, EVENT_FAULTS_USUAL = 256 };

/* Bytes of the stack in a sample: to copy them costs nothing that can be
 * measured, but the rings must hold them. */
enum { EVENTS_STACK = 4096 };

struct event {
	enum mem_event_kind kind;
	enum mem_source source;
	int error; /* why it is not the better source */
	uint64_t period, real;
	const char *name;
};

/* Kinds and periods from the start on. Sources are the drain's, which opens
 * them under its lock before its phase says that it samples; threads that began
 * before ask only where timer.c says that it is open. */
struct events {
	int n;
	struct event event[EVENTS_MAX];
};

extern struct events events;

void events_parse(const char *text);

void events_write(struct outbuf *o);

/* Their sources are the parent's. */
void events_forked(void);

/* Is every page fault to be noted, also the first? */
bool events_are_exact(void);

/* Is there one of this kind? */
struct event *events_find(enum mem_event_kind kind);

#endif
