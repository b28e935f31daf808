/* SPDX-License-Identifier: MIT */
/*
 * serve.h - the viewer's server: answers questions about indexes to browsers on
 * this machine that have a secret (docs/dev/view-protocol.md).
 *
 *	struct serve *s = serve_open(&options, &err);
 *	print the address: serve_port(s), serve_token(s)
 *	...                         (it answers on threads of its own)
 *	serve_close(s);
 *
 * The server reads indexes only. Questions that need the trace itself go to
 * callbacks of the command that opened the trace.
 */
#ifndef WEFT_SERVE_SERVE_H
#define WEFT_SERVE_SERVE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "serve/trace.h"

struct answer;
struct arena;
struct request;
struct serve;

struct serve_options {
	int port;                        /* 0: any */
	const struct serve_trace *trace; /* borrowed */
	int ntraces;
	/* Called when somebody else may have seen the ticket; or NULL. */
	void (*twice)(void *arg);
	void *arg;
};

/* Returns true if this build and this machine have all that serve_open()
 * needs; otherwise sets err. */
bool serve_is_possible(struct err *err);

/* Starts to listen; the ticket is valid from now on. Returns NULL with err. */
struct serve *serve_open(const struct serve_options *o, struct err *err);

int serve_port(const struct serve *s);

/* Return the secrets for addresses: the token for the address that is printed,
 * the ticket for the address in the browser's arguments. */
const char *serve_token(const struct serve *s);
const char *serve_ticket(const struct serve *s);

/*
 * Tell the server that the state of a trace changed (its number in the
 * options); any thread may call them.
 *
 * serve_show() shows another index from now on. The server closes it, and
 * takes *a, the arena that the index lies in.
 */
void serve_show(struct serve *s, int trace, struct index *index,
	struct arena *a, enum serve_state state);
/* The index is being built: done in thousandths, and records in it. */
void serve_progress(struct serve *s, int trace, int done, uint64_t records);
/* The trace has no index any more, or will have none: a sentence. */
void serve_gone(struct serve *s, int trace, const char *why);

/* The trace could not be read again: a sentence. */
void serve_refused(struct serve *s, int trace, const char *why);

/* Returns true, once, after a page asked to read the trace again. */
bool serve_wants_reload(struct serve *s, int trace);

/* Gives pages of all indexes back to the kernel. */
void serve_forget_pages(struct serve *s);

/* Returns the seconds since the last request. */
int64_t serve_idle(const struct serve *s);

/* Ends all connections and frees the server; NULL is allowed. */
void serve_close(struct serve *s);

/*
 * For tests: opens a server that does not listen, but has secrets; answers a
 * request. The answer must be zeroed, except for may_take_long.
 */
struct serve *serve_open_deaf(const struct serve_options *o, struct err *err);
void serve_answer(struct serve *s, const struct request *q, struct answer *to);

#endif
