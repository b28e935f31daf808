/* SPDX-License-Identifier: MIT */
/*
 * guard.h - which requests are let in.
 *
 * A page of another site can make the browser ask us (the browser then says
 * so, and for whom), and a name of its own can be made to point to this machine
 * (then Host has that name). So the order of the checks is: the method, Host,
 * who asks, the path, and last the cookie.
 */
#ifndef WEFT_SERVE_GUARD_H
#define WEFT_SERVE_GUARD_H

#include "serve/request.h"
#include "serve/secret.h"

struct guard {
	int status;       /* 200: let in; 303: with a cookie; or the refusal */
	const char *says; /* of a refusal: a sentence */
	const char *cookie; /* 303: the secret of the cookie to set */
	bool twice; /* a ticket came twice: the terminal is to be told */
};

/* port: the one that the cookie is named by; now: on the clock that
 * secret_start() was told of. */
struct guard guard_check(
	const struct request *q, struct secrets *s, int port, int64_t now);

#endif
