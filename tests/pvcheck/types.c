/* SPDX-License-Identifier: MIT */
/* types.c - compares the types that a view shows with the timeline's labels. */
#include <inttypes.h>

#include "cfg.h"

static void
check_title(struct cfg *g, int64_t number, const char *title)
{
	const struct pcf_type *there = timeline_title(g->t, title);

	if (strpbrk(title, "*\"") != NULL)
		complain(g->c, RULE_LABEL, "the title \"%s\" is a pattern",
			title);
	else if (there != NULL && there->number != number)
		complain(g->c, RULE_LABEL,
			"\"%s\" is type %" PRId64 ", not %" PRId64, title,
			there->number, number);
}

/* Returns whether the window, or one of its parents, shows a type. */
static bool
has_records(const struct cfg *g)
{
	for (int i = 0; i < g->window.n; i++)
		for (int j = 0; j < g->window.at[i].type.n; j++)
			if (map_get(&g->t->records,
				    (uint64_t)g->window.at[i].type.at[j]) !=
				NULL)
				return true;
	return false;
}

/* Returns the window whose filter provides the labels of a composed window. */
static const struct cfg_window *
label_leaf(const struct cfg *g, const struct cfg_window *w)
{
	while (w->composed && w->has_parents)
		w = &g->window.at[w->left - 1];
	return w;
}

static const char *
label_of(const struct pcf_type *type, int64_t value)
{
	for (int i = 0; type != NULL && i < type->label.n; i++)
		if (type->label.at[i].value == value)
			return type->label.at[i].text;
	return NULL;
}

/* Returns the first value except 0 to which two types of the window give
 * different labels. */
static void
check_labels(struct cfg *g, const struct cfg_window *w)
{
	for (int i = 0; i < w->type.n; i++) {
		const struct pcf_type *a = timeline_type(g->t, w->type.at[i]);

		for (int j = i + 1; a != NULL && j < w->type.n; j++) {
			const struct pcf_type *b =
				timeline_type(g->t, w->type.at[j]);

			for (int k = 0; b != NULL && k < a->label.n; k++) {
				int64_t value = a->label.at[k].value;
				const char *text = label_of(b, value);

				if (value == 0 || text == NULL ||
					strcmp(text, a->label.at[k].text) == 0)
					continue;
				warn(g->c,
					"types %" PRId64 " and %" PRId64
					" label %" PRId64 " differently",
					a->number, b->number, value);
				return;
			}
		}
	}
}

void
cfg_check_types(struct cfg *g)
{
	bool asks = false;

	for (int i = 0; i < g->window.n; i++) {
		const struct cfg_window *w = &g->window.at[i];

		g->c->line = w->line;
		asks |= w->type.n > 0;
		for (int j = 0; j < w->title.n && j < w->type.n; j++)
			check_title(g, w->type.at[j], w->title.at[j]);
	}
	if (!g->t->has_prv || g->window.n == 0)
		return;
	g->c->line = g->window.at[0].line;
	if (asks && !has_records(g))
		warn(g->c, "no type of the view has a record");
	check_labels(g, label_leaf(g, &g->window.at[g->window.n - 1]));
}
