/* SPDX-License-Identifier: MIT */
/*
 * events.h - what the server tells pages without being asked: a thread that
 * looks four times a second whether something changed.
 */
#ifndef WEFT_SERVE_EVENTS_H
#define WEFT_SERVE_EVENTS_H

#include "serve/http.h"

struct events;
struct serve_trace;

/* All is borrowed until events_stop(). */
struct events *events_start(const struct http_ops *ops, struct http *http,
	const struct serve_trace *trace, int ntraces);

/* NULL is fine. */
void events_stop(struct events *e);

#endif
