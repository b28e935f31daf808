/* SPDX-License-Identifier: MIT */
/*
 * secret.h - who may ask the server.
 *
 * Other users of the machine can reach the port. The address that is printed
 * has the token; the one that the browser is started with has a ticket, because
 * other users see the arguments of a process: it is good once, for half a
 * minute. Each is given back for a cookie of its own. A ticket that comes a
 * second time was seen by somebody, who may have been the first: it takes the
 * cookie back that it gave.
 */
#ifndef WEFT_SERVE_SECRET_H
#define WEFT_SERVE_SECRET_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define SECRET_TEXT 22 /* characters: 128 bits in base64url */
#define SECRET_TICKET_NS INT64_C(30000000000)

enum secret_kind {
	SECRET_TOKEN,
	SECRET_TICKET,
	SECRET_COOKIE,        /* which the token gives */
	SECRET_TICKET_COOKIE, /* which the ticket gives */
	SECRETS,
};

struct secrets {
	char text[SECRETS][SECRET_TEXT + 1];
	pthread_mutex_t lock; /* of what follows */
	int64_t until;        /* of the ticket, on the clock of the caller */
	bool used;            /* the ticket */
	bool revoked;         /* the cookie that it gave */
};

/* False with err: the kernel gives no random bytes. */
bool secret_init(struct secrets *s, struct err *err);
void secret_fini(struct secrets *s);

/* From now on, and for half a minute, the ticket is good. */
void secret_start(struct secrets *s, int64_t now);

/* What a ticket is worth. */
enum secret_ticket {
	SECRET_GOOD,
	SECRET_BAD,   /* none of ours, or too late */
	SECRET_TWICE, /* the cookie that it gave is worth nothing any more */
};
enum secret_ticket secret_use(
	struct secrets *s, const char *text, size_t size, int64_t now);

/* True if it is the token. */
bool secret_is_token(const struct secrets *s, const char *text, size_t size);

/* True if it is a cookie that was given and not taken back. */
bool secret_is_cookie(struct secrets *s, const char *text, size_t size);

#endif
