/* SPDX-License-Identifier: MIT */
/*
 * attr.h - attributes that a program stores in stream.json, by dotted path:
 * "a.b.c" is key c of object b of object a.
 */
#ifndef WEFT_INPROC_OVNI_ATTR_H
#define WEFT_INPROC_OVNI_ATTR_H

#include <stdbool.h>
#include <stddef.h>

struct json_object;

/* Sets a value in the tree, which is created if NULL; takes ownership of value.
 * Returns false if a part of the path is not an object. */
bool weft_rt_attr_set(
	struct json_object **tree, const char *path, struct json_object *value);

/* Returns the value, borrowed, or NULL if the path leads nowhere. */
struct json_object *weft_rt_attr_get(
	struct json_object *tree, const char *path);

/* Returns the parts of an earlier stream's metadata (n bytes) that remain
 * valid, or NULL. */
struct json_object *weft_rt_attr_earlier(const char *text, size_t n);

/* Returns a new tree: earlier, overlaid by base (a text), overlaid by tree;
 * lists of CPUs and losses are joined. NULL: no memory. */
struct json_object *weft_rt_attr_merge(struct json_object *earlier,
	struct json_object *tree, const char *base);

/* Returns the tree as text; the tree owns it. */
const char *weft_rt_attr_text(struct json_object *tree);

/* Parses a text into a tree; returns NULL if it is not valid. */
struct json_object *weft_rt_attr_parse(const char *text);

void weft_rt_attr_free(struct json_object *tree);

#endif
