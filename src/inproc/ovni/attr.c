/* SPDX-License-Identifier: MIT */
#include "inproc/ovni/attr.h"

#include <json.h>
#include <stdio.h>
#include <string.h>

enum { STYLE = JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED };

/* Extracts the next part of a path; returns false at its end. */
static bool
part_of(const char **path, char *part, size_t size)
{
	size_t n = strcspn(*path, ".");

	if (**path == '\0' || n >= size)
		return false;
	memcpy(part, *path, n);
	part[n] = '\0';
	*path += n + ((*path)[n] == '.');
	return true;
}

bool
weft_rt_attr_set(
	struct json_object **tree, const char *path, struct json_object *value)
{
	struct json_object *at, *below;
	char part[512];

	if (!*tree)
		*tree = json_object_new_object();
	at = *tree;
	while (part_of(&path, part, sizeof(part))) {
		if (*path == '\0')
			return json_object_object_add(at, part, value) == 0;
		below = json_object_object_get(at, part);
		if (!below) {
			below = json_object_new_object();
			json_object_object_add(at, part, below);
		}
		if (!json_object_is_type(below, json_type_object))
			break;
		at = below;
	}
	json_object_put(value);
	return false;
}

struct json_object *
weft_rt_attr_get(struct json_object *tree, const char *path)
{
	char part[512];

	while (tree && part_of(&path, part, sizeof(part)))
		if (!json_object_is_type(tree, json_type_object) ||
			!json_object_object_get_ex(tree, part, &tree))
			return NULL;
	return *path == '\0' ? tree : NULL;
}

static void
lay_over(struct json_object *base, struct json_object *tree)
{
	json_object_object_foreach(tree, name, value)
	{
		struct json_object *under = json_object_object_get(base, name);

		if (under && json_object_is_type(under, json_type_object) &&
			json_object_is_type(value, json_type_object))
			lay_over(under, value);
		else
			json_object_object_add(
				base, name, json_object_get(value));
	}
}

/* Adds the elements that only `more` has. */
static void
join(struct json_object *base, struct json_object *more)
{
	for (size_t i = 0; i < json_object_array_length(more); i++) {
		struct json_object *one = json_object_array_get_idx(more, i);
		size_t k = 0, n = json_object_array_length(base);

		while (k < n &&
			!json_object_equal(
				json_object_array_get_idx(base, k), one))
			k++;
		if (k == n)
			json_object_array_add(base, json_object_get(one));
	}
}

/* Adds the list under a path of `more` to that of base. */
static void
join_at(struct json_object *base, struct json_object *more, const char *path)
{
	struct json_object *a = weft_rt_attr_get(base, path);
	struct json_object *b = weft_rt_attr_get(more, path);

	if (a && b && json_object_is_type(a, json_type_array) &&
		json_object_is_type(b, json_type_array))
		join(a, b);
}

static void
delete_at(struct json_object *tree, const char *path, const char *name)
{
	struct json_object *at = weft_rt_attr_get(tree, path);

	if (at && json_object_is_type(at, json_type_object))
		json_object_object_del(at, name);
}

struct json_object *
weft_rt_attr_earlier(const char *text, size_t n)
{
	struct json_tokener *t = json_tokener_new();
	struct json_object *tree =
		t ? json_tokener_parse_ex(t, text, (int)n) : NULL;

	if (t)
		json_tokener_free(t);

	delete_at(tree, "ovni", "finished");
	delete_at(tree, "weft", "ring");
	return tree;
}

struct json_object *
weft_rt_attr_merge(
	struct json_object *earlier, struct json_object *tree, const char *base)
{
	struct json_object *now = weft_rt_attr_parse(base), *all = NULL;

	if (now && earlier && json_object_deep_copy(earlier, &all, NULL) == 0) {
		join_at(now, all, "ovni.loom_cpus");
		join_at(now, all, "weft.lost");
		join_at(now, all, "weft.clocks.snap");
		join_at(now, all, "weft.suspended");
		lay_over(all, now);
		weft_rt_attr_free(now);
		now = all;
	}
	if (now && tree)
		lay_over(now, tree);
	return now;
}

const char *
weft_rt_attr_text(struct json_object *tree)
{
	return json_object_to_json_string_ext(tree, STYLE);
}

struct json_object *
weft_rt_attr_parse(const char *text)
{
	return json_tokener_parse(text);
}

void
weft_rt_attr_free(struct json_object *tree)
{
	if (tree)
		json_object_put(tree);
}
