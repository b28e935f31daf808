/* SPDX-License-Identifier: MIT */
/*
 * attr.h - attributes that a program puts in stream.json, by dotted path.
 *
 * "a.b.c" is key c of object b of object a. A value that can't be set or got
 * ends the process: where names the public function.
 */
#ifndef WEFT_INPROC_OVNI_ATTR_H
#define WEFT_INPROC_OVNI_ATTR_H

#include <stdbool.h>
#include <stddef.h>

struct json_object;

/* Sets a value in the tree, which is made if NULL. The value is taken over.
 * False: a part of the path is no object. */
bool weft_rt_attr_set(
	struct json_object **tree, const char *path, struct json_object *value);

/* The value, borrowed, or NULL. A path that leads nowhere is NULL. */
struct json_object *weft_rt_attr_get(
	struct json_object *tree, const char *path);

/* What the metadata of a stream, of n bytes, said that goes on, or NULL. */
struct json_object *weft_rt_attr_earlier(const char *text, size_t n);

/* A new tree of base (a text) over what was earlier, and the tree over both;
 * lists of CPUs and losses are joined. NULL: no memory. */
struct json_object *weft_rt_attr_merge(struct json_object *earlier,
	struct json_object *tree, const char *base);

/* The tree as a text, which lives as long as it. */
const char *weft_rt_attr_text(struct json_object *tree);

/* A tree from a text, or NULL. */
struct json_object *weft_rt_attr_parse(const char *text);

void weft_rt_attr_free(struct json_object *tree);

#endif
