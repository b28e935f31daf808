/* SPDX-License-Identifier: MIT */
/*
 * events.h - tells open pages that a trace changed: a thread looks for changes
 * four times a second.
 */
#ifndef WEFT_SERVE_EVENTS_H
#define WEFT_SERVE_EVENTS_H

#include "serve/http.h"

struct events;
struct serve_trace;

/* Starts the thread. Borrows all arguments until events_stop(). */
struct events *events_start(const struct http_ops *ops, struct http *http,
	const struct serve_trace *trace, int ntraces);

/* Stops the thread; NULL is allowed. */
void events_stop(struct events *e);

#endif
