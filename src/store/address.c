/* SPDX-License-Identifier: MIT */
#include "store/address.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/near.h"

static const struct kind {
	const char *prefix;
	const char *name;
	bool server;
} kinds[] = {
	{ "sqlite:", "sqlite", false },
	{ "csv:", "csv", false },
	{ "json:", "json", false },
	{ "stream:", "stream", false },
	{ "mariadb://", "mariadb", true },
	{ "mysql://", "mariadb", true },
	{ "mongodb://", "mongodb", true },
};

#define KINDS "sqlite, csv, json, stream, mariadb, mysql, mongodb"

static bool
parse_port(struct store_address *p, const char *text)
{
	char *end;
	long port = strtol(text, &end, 10);

	if (*text < '0' || *text > '9' || *end != '\0' || port < 1 ||
		port > 65535)
		return false;
	p->port = (int)port;
	return true;
}

/* Parses host, host:port or [address]:port. */
static bool
parse_host(struct store_address *p, char *host)
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

/* Parses [user@]host[:port]/database. */
static bool
parse_server(struct store_address *p, struct arena *a, const char *rest,
	struct err *err)
{
	char *text = arena_strdup(a, rest);
	char *slash = strchr(text, '/'), *at;

	if (slash == NULL || slash[1] == '\0' || strchr(slash + 1, '/'))
		return err_set(err, ERR_INPUT,
			"%s: a server's address must end with /DATABASE",
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
		return err_set(err, ERR_INPUT,
			"%s: the port must be a number from 1 to 65535",
			p->text);
	return true;
}

/* If the text begins with "kind://" or "kind:" and the kind is that of a
 * server, in upper or lower case, returns the rest of the text; else NULL. */
static const char *
behind_scheme(const char *text)
{
	static const char *const servers[] = { "mariadb:", "mysql:", "mongodb:",
		"mongodb+srv:", "postgres:", "postgresql:", "redis:" };
	const char *slashes = strstr(text, "://");

	if (slashes != NULL)
		return slashes + 3;
	for (size_t i = 0; i < sizeof servers / sizeof servers[0]; i++)
		if (strncasecmp(text, servers[i], strlen(servers[i])) == 0)
			return text + strlen(servers[i]);
	return strncmp(text, "//", 2) == 0 ? text + 2 : NULL;
}

/* Returns true if the text has a property that holds a secret: "password=",
 * "Auth=". */
static bool
has_secret_property(const char *text)
{
	static const char *const words[] = { "password=", "passwd=", "pwd=",
		"passphrase=", "secret=", "token=", "auth=", "credential=",
		"apikey=" };

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (strcasestr(text, words[i]) != NULL)
			return true;
	return false;
}

/* Returns true if the text has options or a fragment. An address has neither,
 * and any option may be a secret. */
static bool
has_options(const char *text)
{
	return strpbrk(text, "?#=;&") != NULL;
}

/* Returns true for "me:secret@host". A password may contain any character, so
 * the last @ counts; the colon may be percent-encoded, even twice. */
static bool
has_user_secret(const char *text)
{
	const char *at = strrchr(text, '@');

	return at != NULL &&
		(memchr(text, ':', (size_t)(at - text)) != NULL ||
			memchr(text, '%', (size_t)(at - text)) != NULL);
}

/* Returns true for "me:secret/runs" without an @host: the text after the colon
 * is not a port. Of several hosts, each is checked. */
static bool
has_strange_port(const char *text)
{
	const char *at = strrchr(text, '@');
	const char *host = at != NULL ? at + 1 : text;
	size_t n = strcspn(host, "/");
	const char *colon = *host == '[' ? strchr(host, ']') : host;

	if (memchr(host, ',', n) != NULL || strcasestr(text, "%3a") != NULL)
		return true;
	colon = colon != NULL ? strchr(colon, ':') : NULL;
	if (colon == NULL)
		return false;
	if (strtoul(colon + 1, NULL, 10) > 65535)
		return true;
	colon += 1 + strspn(colon + 1, "0123456789");
	return *colon != '\0' && *colon != '/';
}

/* Returns true for "me/secret@host", as other databases write it, and for
 * "[me:secret]". */
static bool
has_strange_host(const char *text)
{
	const char *at = strrchr(text, '@');
	const char *host = at != NULL ? at + 1 : text;
	size_t n = strcspn(host, "]");

	return (at != NULL && strcspn(text, "/") < (size_t)(at - text)) ||
		(*host == '[' &&
			1 + strspn(host + 1, "0123456789abcdefABCDEF:.") < n &&
			strcspn(host, "%") > n);
}

/* Returns true if the address names a file, whatever its name contains. */
static bool
is_file(const char *text)
{
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		if (!kinds[i].server &&
			strncmp(text, kinds[i].prefix,
				strlen(kinds[i].prefix)) == 0)
			return true;
	return false;
}

bool
store_address_has_secret(const char *text)
{
	const char *rest = behind_scheme(text);
	const char *at = strrchr(text, '@');
	bool coded =
		strcasestr(text, "%3a%2f%2f") != NULL; /* "://"
	                                                * percent-encoded */

	if (rest != NULL)
		return has_user_secret(rest) || has_strange_port(rest) ||
			has_secret_property(rest) ||
			(strncmp(text, "//", 2) != 0 &&
				(has_options(rest) ||
					(!is_file(text) &&
						has_strange_host(rest))));
	/* A file may have such a name; an existing file is therefore not taken
	 * for a server. */
	return (has_secret_property(text) || coded ||
		       (at != NULL && strchr(at, '/') != NULL &&
			       has_user_secret(text))) &&
		!is_file(text) && access(text, F_OK) != 0;
}

static bool
ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);

	return n >= m && strcmp(text + n - m, end) == 0;
}

/* Returns the kind of an address without one. */
static const char *
guess(const char *path)
{
	if (ends_with(path, ".json") || ends_with(path, ".jsonl"))
		return "json";
	if (ends_with(path, ".stream") || ends_with(path, ".journal"))
		return "stream";
	return file_is_dir(path) ? "csv" : "sqlite";
}

/* Returns true if the address is only a path, such as "run.db"; else `hint`
 * receives the kind that was probably meant. An existing file may have any
 * name. */
static bool
has_no_kind(const char *text, char hint[NEAR_HINT])
{
	char word[16];
	size_t n = strcspn(text, ":");

	hint[0] = '\0';
	if (text[n] == '\0')
		return true;
	if (n < sizeof word && access(text, F_OK) != 0) {
		snprintf(word, sizeof word, "%.*s", (int)n, text);
		near_hint(KINDS, word, hint);
	}
	return hint[0] == '\0' && strstr(text, "://") == NULL;
}

bool
store_address_parse(struct store_address *p, struct arena *a, const char *text,
	struct err *err)
{
	char hint[NEAR_HINT];

	*p = (struct store_address){ .text = text };
	if (store_address_has_secret(text))
		return err_set(err, ERR_INPUT,
			"%s: use WEFT_STORE_PASSWORD or "
			"WEFT_STORE_PASSWORD_FILE; a store's address has no "
			"options",
			STORE_ADDRESS_SECRET);
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		const char *rest = text + strlen(kinds[i].prefix);

		if (strncasecmp(text, kinds[i].prefix,
			    strlen(kinds[i].prefix)) != 0)
			continue;
		p->kind = kinds[i].name;
		if (kinds[i].server)
			return parse_server(p, a, rest, err);
		p->path = rest;
		break;
	}
	if (p->kind == NULL && !has_no_kind(text, hint))
		return err_set(err, ERR_INPUT,
			"%s: not a kind of store; there are: " KINDS "%s", text,
			hint);
	if (p->kind == NULL) {
		p->kind = guess(text);
		p->path = text;
	}
	if (*p->path == '\0')
		return err_set(err, ERR_INPUT,
			"%s: no file name after the colon", text);
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

void
store_password_hide(struct err *err)
{
	struct arena a = { 0 };
	struct err ignored = { 0 };
	const char *password;
	char *at;

	if (store_password(&a, &password, &ignored) && password != NULL &&
		*password != '\0')
		while ((at = strstr(err->text, password)) != NULL) {
			size_t n = strlen(password);

			memmove(at + 1, at + n, strlen(at + n) + 1);
			*at = '?';
			if (n == 1)
				break;
		}
	arena_fini(&a);
}
