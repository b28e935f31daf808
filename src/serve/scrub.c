/* SPDX-License-Identifier: MIT */
#include "serve/scrub.h"

#include <string.h>
#include <strings.h>

#include "base/arena.h"

#define PATH_WORD "(path)"
#define SHORTEST \
	2 /* letters of a name: a single letter may be part of any \
	   * label */

static bool
is_word(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
		(c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80) != 0;
}

/* The bytes that a path may consist of. An escape of JSON ends a path. */
static bool
is_of_path(char c)
{
	return is_word(c) || (c != '\0' && strchr("/.-+~@%#=", c) != NULL);
}

static void
add(struct scrub *s, struct arena *a, const char *name, size_t n,
	const char *becomes)
{
	if (n < SHORTEST)
		return;
	for (int i = 0; i < s->names.n; i++)
		if (s->names.at[i].n == n &&
			strncasecmp(s->names.at[i].name, name, n) == 0)
			return;
	VEC_PUSH(&s->names, a,
		((struct scrub_name){ arena_strndup(a, name, n), n, becomes }));
}

void
scrub_name(struct scrub *s, struct arena *a, const char *name,
	enum scrub_kind kind)
{
	const char *becomes = "user";
	size_t n;
	int before = s->names.n;

	if (name == NULL || *name == '\0')
		return;
	n = strcspn(name, ".");
	if (kind == SCRUB_HOST)
		becomes = arena_printf(a, "host%d", s->hosts + 1);
	/* The longer name comes first, because it contains the other one. */
	add(s, a, name, strlen(name), becomes);
	if (kind == SCRUB_HOST && name[n] != '\0' &&
		strspn(name, "0123456789") < n)
		add(s, a, name, n, becomes);
	s->hosts += kind == SCRUB_HOST && s->names.n > before;
}

/* Returns the bytes of the JSON escape at text[i], or 0. */
static size_t
escape_length(const char *text, size_t n, size_t i)
{
	size_t length = text[i] != '\\'           ? 0
		: i + 1 < n && text[i + 1] == 'u' ? 6
						  : 2;

	return length < n - i ? length : n - i;
}

/* Returns the length of the absolute path at text[i], or 0. A path may begin
 * only at a word's `edge`. */
static size_t
path_length(const char *text, size_t n, size_t i, size_t edge)
{
	size_t end = i;

	if (text[i] != '/' || i + 1 >= n ||
		!(is_word(text[i + 1]) || text[i + 1] == '.'))
		return 0;
	if (i > edge &&
		(is_word(text[i - 1]) || strchr(".~", text[i - 1]) != NULL))
		return 0;
	while (end < n && is_of_path(text[end]))
		end++;
	return end - i;
}

/* Writes the part of a path that may stay. */
static void
put_path(struct out *to, const char *path, size_t n)
{
	static const char *const homes[] = { "home", "Users", "root" };
	size_t base = n, dot;

	while (base > 0 && path[base - 1] != '/')
		base--;
	dot = base + 1;
	while (dot < n && path[dot] != '.')
		dot++;
	/* The name right below a directory of home directories is the name of a
	 * user. */
	for (size_t i = 0; i < sizeof homes / sizeof *homes; i++)
		if (base == strlen(homes[i]) + 2 &&
			strncmp(path + 1, homes[i], base - 2) == 0)
			dot = n;
	if (dot + 1 < n)
		out_put(to, path + base, n - base);
	else
		out_puts(to, PATH_WORD);
}

static const struct scrub_name *
name_at(const struct scrub *s, const char *text, size_t n, size_t i,
	size_t edge)
{
	if (i > edge && is_word(text[i - 1]))
		return NULL;
	for (int k = 0; k < s->names.n; k++) {
		const struct scrub_name *m = &s->names.at[k];

		if (m->n <= n - i &&
			strncasecmp(text + i, m->name, m->n) == 0 &&
			(m->n == n - i || !is_word(text[i + m->n])))
			return m;
	}
	return NULL;
}

static void
put_names(const struct scrub *s, struct out *to, const char *text, size_t n)
{
	for (size_t i = 0, edge = 0; i < n;) {
		const struct scrub_name *m = name_at(s, text, n, i, edge);
		size_t escape = escape_length(text, n, i);

		if (m != NULL) {
			out_puts(to, m->becomes);
			i += m->n;
			continue;
		}
		out_put(to, text + i, escape > 0 ? escape : 1);
		i += escape > 0 ? escape : 1;
		edge = escape > 0 ? i : edge;
	}
}

static void
put_text(const struct scrub *s, struct out *to, const char *text, size_t n)
{
	struct out bare;

	/* Names are replaced last: the part of a path that stays may contain
	 * one. */
	out_open_memory(&bare);
	for (size_t i = 0, edge = 0; i < n;) {
		size_t path = path_length(text, n, i, edge);
		size_t escape = escape_length(text, n, i);
		size_t length = escape > 0 ? escape : 1;

		if (path > 0)
			put_path(&bare, text + i, length = path);
		else
			out_put(&bare, text + i, length);
		i += length;
		edge = escape > 0 ? i : edge;
	}
	put_names(s, to, bare.buf, (size_t)(bare.at - bare.buf));
	out_close(&bare);
}

/* Members whose texts are Weft's own words, by which other answers are
 * found. */
static bool
is_word_of_weft(const char *key, size_t n)
{
	static const char *const keys[] = { "class", "key", "kind", "unit",
		"type", "stat", "state", "severity", "version", "gen", "dark",
		"light", "meaning", "rows" };

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (strlen(keys[i]) == n && strncmp(keys[i], key, n) == 0)
			return true;
	return false;
}

/* Returns the index after the end of the string that begins at json[i]. */
static size_t
string_end(const char *json, size_t n, size_t i)
{
	for (i++; i < n && json[i] != '"'; i++)
		i += json[i] == '\\';
	return i < n ? i + 1 : n;
}

void
scrub_json(const struct scrub *s, struct out *to, const char *json, size_t n)
{
	const char *key = "";
	size_t key_n = 0, end;

	for (size_t i = 0; i < n; i = end) {
		bool is_text = json[i] == '"';

		end = is_text ? string_end(json, n, i) : i + 1;
		if (is_text && end < n && json[end] == ':') {
			key = json + i + 1;
			key_n = end - i - 2;
			is_text = false;
		}
		if (!is_text || end < i + 2 || is_word_of_weft(key, key_n)) {
			out_put(to, json + i, end - i);
		} else {
			out_puts(to, "\"");
			put_text(s, to, json + i + 1, end - i - 2);
			out_puts(to, "\"");
		}
	}
}
