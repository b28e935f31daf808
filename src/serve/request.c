/* SPDX-License-Identifier: MIT */
#include "serve/request.h"

#include <string.h>
#include <strings.h>

static const char *const names[REQUEST_FIELDS] = {
	[REQUEST_HOST] = "Host",
	[REQUEST_SITE] = "Sec-Fetch-Site",
	[REQUEST_ORIGIN] = "Origin",
	[REQUEST_COOKIE] = "Cookie",
	[REQUEST_BEARER] = "Authorization",
	[REQUEST_MATCH] = "If-None-Match",
	[REQUEST_ENCODING] = "Accept-Encoding",
};

void
request_target(struct request *q, const char *target)
{
	static const char good[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				   "abcdefghijklmnopqrstuvwxyz"
				   "0123456789._/-";
	size_t n = strspn(target, good);

	q->path[0] = '\0';
	q->query = "";
	if (target[0] != '/' || n > REQUEST_PATH ||
		(target[n] != '\0' && target[n] != '?') ||
		strlen(target) > REQUEST_TARGET ||
		strstr(target + n, "%00") != NULL)
		return;
	memcpy(q->path, target, n);
	q->path[n] = '\0';
	if (target[n] == '?')
		q->query = target + n + 1;
}

void
request_header(struct request *q, const char *name, size_t name_size,
	const char *value, size_t value_size)
{
	for (int i = 0; i < REQUEST_FIELDS; i++) {
		if (strlen(names[i]) != name_size ||
			strncasecmp(names[i], name, name_size) != 0)
			continue;
		q->times[i]++;
		/* A value that contains a NUL counts as empty. */
		q->field[i] = value != NULL && strlen(value) == value_size
			? value
			: "";
	}
}

const char *
request_cookie(const struct request *q, const char *name, size_t *size)
{
	const char *at = q->field[REQUEST_COOKIE];
	size_t n = strlen(name);

	while (at != NULL && *at != '\0') {
		at += strspn(at, " ;");
		if (strncmp(at, name, n) == 0 && at[n] == '=') {
			*size = strcspn(at + n + 1, "; ");
			return at + n + 1;
		}
		at += strcspn(at, ";");
	}
	return NULL;
}

bool
request_has(const struct request *q, const char *etag)
{
	const char *match = q->field[REQUEST_MATCH];

	return match != NULL && strstr(match, etag) != NULL;
}

/* Returns true if the parameters of an encoding say q=0, or 0.0, 0.00... */
static bool
is_refused(const char *at, const char *end)
{
	for (; at + 2 < end; at++)
		if (strncasecmp(at, "q=", 2) == 0)
			return strspn(at + 2, "0. \t") >=
				(size_t)(end - at - 2);
	return false;
}

bool
request_takes(const struct request *q, const char *encoding)
{
	const char *at = q->field[REQUEST_ENCODING];
	size_t n = strlen(encoding);

	while (at != NULL && *at != '\0') {
		const char *end;

		at += strspn(at, " \t,");
		end = at + strcspn(at, ",");
		if (strcspn(at, ",; \t") == n &&
			strncasecmp(at, encoding, n) == 0)
			return !is_refused(at + n, end);
		at = end;
	}
	return false;
}
