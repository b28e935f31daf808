/* SPDX-License-Identifier: MIT */
#include "store/place.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"

static const struct kind {
	const char *prefix;
	const char *name;
	bool server;
} kinds[] = {
	{ "sqlite:", "sqlite", false },
	{ "csv:", "csv", false },
	{ "json:", "json", false },
	{ "mariadb://", "mariadb", true },
	{ "mysql://", "mariadb", true },
	{ "mongodb://", "mongodb", true },
};

static bool
parse_port(struct store_place *p, const char *text)
{
	char *end;
	long port = strtol(text, &end, 10);

	if (*text < '0' || *text > '9' || *end != '\0' || port < 1 ||
		port > 65535)
		return false;
	p->port = (int)port;
	return true;
}

/* host, host:port or [address]:port */
static bool
parse_host(struct store_place *p, char *host)
{
	char *colon = strrchr(host, ':');
	size_t n;

	if (colon != NULL && strchr(colon, ']') == NULL) {
		*colon = '\0';
		if (!parse_port(p, colon + 1))
			return false;
	}
	n = strlen(host);
	if (n > 2 && host[0] == '[' && host[n - 1] == ']') {
		host[n - 1] = '\0';
		host++;
	}
	p->host = *host != '\0' ? host : "localhost";
	return true;
}

/* [user@]host[:port]/database */
static bool
parse_server(struct store_place *p, struct arena *a, const char *rest,
	struct err *err)
{
	char *text = arena_strdup(a, rest);
	char *slash = strchr(text, '/'), *at;

	if (slash == NULL || slash[1] == '\0' || strpbrk(slash + 1, "/?#"))
		return err_set(err, ERR_INPUT,
			"%s: ends with /DATABASE, and nothing behind it",
			p->text);
	*slash = '\0';
	p->database = slash + 1;
	at = strrchr(text, '@');
	if (at != NULL) {
		*at = '\0';
		p->user = text;
		text = at + 1;
	}
	if (!parse_host(p, text))
		return err_set(err, ERR_INPUT, "%s: no valid port", p->text);
	return true;
}

/* user:password@ does not even go into a message. */
static bool
has_password(const char *rest)
{
	size_t n = strcspn(rest, "/");
	const char *at = memrchr(rest, '@', n);

	return at != NULL && memchr(rest, ':', (size_t)(at - rest)) != NULL;
}

static bool
ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);

	return n >= m && strcmp(text + n - m, end) == 0;
}

/* The kind of a name without one. */
static const char *
guess(const char *path)
{
	if (ends_with(path, ".json") || ends_with(path, ".jsonl"))
		return "json";
	return file_is_dir(path) ? "csv" : "sqlite";
}

bool
store_place_parse(struct store_place *p, struct arena *a, const char *text,
	struct err *err)
{
	*p = (struct store_place){ .text = text };
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		const char *rest = text + strlen(kinds[i].prefix);

		if (strncmp(text, kinds[i].prefix, strlen(kinds[i].prefix)) !=
			0)
			continue;
		p->kind = kinds[i].name;
		if (kinds[i].server && has_password(rest))
			return err_set(err, ERR_INPUT,
				"a password does not belong into a place: use "
				"WEFT_STORE_PASSWORD or "
				"WEFT_STORE_PASSWORD_FILE");
		if (kinds[i].server)
			return parse_server(p, a, rest, err);
		p->path = rest;
		break;
	}
	if (p->kind == NULL && strstr(text, "://") != NULL)
		return err_set(err, ERR_INPUT,
			"%s: not a kind of store; there are sqlite, csv, json, "
			"mariadb, mysql and mongodb",
			text);
	if (p->kind == NULL) {
		p->kind = guess(text);
		p->path = text;
	}
	if (*p->path == '\0')
		return err_set(err, ERR_INPUT, "%s: names no file", text);
	return true;
}

bool
store_password(struct arena *a, const char **password, struct err *err)
{
	const char *path = getenv("WEFT_STORE_PASSWORD_FILE");
	size_t size;
	char *text;

	*password = getenv("WEFT_STORE_PASSWORD");
	if (*password != NULL || path == NULL)
		return true;
	text = file_read(a, path, 4096, &size, err);
	if (text == NULL)
		return err_in(err, "WEFT_STORE_PASSWORD_FILE %s", path);
	text[strcspn(text, "\r\n")] = '\0';
	*password = text;
	return true;
}
