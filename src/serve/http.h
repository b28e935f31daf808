/* SPDX-License-Identifier: MIT */
/*
 * http.h - the part of the viewer's server that speaks HTTP: a module that is
 * loaded when it is needed, because its libraries (libmicrohttpd, and what that
 * needs) would make every other command start later.
 *
 * It listens on the addresses of this machine that others cannot reach, asks
 * the answer of each request from one function, on several threads at once, and
 * packs what is large. What is told goes to all who listen for events.
 */
#ifndef WEFT_SERVE_HTTP_H
#define WEFT_SERVE_HTTP_H

#include <stdbool.h>

#include "base/err.h"

struct answer;
struct http;
struct request;

#define HTTP_MODULE "weft-view-http"
#define HTTP_SYMBOL "weft_http"
#define HTTP_LAYOUT 1u /* of these structs */

struct http_options {
	int port; /* 0: any */
	/* Called on several threads; the answer begins zeroed. If it is slow,
	 * the same is asked again, with may_take_long. */
	void (*answer)(void *arg, const struct request *q, struct answer *to);
	void *arg;
};

struct http_ops {
	unsigned layout;
	/* NULL with err: it could not listen. */
	struct http *(*open)(const struct http_options *o, struct err *err);
	int (*port)(const struct http *h);
	/* Lines of an event stream, to all who listen; who is slow misses some.
	 * False: no one listens. */
	bool (*tell)(struct http *h, const char *text);
	/* Ends all connections. */
	void (*close)(struct http *h);
};

/* Loads the module. NULL with err: it is not there, and what to install. */
const struct http_ops *http_load(struct err *err);

#endif
