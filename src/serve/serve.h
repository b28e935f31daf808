/* SPDX-License-Identifier: MIT */
/*
 * serve.h - the viewer's server: answers what a browser on this machine asks
 * about indexes (docs/dev/view-protocol.md), and nobody else.
 *
 *	struct serve *s = serve_open(&options, &err);
 *	print the address: serve_port(s), serve_token(s)
 *	...                         (it answers on threads of its own)
 *	serve_close(s);
 *
 * It reads indexes only. What needs the trace itself is a callback of the
 * command that opened it.
 */
#ifndef WEFT_SERVE_SERVE_H
#define WEFT_SERVE_SERVE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "serve/trace.h"

struct request;
struct answer;
struct serve;

struct serve_options {
	int port;                        /* 0: any */
	const struct serve_trace *trace; /* borrowed */
	int ntraces;
	/* Called when somebody may have seen the ticket; or NULL. */
	void (*twice)(void *arg);
	void *arg;
};

/* True if this build and machine have what serve_open() needs; else err. */
bool serve_is_possible(struct err *err);

/* Listens; the ticket is good from now on. NULL with err. */
struct serve *serve_open(const struct serve_options *o, struct err *err);

int serve_port(const struct serve *s);

/* Secrets for addresses: the one to print, and the one that others may see. */
const char *serve_token(const struct serve *s);
const char *serve_ticket(const struct serve *s);

/* How long no request has come, in seconds. */
int64_t serve_idle(const struct serve *s);

/* Ends all connections; NULL is fine. */
void serve_close(struct serve *s);

/*
 * For tests: a server that does not listen, with the secrets of its own; and
 * its answer to a request. The answer begins zeroed, but for may_take_long.
 */
struct serve *serve_open_deaf(const struct serve_options *o, struct err *err);
void serve_answer(struct serve *s, const struct request *q, struct answer *to);

#endif
