/* SPDX-License-Identifier: MIT */
#include "cli/trace/type_list.h"

#include <string.h>
#include <strings.h>

#include "base/arena.h"

static void
list_type(struct sink *s, const struct type *type)
{
	struct type_list *l = (struct type_list *)s;
	struct type *copy = VEC_ADD(&l->types, l->arena);

	copy->class = arena_strdup(l->arena, type->class);
	copy->key = arena_strdup(l->arena, type->key);
	copy->number = type->number;
	if (type->title != NULL)
		copy->title = arena_strdup(l->arena, type->title);
}

bool
type_list_fill(
	struct type_list *l, const struct filter_trace *of, struct err *err)
{
	static const struct sink_ops list_ops = { .type = list_type };

	if (l->arena != NULL)
		return true;
	l->base.ops = &list_ops;
	l->arena = of->arena;
	return of->declare(of->arg, &l->base, err);
}

/* Returns the key of the only type with that title, or NULL. */
static const char *
key_of_title(const struct type_list *l, const char *title)
{
	const char *key = NULL;

	for (int i = 0; i < l->types.n; i++) {
		const struct type *t = &l->types.at[i];

		if (t->title == NULL || strcasecmp(t->title, title) != 0)
			continue;
		if (key != NULL && strcmp(key, t->key) != 0)
			return NULL;
		key = t->key;
	}
	return key;
}

const char *
type_list_keys(const struct type_list *l, struct arena *a, const char *list)
{
	char *rest = arena_strdup(a, list), *item;
	const char *names = "";

	while ((item = strsep(&rest, ",")) != NULL) {
		const char *key = key_of_title(l, item);

		names = arena_printf(a, "%s%s%s", names,
			names[0] == '\0' ? "" : ",", key != NULL ? key : item);
	}
	return names;
}

bool
type_list_may_appear(const char *item)
{
	item += strncmp(item, "prv.", 4) == 0 ? 4 : 0;
	return strcmp(item, "state") == 0 ||
		(*item != '\0' && item[strspn(item, "0123456789")] == '\0');
}
