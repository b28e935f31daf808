/* SPDX-License-Identifier: MIT */
#include "base/json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* json-c also defines a type of this name. */
#define json_type jsonc_type
#include <json-c/json.h>
#undef json_type

#include "base/arena.h"
#include "base/file.h"

/*
 * json-c reads a copy in which comments are blanks: json-c ends comments
 * elsewhere than this scanner does, and the cost must be estimated from exactly
 * the text that is parsed.
 */
struct scan {
	const char *text;
	char *copy;
	size_t n, at;
	size_t cost; /* estimated bytes of tree */
};

/* Records an error at byte `at` of the text, as line and column. */
static bool
fail_at(const char *text, size_t at, const char *what, struct err *err)
{
	int line = 1, column = 1;

	for (size_t i = 0; i < at; i++) {
		column = text[i] == '\n' ? 1 : column + 1;
		line += text[i] == '\n';
	}
	return err_set(
		err, ERR_INPUT, "line %d, column %d: %s", line, column, what);
}

static void
blank(struct scan *s, size_t to)
{
	for (; s->at < to; s->at++)
		if (s->copy[s->at] != '\n')
			s->copy[s->at] = ' ';
}

static bool
skip_comment(struct scan *s, struct err *err)
{
	const char *from = s->text + s->at;
	size_t end = s->at + 2;

	if (from[1] == '/') {
		blank(s, s->at + strcspn(from, "\n"));
		return true;
	}
	if (from[1] != '*')
		return fail_at(s->text, s->at, "stray '/'", err);
	while (end < s->n && (s->text[end] != '*' || s->text[end + 1] != '/'))
		end++;
	if (end >= s->n)
		return fail_at(s->text, s->at, "comment has no end", err);
	blank(s, end + 2);
	return true;
}

static bool
skip_string(struct scan *s, struct err *err)
{
	size_t i = s->at + 1;

	while (i < s->n && s->text[i] != '"')
		i += s->text[i] == '\\' ? 2 : 1;
	if (i >= s->n)
		return fail_at(s->text, s->at, "string has no end", err);
	s->at = i + 1;
	return true;
}

/*
 * Replaces an integer below INT64_MIN by a real number: json-c would silently
 * clamp the integer to INT64_MIN, while a real number can be recognised as out
 * of range. (Above INT64_MAX, json-c keeps enough bits to recognise that.)
 */
static void
skip_number(struct scan *s)
{
	static const char below[] = "-1e99";
	const char *from = s->text + s->at;
	size_t n = strspn(from, "+-.0123456789eE");

	errno = 0;
	if (from[0] == '-' && strspn(from + 1, "0123456789") == n - 1 &&
		strtoll(from, NULL, 10) < 0 && errno == ERANGE) {
		memset(s->copy + s->at, ' ', n);
		memcpy(s->copy + s->at, below, sizeof below - 1);
	}
	s->at += n;
}

/* Returns the bytes of tree that a byte of text costs, measured with json-c
 * 0.16. */
static size_t
cost_of(char c)
{
	switch (c) {
	case '{':
		return 900; /* a table of 16 entries, and the first member */
	case '[':
		return 400; /* 32 elements, and the first of them */
	case ',':
		return 120; /* the value that follows */
	case ':':
		return 160; /* a key, and its share of a table that doubles */
	default:
		return 0;
	}
}

static bool
scan_one(struct scan *s, struct err *err)
{
	char c = s->text[s->at];

	if (c == '"')
		return skip_string(s, err);
	if (c == '/')
		return skip_comment(s, err);
	if (c == '\'')
		return fail_at(s->text, s->at, "stray \"'\"", err);
	if (c == '-' || (c >= '0' && c <= '9')) {
		skip_number(s);
		return true;
	}
	s->cost += cost_of(c);
	s->at++;
	return true;
}

/* Adds up the cost, fails above the limit, and replaces comments in the copy by
 * blanks. */
static bool
scan(struct scan *s, struct err *err)
{
	const char *nul = memchr(s->text, '\0', s->n);

	if (nul != NULL)
		return fail_at(
			s->text, (size_t)(nul - s->text), "zero byte", err);
	if (s->n >= 3 && memcmp(s->text, "\xef\xbb\xbf", 3) == 0)
		blank(s, 3);
	while (s->at < s->n) {
		if (!scan_one(s, err))
			return false;
		if (s->cost > JSON_MAX_TREE)
			return err_set(err, ERR_LIMIT,
				"more than %u MiB once parsed",
				JSON_MAX_TREE >> 20);
	}
	return true;
}

static struct json_object *
parse_clean(const char *text, size_t n, struct err *err)
{
	struct json_tokener *tok = json_tokener_new_ex(JSON_MAX_DEPTH);
	struct json_object *doc;
	enum json_tokener_error why;
	size_t end;

	if (tok == NULL) {
		err_set(err, ERR_SYSTEM, "cannot start the JSON parser");
		return NULL;
	}
	/* The NUL is included: without it, json-c waits for more digits of a
	 * number that is the whole document. */
	doc = json_tokener_parse_ex(tok, text, (int)n + 1);
	why = json_tokener_get_error(tok);
	end = json_tokener_get_parse_end(tok);
	json_tokener_free(tok);
	if (end > n)
		end = n;
	if (why == json_tokener_success)
		end += strspn(text + end, " \t\r\n");
	if (why == json_tokener_success && doc != NULL && end == n)
		return doc;
	if (why == json_tokener_success && end < n)
		fail_at(text, end, "something follows the document", err);
	else if (why == json_tokener_success)
		fail_at(text, 0, "the document is null", err);
	else if (end == n)
		fail_at(text, n, "the document has no end", err);
	else
		fail_at(text, end, json_tokener_error_desc(why), err);
	json_object_put(doc);
	return NULL;
}

struct json_object *
json_parse(const char *text, size_t n, struct err *err)
{
	struct scan s = { .text = text, .n = n };
	struct json_object *doc = NULL;

	if (n > JSON_MAX_BYTES) {
		err_set(err, ERR_LIMIT, "larger than %u MiB",
			JSON_MAX_BYTES >> 20);
		return NULL;
	}
	s.copy = mem_resize(NULL, n + 1, 1);
	memcpy(s.copy, text, n);
	s.copy[n] = '\0';
	if (scan(&s, err))
		doc = parse_clean(s.copy, n, err);
	mem_free(s.copy);
	return doc;
}

struct json_object *
json_read(struct arena *scratch, const char *path, struct err *err)
{
	size_t n;
	char *text = file_read(scratch, path, JSON_MAX_BYTES, &n, err);

	if (text == NULL)
		return NULL;
	return json_parse(text, n, err);
}

void
json_close(struct json_object *doc)
{
	json_object_put(doc);
}

/* Follows a path; returns false if a key on the way is missing. */
static bool
find(struct json_object *at, const char *path, struct json_object **out)
{
	while (*path != '\0') {
		size_t n = strcspn(path, ".");
		char key[256];

		if (n >= sizeof key ||
			!json_object_is_type(at, json_type_object))
			return false;
		memcpy(key, path, n);
		key[n] = '\0';
		if (!json_object_object_get_ex(at, key, &at))
			return false;
		path += n + (path[n] == '.');
	}
	*out = at;
	return true;
}

struct json_object *
json_get(struct json_object *at, const char *path)
{
	struct json_object *v;

	return find(at, path, &v) ? v : NULL;
}

enum json_type
json_type(struct json_object *at, const char *path)
{
	struct json_object *v;

	if (!find(at, path, &v))
		return JSON_MISSING;
	switch (json_object_get_type(v)) {
	case json_type_boolean:
		return JSON_BOOL;
	case json_type_int:
	case json_type_double:
		return JSON_NUMBER;
	case json_type_string:
		return JSON_STRING;
	case json_type_array:
		return JSON_ARRAY;
	case json_type_object:
		return JSON_OBJECT;
	case json_type_null:
		break;
	}
	return JSON_NULL;
}

const char *
json_type_name(enum json_type type)
{
	static const char *const names[] = {
		[JSON_MISSING] = "nothing",
		[JSON_NULL] = "null",
		[JSON_BOOL] = "true or false",
		[JSON_NUMBER] = "a number",
		[JSON_STRING] = "a string",
		[JSON_ARRAY] = "an array",
		[JSON_OBJECT] = "an object",
	};

	return names[type];
}

bool
json_int(struct json_object *v, int64_t *out)
{
	double d;

	if (json_object_is_type(v, json_type_int)) {
		/* Above INT64_MAX the signed value is clamped. */
		if (json_object_get_int64(v) == INT64_MAX &&
			json_object_get_uint64(v) != INT64_MAX)
			return false;
		*out = json_object_get_int64(v);
		return true;
	}
	if (!json_object_is_type(v, json_type_double))
		return false;
	d = json_object_get_double(v);
	if (!(d >= -0x1p63 && d < 0x1p63) || (double)(int64_t)d != d)
		return false;
	*out = (int64_t)d;
	return true;
}

bool
json_u64(struct json_object *v, uint64_t *out)
{
	int64_t small;

	if (json_int(v, &small)) {
		*out = (uint64_t)small;
		return small >= 0;
	}
	if (!json_object_is_type(v, json_type_int))
		return false;
	*out = json_object_get_uint64(v);
	return true;
}

const char *
json_str(struct json_object *v)
{
	if (!json_object_is_type(v, json_type_string))
		return NULL;
	return json_object_get_string(v);
}

bool
json_truth(struct json_object *v, bool *out)
{
	if (!json_object_is_type(v, json_type_boolean))
		return false;
	*out = json_object_get_boolean(v);
	return true;
}

size_t
json_length(struct json_object *v)
{
	if (!json_object_is_type(v, json_type_array))
		return 0;
	return json_object_array_length(v);
}

struct json_object *
json_at(struct json_object *v, size_t i)
{
	if (i >= json_length(v))
		return NULL;
	return json_object_array_get_idx(v, i);
}

void
json_each(struct json_object *v,
	void (*fn)(void *arg, const char *key, struct json_object *value),
	void *arg)
{
	struct json_object_iterator at, end;

	if (!json_object_is_type(v, json_type_object))
		return;
	at = json_object_iter_begin(v);
	end = json_object_iter_end(v);
	for (; !json_object_iter_equal(&at, &end); json_object_iter_next(&at))
		fn(arg, json_object_iter_peek_name(&at),
			json_object_iter_peek_value(&at));
}
