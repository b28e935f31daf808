/* SPDX-License-Identifier: MIT */
/*
 * request.h - the parts of an HTTP request that the viewer's server reads.
 *
 * Requests are not trusted: any user of the machine can send them. So nothing
 * here is unescaped, and repeated headers are counted instead of merged.
 *
 *	struct request q = { .method = "GET" };
 *	request_target(&q, "/v1/0/0a1b2c3d/tile?type=3");
 *	request_header(&q, "Host", 4, "127.0.0.1:4000", 14);
 */
#ifndef WEFT_SERVE_REQUEST_H
#define WEFT_SERVE_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

#define REQUEST_PATH 1024         /* bytes, at most */
#define REQUEST_TARGET (16 << 10) /* the same for path and query together */

enum request_field {
	REQUEST_HOST,
	REQUEST_SITE,   /* Sec-Fetch-Site */
	REQUEST_ORIGIN, /* origin of the page that sent the request */
	REQUEST_COOKIE,
	REQUEST_BEARER, /* Authorization */
	REQUEST_MATCH,  /* If-None-Match */
	REQUEST_ENCODING,
	REQUEST_FIELDS,
};

struct request {
	const char *method;
	char path[REQUEST_PATH + 1]; /* as sent; "" if it is not acceptable */
	const char *query; /* as sent, without the "?"; "" if there is none */
	const char *field[REQUEST_FIELDS]; /* borrowed; or NULL */
	int times[REQUEST_FIELDS];         /* how often each header was sent */
};

/* Sets the target, which is borrowed and still escaped. The path stays empty
 * if it is too long or has other characters than [A-Za-z0-9._/-], or if the
 * query has %00. */
void request_target(struct request *q, const char *target);

/* Adds a header; only those of request_field are kept. */
void request_header(struct request *q, const char *name, size_t name_size,
	const char *value, size_t value_size);

/* Returns the value of the cookie and sets its length; NULL if there is no
 * such cookie. */
const char *request_cookie(
	const struct request *q, const char *name, size_t *size);

/* Returns true if the client already has the answer with this ETag (given with
 * its quotes). */
bool request_has(const struct request *q, const char *etag);

/* Returns true if Accept-Encoding lists the encoding, and not with q=0. */
bool request_takes(const struct request *q, const char *encoding);

#endif
