/* SPDX-License-Identifier: MIT */
/*
 * guard.h - decides which requests are answered.
 *
 * A page of another site can make the browser send requests here; the browser
 * then names that site in Sec-Fetch-Site and Origin. Another site can also make
 * its own host name resolve to this machine; the header Host then has that
 * name. So the checks are, in this order: method, Host, site and origin, path,
 * cookie.
 */
#ifndef WEFT_SERVE_GUARD_H
#define WEFT_SERVE_GUARD_H

#include "serve/request.h"
#include "serve/secret.h"

struct guard {
	int status; /* 200: the request is let in; 303: it is redirected and
	             * gets a cookie; else it is refused */
	const char *says;   /* why the request is refused: a sentence for the
	                     * user */
	const char *cookie; /* 303: the secret of the cookie to set */
	bool twice; /* a ticket came twice: print a warning in the terminal */
};

/* Checks a request. port: names the cookie; now: time on the clock that
 * secret_start() was given. */
struct guard guard_check(
	const struct request *q, struct secrets *s, int port, int64_t now);

#endif
