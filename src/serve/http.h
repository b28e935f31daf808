/* SPDX-License-Identifier: MIT */
/*
 * http.h - the part of the viewer's server that speaks HTTP. It is a module
 * that only weft view loads, because its libraries (libmicrohttpd and the
 * libraries that libmicrohttpd needs) would delay the start of every other
 * command.
 *
 * The server listens on the loopback addresses. For each request it calls one
 * function, on several threads at once, and compresses large answers. Events
 * are sent to all pages that listen.
 */
#ifndef WEFT_SERVE_HTTP_H
#define WEFT_SERVE_HTTP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct answer;
struct http;
struct request;

#define HTTP_MODULE "weft-view-http"
#define HTTP_SYMBOL "weft_http"
#define HTTP_LAYOUT 2u /* number of the layout of these structs */

struct http_options {
	int port; /* 0: any */
	/* Called on several threads with a zeroed answer. If it sets `slow`,
	 * it is called again on another thread, with may_take_long. */
	void (*answer)(void *arg, const struct request *q, struct answer *to);
	/* Writes the events that a new listener gets first, and returns their
	 * bytes. */
	size_t (*hello)(void *arg, char *to, size_t room);
	void *arg;
};

struct http_ops {
	unsigned layout;
	/* Starts to listen. Returns NULL with err. */
	struct http *(*open)(const struct http_options *o, struct err *err);
	int (*port)(const struct http *h);
	/* Sends lines of an event stream to all listeners; a slow listener
	 * misses some. Returns false if nobody listens. */
	bool (*tell)(struct http *h, const char *text);
	/* Ends all connections and frees the server. */
	void (*close)(struct http *h);
};

/* Loads the module. Returns NULL with err, which names the package to install.
 */
const struct http_ops *http_load(struct err *err);

#endif
