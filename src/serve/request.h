/* SPDX-License-Identifier: MIT */
/*
 * request.h - a request of HTTP, as far as the viewer's server looks at it.
 *
 * All of it comes from whoever reaches the port, so nothing here is unescaped
 * or joined: a header that may be there once and is there twice is counted, not
 * merged.
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
#define REQUEST_TARGET (16 << 10) /* the same, with the query */

enum request_field {
	REQUEST_HOST,
	REQUEST_SITE,   /* Sec-Fetch-Site */
	REQUEST_ORIGIN, /* that of the page that asks */
	REQUEST_COOKIE,
	REQUEST_BEARER, /* Authorization */
	REQUEST_MATCH,  /* If-None-Match */
	REQUEST_ENCODING,
	REQUEST_FIELDS,
};

struct request {
	const char *method;
	char path[REQUEST_PATH + 1]; /* as sent; "" if it is none of ours */
	const char *query; /* as sent, behind the "?"; "" if there is none */
	const char *field[REQUEST_FIELDS]; /* borrowed; or NULL */
	int times[REQUEST_FIELDS];         /* how often it was there */
};

/* The target as it was sent, which is borrowed. A path that is too long or has
 * other characters than [A-Za-z0-9._/-], and a query with %00, leave the path
 * empty. */
void request_target(struct request *q, const char *target);

/* A header; those that do not matter are not kept. */
void request_header(struct request *q, const char *name, size_t name_size,
	const char *value, size_t value_size);

/* The value of a cookie of that name and its length, or NULL. */
const char *request_cookie(
	const struct request *q, const char *name, size_t *size);

/* True if the client has what this ETag, with its quotes, is of. */
bool request_has(const struct request *q, const char *etag);

/* True if the list of Accept-Encoding has this one, and not with q=0. */
bool request_takes(const struct request *q, const char *encoding);

#endif
