/* SPDX-License-Identifier: MIT */
#include "base/scrub.h"

#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/scrub_path.h"

#define PATH_WORD "(path)"
#define SHORTEST 2 /* letters of a name: one may be part of any label */

static const struct scrub_name *
find(const struct scrub *s, const char *name, size_t n)
{
	for (int i = 0; i < s->names.n; i++)
		if (s->names.at[i].n == n &&
			strncasecmp(s->names.at[i].name, name, n) == 0)
			return &s->names.at[i];
	return NULL;
}

static void
add(struct scrub *s, struct arena *a, const char *name, size_t n,
	const char *becomes, enum scrub_kind kind)
{
	if (n >= SHORTEST && find(s, name, n) == NULL)
		VEC_PUSH(&s->names, a,
			((struct scrub_name){
				arena_strndup(a, name, n), n, becomes, kind }));
}

/* Returns a name of n bytes: "h1", "host1", "host012"; different for each host
 * whose name has as many bytes up to its first dot. */
static const char *
host_of_length(struct scrub *s, struct arena *a, size_t n)
{
	const char *word = n < 5 ? "h" : "host";
	char *to = arena_printf(a, "%s%0*d", word, (int)(n - strlen(word)),
		++s->of_length[n < SCRUB_LENGTHS ? n : 0]);

	s->is_full |= strlen(to) > n;
	return arena_strndup(a, to, n);
}

/* Returns the short name if no host of another domain has it. */
static const struct scrub_name *
find_short(const struct scrub *s, const char *name, size_t first)
{
	for (int i = 0; i < s->names.n; i++) {
		const struct scrub_name *m = &s->names.at[i];

		if (name[first] == '.' && m->n > first &&
			m->name[first] == '.' &&
			strncasecmp(m->name, name, first) == 0)
			return NULL;
	}
	return find(s, name, first);
}

/* Returns a name that is as long. Dots stay where they are: readers compare
 * names of hosts up to the first one. */
static const char *
as_long(struct scrub *s, struct arena *a, const char *name,
	enum scrub_kind kind)
{
	static const char user[] = "user";
	char *to = arena_strdup(a, name);
	size_t n = strlen(name), first = strcspn(name, ".");
	const struct scrub_name *known = find_short(s, name, first);

	for (size_t i = 0; i < n; i++)
		if (kind == SCRUB_USER && i < sizeof user - 1)
			to[i] = user[i];
		else if (to[i] != '.')
			to[i] = 'x';
	if (kind == SCRUB_HOST && first >= SHORTEST)
		memcpy(to,
			known != NULL ? known->becomes
				      : host_of_length(s, a, first),
			first);
	return to;
}

void
scrub_name(struct scrub *s, struct arena *a, const char *name,
	enum scrub_kind kind)
{
	const char *becomes = "user";
	size_t n;
	int before = s->names.n;

	if (name == NULL || *name == '\0' ||
		find(s, name, strlen(name)) != NULL)
		return;
	n = strcspn(name, ".");
	if (s->same_length)
		becomes = as_long(s, a, name, kind);
	else if (kind == SCRUB_HOST)
		becomes = arena_printf(a, "host%d", s->hosts + 1);
	add(s, a, name, strlen(name), becomes, kind);
	if (kind == SCRUB_HOST && name[n] != '\0' &&
		strspn(name, "0123456789") < n)
		add(s, a, name, n,
			s->same_length ? arena_strndup(a, becomes, n) : becomes,
			kind);
	s->hosts += kind == SCRUB_HOST && s->names.n > before;
}

void
scrub_here(struct scrub *s, struct arena *a)
{
	const struct passwd *pw = getpwuid(getuid());
	char host[HOST_NAME_MAX + 1] = "";

	if (gethostname(host, sizeof host - 1) == 0)
		scrub_name(s, a, host, SCRUB_HOST);
	scrub_name(s, a, pw == NULL ? getenv("USER") : pw->pw_name, SCRUB_USER);
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

static void
put_path(struct out *to, const char *path, size_t n)
{
	size_t kept = scrub_path_kept(path, n);

	if (kept > 0)
		out_put(to, path + n - kept, kept);
	else
		out_puts(to, PATH_WORD);
}

/* Returns the longest name at text[i]. No letter may be at its edges; a
 * '_' may, unless it is `joined`. */
static const struct scrub_name *
name_at(const struct scrub *s, const char *text, size_t n, size_t i,
	size_t edge, bool joined)
{
	const struct scrub_name *longest = NULL;

	if (i > edge && scrub_is_word(text[i - 1]) &&
		(joined || text[i - 1] != '_'))
		return NULL;
	for (int k = 0; k < s->names.n; k++) {
		const struct scrub_name *m = &s->names.at[k];
		size_t end = i + m->n;

		if (m->n <= n - i && (longest == NULL || m->n > longest->n) &&
			strncasecmp(text + i, m->name, m->n) == 0 &&
			(end == n || !scrub_is_word(text[end]) ||
				(!joined && text[end] == '_')))
			longest = m;
	}
	return longest;
}

/* Returns the length of the domain behind a host, as in ".cluster.org", or 0.
 * Numbers are none, nor is the extension of a file by itself. */
static size_t
domain_length(const struct scrub_name *m, const char *text, size_t n)
{
	size_t end = 0, labels = 0, at = 0;

	if (m->kind != SCRUB_HOST)
		return 0;
	while (at + 1 < n && text[at] == '.' && scrub_is_word(text[at + 1])) {
		bool is_number = true;

		for (at++;
			at < n && (scrub_is_word(text[at]) || text[at] == '-');
			at++)
			is_number &= text[at] >= '0' && text[at] <= '9';
		if (is_number)
			break;
		labels++;
		end = at;
	}
	return labels == 1 && scrub_is_extension(text + 1, end - 1) ? 0 : end;
}

static void
put_names(const struct scrub *s, struct out *to, const char *text, size_t n)
{
	for (size_t i = 0, edge = 0; i < n;) {
		const struct scrub_name *m =
			name_at(s, text, n, i, edge, false);
		size_t escape = escape_length(text, n, i);

		if (m != NULL) {
			out_puts(to, m->becomes);
			i += m->n;
			i += domain_length(m, text + i, n - i);
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
		size_t path = scrub_path(text, n, i, edge, SCRUB_ESCAPED);
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

/* Returns true if the list, which ends with NULL, has the member. */
static bool
has_member(const char *const *list, const char *key, size_t n)
{
	for (; list != NULL && *list != NULL; list++)
		if (strlen(*list) == n && strncmp(*list, key, n) == 0)
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
		if (!is_text || end < i + 2 || has_member(s->own, key, key_n)) {
			out_put(to, json + i, end - i);
		} else {
			out_puts(to, "\"");
			put_text(s, to, json + i + 1, end - i - 2);
			out_puts(to, "\"");
		}
	}
}

static void
mask(char *text, size_t n, char stays)
{
	for (size_t i = 0; i < n; i++)
		if (text[i] != stays)
			text[i] = 'x';
}

static void
mask_paths(char *text, size_t n, enum scrub_source source)
{
	for (size_t i = 0, edge = 0; i < n;) {
		size_t path = scrub_path(text, n, i, edge, source);
		size_t escape = escape_length(text, n, i);
		size_t kept = path > 0 ? scrub_path_kept(text + i, path) : 0;

		mask(text + i, path - kept,
			scrub_path_has_slashes(text + i) ? '/' : 'x');
		i += path > 0 ? path : escape > 0 ? escape : 1;
		edge = escape > 0 ? i : edge;
	}
}

static void
replace_names(const struct scrub *s, char *text, size_t n)
{
	for (size_t i = 0, edge = 0; i < n;) {
		const struct scrub_name *m =
			name_at(s, text, n, i, edge, false);
		size_t escape = escape_length(text, n, i), domain;

		if (m != NULL) {
			memcpy(text + i, m->becomes, m->n);
			i += m->n;
			domain = domain_length(m, text + i, n - i);
			mask(text + i, domain, '.');
			i += domain;
			continue;
		}
		i += escape > 0 ? escape : 1;
		edge = escape > 0 ? i : edge;
	}
}

static void
scrub_text(
	const struct scrub *s, char *text, size_t n, enum scrub_source source)
{
	mask_paths(text, n, source);
	replace_names(s, text, n);
}

void
scrub_bytes(const struct scrub *s, char *text, size_t n)
{
	scrub_text(s, text, n, SCRUB_BARE);
}

bool
scrub_hides(const char *member, size_t n)
{
	static const char *const hidden[] = { "argv", "args", "cmdline",
		"command", "command_line", "cwd", "env", "environ", "envp",
		"home", "binary_name", "procname", "product_uuid", "user",
		"username", NULL };

	return has_member(hidden, member, n);
}

/* Returns true for "weft:task_start" and "https://host/page". */
static bool
is_uri(const char *text, size_t n)
{
	size_t word = 0;

	while (word < n && scrub_is_word(text[word]))
		word++;
	return word > 0 && word < n && text[word] == ':';
}

/* Scrubs the text of a member. */
static void
scrub_member(const struct scrub *s, const char *member, size_t length,
	char *text, size_t n)
{
	if (scrub_hides(member, length))
		memset(text, 'x', n);
	else if (!has_member(s->own, member, length))
		scrub_text(s, text, n, SCRUB_ESCAPED);
	else if (!is_uri(text, n))
		mask_paths(text, n, SCRUB_ESCAPED);
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Returns the index after a word of TSDL, or after a comment. */
static size_t
word_end(const char *text, size_t n, size_t i)
{
	const char *end;

	if (text[i] == '/' && i + 1 < n && text[i + 1] == '*') {
		end = memmem(text + i + 2, n - i - 2, "*/", 2);
		return end == NULL ? n : (size_t)(end - text) + 2;
	}
	if (!scrub_is_word(text[i]))
		return i + 1;
	while (i < n && (scrub_is_word(text[i]) || text[i] == '.'))
		i++;
	return i;
}

/* Returns true if a member's name ends at `end`: a value follows. */
static bool
names_member(const char *text, size_t n, size_t i, size_t end)
{
	while (end < n && is_blank(text[end]))
		end++;
	return end < n &&
		((text[i] == '"' && text[end] == ':') ||
			((text[i] == '"' || scrub_is_word(text[i])) &&
				text[end] == '='));
}

void
scrub_document(const struct scrub *s, char *text, size_t n)
{
	const char *key = "";
	size_t key_n = 0, end;

	for (size_t i = 0; i < n; i = end) {
		bool is_text = text[i] == '"';
		size_t quote = is_text ? 1 : 0;

		end = is_text ? string_end(text, n, i) : word_end(text, n, i);
		if (names_member(text, n, i, end)) {
			key = text + i + quote;
			key_n = end - i - 2 * quote;
		} else if (is_text && end > i + 2) {
			scrub_member(s, key, key_n, text + i + 1, end - i - 2);
		} else if (text[i] == '/') {
			scrub_bytes(s, text + i, end - i);
		}
	}
}

/* Returns true if a name becomes that one. */
static bool
is_result(const struct scrub *s, const struct scrub_name *m)
{
	for (int i = 0; i < s->names.n; i++) {
		const char *becomes = s->names.at[i].becomes;

		if (strncasecmp(m->name, becomes, m->n) == 0 &&
			(becomes[m->n] == '.' || becomes[m->n] == '\0'))
			return true;
	}
	return false;
}

const char *
scrub_find(const struct scrub *s, const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct scrub_name *m = name_at(s, text, n, i, 0, true);

		if (m != NULL && !is_result(s, m))
			return m->name;
	}
	return NULL;
}
