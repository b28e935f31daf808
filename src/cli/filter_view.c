/* SPDX-License-Identifier: MIT */
#include "cli/filter_view.h"

#include <string.h>

#include "base/arena.h"

struct expansion {
	struct arena *arena;
	const char *types; /* "" or a list */
	int found;         /* of this view */
};

static bool
is_named(const char *name, const char *view, size_t n)
{
	return strncmp(name, view, n) == 0 && name[n] == '\0';
}

static void
add(struct expansion *e, const struct model *m, const char *name)
{
	bool whole = strchr(name, '.') != NULL;

	e->types = arena_printf(e->arena, "%s%s%s%s%s", e->types,
		e->types[0] == '\0' ? "" : ",", whole ? "" : m->name,
		whole ? "" : ".", name);
	e->found++;
}

static void
expand(struct expansion *e, const struct model *m, const char *view, size_t n)
{
	for (int i = 0; i < m->npanels; i++)
		for (int j = 0; is_named(m->panels[i].key, view, n) &&
			m->panels[i].names[j] != NULL;
			j++)
			add(e, m, m->panels[i].names[j]);
	for (int i = 0; i < m->nchans; i++)
		if (is_named(m->chans[i].key, view, n))
			add(e, m, m->chans[i].key);
}

static bool
unknown(const struct expansion *e, const struct model *const *from,
	const char *view, size_t n, struct err *err)
{
	const char *there = "";

	for (; *from != NULL; from++)
		for (int i = 0; i < (*from)->npanels; i++)
			there = arena_printf(e->arena, "%s%s%s", there,
				there[0] == '\0' ? "" : ", ",
				(*from)->panels[i].key);
	return err_set(err, ERR_INPUT,
		"there is no view \"%.*s\"; there are: %.300s, and each type",
		n > 60 ? 60 : (int)n, view, there);
}

const char *
filter_view_types(struct arena *a, const char *views,
	const struct model *const *from, struct err *err)
{
	struct expansion e = { .arena = a, .types = "" };

	for (;;) {
		size_t n = strcspn(views, ",");

		e.found = 0;
		for (const struct model *const *m = from; *m != NULL; m++)
			expand(&e, *m, views, n);
		if (e.found == 0) {
			unknown(&e, from, views, n, err);
			return NULL;
		}
		if (views[n] == '\0')
			return e.types;
		views += n + 1;
	}
}
