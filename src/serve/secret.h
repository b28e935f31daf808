/* SPDX-License-Identifier: MIT */
/*
 * secret.h - the secrets that give access to the server.
 *
 * Other users of the machine can reach the port. The printed address contains
 * the token. The address in the browser's arguments contains a ticket instead,
 * because other users can see the arguments of a process: a ticket is valid
 * once, for half a minute. Token and ticket are each exchanged for a cookie of
 * their own. If a ticket is used twice, somebody else has seen it and may have
 * used it first, so the cookie that it gave becomes invalid.
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
	SECRET_COOKIE,        /* the cookie that the token gives */
	SECRET_TICKET_COOKIE, /* the cookie that the ticket gives */
	SECRETS,
};

struct secrets {
	char text[SECRETS][SECRET_TEXT + 1];
	pthread_mutex_t lock; /* protects the members below */
	int64_t until; /* end of the ticket's validity, on the caller's clock */
	bool used;     /* the ticket was used */
	bool revoked;  /* its cookie was taken back */
};

/* Makes the secrets. Returns false with err if the kernel gives no random
 * bytes. */
bool secret_init(struct secrets *s, struct err *err);
void secret_fini(struct secrets *s);

/* Starts the half minute in which the ticket is valid. */
void secret_start(struct secrets *s, int64_t now);

/* Result of using a ticket. */
enum secret_ticket {
	SECRET_GOOD,
	SECRET_BAD,   /* not our ticket, or too late */
	SECRET_TWICE, /* used before: its cookie is now invalid, too */
};
enum secret_ticket secret_use(
	struct secrets *s, const char *text, size_t size, int64_t now);

/* Returns true if the text is the token. */
bool secret_is_token(const struct secrets *s, const char *text, size_t size);

/* Returns true if the text is a cookie that was given and not taken back. */
bool secret_is_cookie(struct secrets *s, const char *text, size_t size);

#endif
