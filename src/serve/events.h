/* SPDX-License-Identifier: MIT */
/*
 * events.h - tells open pages that a trace grew, changed or is gone: a thread
 * looks four times a second.
 */
#ifndef WEFT_SERVE_EVENTS_H
#define WEFT_SERVE_EVENTS_H

#include "serve/http.h"

struct events;
struct shown;

/* Starts the thread. Borrows all arguments until events_stop(). */
struct events *events_start(const struct http_ops *ops, struct http *http,
	struct shown *shown, int ntraces);

/* Writes the first events for a new page: one for each trace that is not ready
 * or has changed. Returns their bytes; events without room are left out. */
size_t events_hello(struct shown *shown, int ntraces, char *to, size_t room);

/* Stops the thread; e may be NULL. */
void events_stop(struct events *e);

#endif
