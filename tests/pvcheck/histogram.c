/* SPDX-License-Identifier: MIT */
#include <inttypes.h>

#include "cfg.h"

static void
take_window(struct cfg *g, const char *name, const char *value)
{
	struct cfg_histogram *h = g->histogram;
	int id = 0;

	if (!text_is_integer(value, 1, g->window.n)) {
		complain(g->c, RULE_HISTOGRAM, "there is no window \"%s\"",
			value);
	} else {
		int64_t n;

		(void)text_number(&value, &n);
		id = (int)n;
	}
	if (strcmp(name, "Analyzer2D.ControlWindow") == 0)
		h->control = id;
	else if (strcmp(name, "Analyzer2D.DataWindow") == 0)
		h->data = id;
	else
		h->control3d = id;
}

static bool
fits(const struct key *key, const char *value)
{
	switch (key->form) {
	case FORM_SHORT:
		return text_is_integer(value, 0, 65535);
	case FORM_GROUP:
		return text_is_integer(value, 0, INT32_MAX);
	case FORM_REAL:
		return text_is_real(value);
	case FORM_LIST:
		return strcmp(value, "All") == 0 ||
			strspn(value, " ,.-0123456789") == strlen(value);
	case FORM_ZOOM:
		return strncmp(value, "Enabled", 7) == 0 ||
			strncmp(value, "Disabled", 8) == 0;
	default:
		return name_fits(key->form, value);
	}
}

void
cfg_histogram_line(struct cfg *g, const char *line)
{
	size_t n = strcspn(line, ":");
	const char *name = arena_strndup(&g->c->arena, line, n);
	const char *value = line + n + (line[n] == ':');
	const struct key *key = key_of_histogram(name);

	value += *value == ' ';
	if (g->histogram == NULL) {
		complain(g->c, RULE_HISTOGRAM, "%s outside a histogram", name);
		return;
	}
	if (key == NULL || line[n] != ':') {
		complain(g->c, RULE_KEY, "the key %s", name);
		return;
	}
	if (key->form == FORM_WINDOW) {
		take_window(g, name, value);
		return;
	}
	if (key->form == FORM_STATISTIC)
		g->histogram->has_statistic = true;
	if (key->form == FORM_LIMITS) {
		g->histogram->has_limits = true;
		if (g->histogram->control == 0 &&
			strcmp(value, "Allwindow") == 0)
			complain(g->c, RULE_HISTOGRAM,
				"limits of a window before ControlWindow");
	}
	if (!fits(key, value))
		complain(g->c,
			key->form == FORM_STATISTIC || key->form == FORM_LIMITS
				? RULE_HISTOGRAM
				: RULE_VALUE,
			"\"%s\" is no value of %s", value, name);
}

static bool
is_parent(const struct cfg *g, int parent, int of)
{
	const struct cfg_window *w;

	if (of == 0 || !g->window.at[of - 1].has_parents)
		return false;
	w = &g->window.at[of - 1];
	return w->left == parent || w->right == parent ||
		is_parent(g, parent, w->left) || is_parent(g, parent, w->right);
}

/* Checks that two windows of a histogram have the same level, and that neither
 * is a parent of the other. */
static void
check_pair(struct cfg *g, int a, int b)
{
	if (a == 0 || b == 0 || a == b)
		return;
	if (strcmp(g->window.at[a - 1].level, g->window.at[b - 1].level) != 0)
		complain(g->c, RULE_HISTOGRAM,
			"windows %d and %d are of different levels", a, b);
	if (is_parent(g, a, b) || is_parent(g, b, a))
		complain(g->c, RULE_HISTOGRAM,
			"one of the windows %d and %d is made of the other", a,
			b);
}

void
cfg_histogram_end(struct cfg *g)
{
	const struct cfg_histogram *h = g->histogram;
	int line = g->c->line;

	if (h == NULL)
		return;
	g->c->line = h->line;
	if (h->control == 0)
		complain(g->c, RULE_HISTOGRAM, "no ControlWindow");
	if (!h->has_statistic)
		complain(g->c, RULE_HISTOGRAM, "no Statistic");
	if (!h->has_limits)
		complain(g->c, RULE_HISTOGRAM, "no AnalysisLimits");
	check_pair(g, h->control, h->data);
	check_pair(g, h->control, h->control3d);
	check_pair(g, h->data, h->control3d);
	g->c->line = line;
	g->histogram = NULL;
}
