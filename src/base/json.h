/* SPDX-License-Identifier: MIT */
/*
 * json.h - reads JSON of small metadata files with json-c.
 *
 * A document is parsed whole; its memory is bounded before the parser starts
 * (an estimate from brackets and commas), because a few bytes of JSON can cost
 * a kilobyte of tree. Comments and a byte order mark are accepted, and so are
 * duplicate keys (the last one counts). Paths are keys with dots:
 * "ovni.lib.version". Values are borrowed from the document; a JSON null is a
 * NULL pointer, as in json-c.
 */
#ifndef WEFT_BASE_JSON_H
#define WEFT_BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct arena;
struct json_object; /* a type of json-c */

#define JSON_MAX_BYTES (16u << 20) /* limit of the text */
#define JSON_MAX_DEPTH 160         /* levels of arrays and objects */
#define JSON_MAX_TREE (48u << 20)  /* estimated bytes of parsed tree */

enum json_type {
	JSON_MISSING, /* no such key */
	JSON_NULL,
	JSON_BOOL,
	JSON_NUMBER, /* integer or floating point */
	JSON_STRING,
	JSON_ARRAY,
	JSON_OBJECT,
};

/* Returns the words for messages: "a number", "an object", ... */
const char *json_type_name(enum json_type type);

/*
 * Parses n bytes of text, followed by a NUL. Returns NULL with err, which names
 * line and column (in bytes, from 1). A document that is just null is an error.
 */
struct json_object *json_parse(const char *text, size_t n, struct err *err);

/* Reads and parses a regular file. Like file_read(), the function does not name
 * the file in err. The text is kept in the scratch arena. */
struct json_object *json_read(
	struct arena *scratch, const char *path, struct err *err);

/* Frees a document; NULL is fine. */
void json_close(struct json_object *doc);

/*
 * Return the value at a path below an object, and its type. A NULL value is
 * either missing or null; json_type() distinguishes the two. The empty path
 * means `at` itself, so json_type(v, "") is the type of the value v (NULL:
 * null).
 */
struct json_object *json_get(struct json_object *at, const char *path);
enum json_type json_type(struct json_object *at, const char *path);

/*
 * Read a value. Return false (NULL) if it has another type. An integer may be
 * written as 3 or 3.0, and must fit in a signed 64-bit number.
 */
bool json_int(struct json_object *v, int64_t *out);
bool json_truth(struct json_object *v, bool *out);
bool json_u64(struct json_object *v, uint64_t *out); /* 0 to UINT64_MAX */
const char *json_str(struct json_object *v);

/* Return the length of an array (0 for other types) and its elements. */
size_t json_length(struct json_object *v);
struct json_object *json_at(struct json_object *v, size_t i);

/* Calls fn for every member of an object, in file order. */
void json_each(struct json_object *v,
	void (*fn)(void *arg, const char *key, struct json_object *value),
	void *arg);

#endif
