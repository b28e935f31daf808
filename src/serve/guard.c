/* SPDX-License-Identifier: MIT */
#include "serve/guard.h"

#include <stdio.h>
#include <string.h>

/* The port in Host may differ from the server's, because an ssh tunnel may
 * begin at another port. */
static bool
is_port(const char *text)
{
	size_t n;

	if (*text == '\0')
		return true;
	if (*text != ':')
		return false;
	n = strspn(text + 1, "0123456789");
	return n >= 1 && n <= 5 && text[n + 1] == '\0';
}

static bool
is_host(const struct request *q)
{
	static const char *const hosts[] = { "127.0.0.1", "localhost",
		"[::1]" };
	const char *host = q->field[REQUEST_HOST];

	for (size_t i = 0; q->times[REQUEST_HOST] == 1 && i < 3; i++) {
		size_t n = strlen(hosts[i]);

		if (strncmp(host, hosts[i], n) == 0 && is_port(host + n))
			return true;
	}
	return false;
}

static bool
is_same_site(const struct request *q)
{
	const char *site = q->field[REQUEST_SITE];

	return q->times[REQUEST_SITE] == 0 ||
		(q->times[REQUEST_SITE] == 1 &&
			(strcmp(site, "same-origin") == 0 ||
				strcmp(site, "none") == 0));
}

static bool
is_same_origin(const struct request *q)
{
	static const char scheme[] = "http://";
	const char *origin = q->field[REQUEST_ORIGIN];

	return q->times[REQUEST_ORIGIN] == 0 ||
		(q->times[REQUEST_ORIGIN] == 1 &&
			strncmp(origin, scheme, sizeof scheme - 1) == 0 &&
			strcmp(origin + sizeof scheme - 1,
				q->field[REQUEST_HOST]) == 0);
}

static bool
has_cookie(const struct request *q, struct secrets *s, int port)
{
	char name[32];
	size_t size;
	const char *value;

	snprintf(name, sizeof name, "weft-%d", port);
	value = request_cookie(q, name, &size);
	return value != NULL && secret_is_cookie(s, value, size);
}

static bool
has_token(const struct request *q, const struct secrets *s)
{
	static const char scheme[] = "Bearer ";
	const char *value = q->field[REQUEST_BEARER];

	return q->times[REQUEST_BEARER] == 1 &&
		strncmp(value, scheme, sizeof scheme - 1) == 0 &&
		secret_is_token(s, value + sizeof scheme - 1,
			strlen(value + sizeof scheme - 1));
}

static struct guard
refuse(int status, const char *says)
{
	return (struct guard){ .status = status, .says = says };
}

static struct guard
not_known(void)
{
	return refuse(401,
		"this browser is not known here: open the address that weft "
		"view printed");
}

/* Checks a request that has the token or the ticket instead of a cookie. */
static struct guard
let_in(const struct request *q, struct secrets *s, int64_t now)
{
	const char *secret = q->query + 2;
	struct guard g = not_known();

	if (q->query[0] == 't') {
		if (secret_is_token(s, secret, strlen(secret)))
			g = (struct guard){ .status = 303,
				.cookie = s->text[SECRET_COOKIE] };
		return g;
	}
	switch (secret_use(s, secret, strlen(secret), now)) {
	case SECRET_GOOD:
		g = (struct guard){ .status = 303,
			.cookie = s->text[SECRET_TICKET_COOKIE] };
		break;
	case SECRET_TWICE:
		g.twice = true;
		break;
	case SECRET_BAD:
		break;
	}
	return g;
}

static bool
is_login(const struct request *q)
{
	return strcmp(q->path, "/") == 0 &&
		(strncmp(q->query, "t=", 2) == 0 ||
			strncmp(q->query, "k=", 2) == 0);
}

struct guard
guard_check(const struct request *q, struct secrets *s, int port, int64_t now)
{
	if (strcmp(q->method, "GET") != 0 && strcmp(q->method, "HEAD") != 0)
		return refuse(405, "only GET and HEAD are answered here");
	if (!is_host(q))
		return refuse(421,
			"the address must begin with 127.0.0.1, localhost or "
			"[::1]");
	if (!is_same_site(q) || !is_same_origin(q))
		return refuse(403, "pages of other sites are not answered");
	if (q->path[0] == '\0')
		return refuse(400,
			"the path must be at most 1024 of the characters "
			"A-Z a-z 0-9 . _ / -, and %00 is not allowed");
	if (is_login(q))
		return let_in(q, s, now);
	if (!has_cookie(q, s, port) && !has_token(q, s))
		return not_known();
	return (struct guard){ .status = 200 };
}
