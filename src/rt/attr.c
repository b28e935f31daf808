/* SPDX-License-Identifier: MIT */
#include "rt/attr.h"

#include <json.h>
#include <stdio.h>
#include <string.h>

enum { STYLE = JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED };

/* The next part of a path; false at its end. */
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

struct json_object *
weft_rt_attr_merge(struct json_object *tree, const char *base)
{
	struct json_object *all = weft_rt_attr_parse(base);

	if (all && tree)
		lay_over(all, tree);
	return all;
}

const char *
weft_rt_attr_over(struct json_object *tree, const char *base)
{
	static __thread struct json_object *all;

	if (all)
		json_object_put(all);
	all = weft_rt_attr_merge(tree, base);
	return json_object_to_json_string_ext(all, STYLE);
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
