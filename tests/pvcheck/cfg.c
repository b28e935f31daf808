/* SPDX-License-Identifier: MIT */
#include "cfg.h"

#include <inttypes.h>

static struct cfg_window *
last(struct cfg *g)
{
	return &g->window.at[g->window.n - 1];
}

static void
end_window(struct cfg *g)
{
	struct cfg_window *w;

	if (g->window.n == 0)
		return;
	w = last(g);
	if (w->composed && !w->has_operation)
		complain(g->c, RULE_PARENTS,
			"window %d is composed and has no operation",
			g->window.n);
	if (w->composed && !w->has_parents)
		complain(g->c, RULE_PARENTS,
			"window %d is composed and has no parents",
			g->window.n);
	if (!w->composed && w->title.n > 0 && w->title.n != w->type.n)
		complain(g->c, RULE_COUNT,
			"window %d has %d labels for %d types", g->window.n,
			w->title.n, w->type.n);
}

static void
begin_window(struct cfg *g, const char *value)
{
	struct cfg_window *w;

	end_window(g);
	if (!name_fits(FORM_TYPE, value))
		complain(g->c, RULE_WORD, "the type \"%s\"", value);
	w = VEC_ADD(&g->window, &g->c->arena);
	w->composed = strcmp(value, "composed") == 0;
	w->level = "thread";
	w->line = g->c->line;
	g->named = false;
}

/* Reads two numbers with one blank between them. */
static bool
two(const char *value, int64_t *a, int64_t *b)
{
	return text_number(&value, a) && *value++ == ' ' &&
		text_number(&value, b) && *value == '\0';
}

static bool
two_reals(const char *value)
{
	const char *blank = strchr(value, ' ');
	char first[64];

	if (blank == NULL || (size_t)(blank - value) >= sizeof first)
		return false;
	memcpy(first, value, (size_t)(blank - value));
	first[blank - value] = '\0';
	return text_is_real(first) && text_is_real(blank + 1);
}

static void
parents(struct cfg *g, const char *value)
{
	struct cfg_window *w = last(g);
	int64_t left, right;

	if (!two(value, &left, &right) || left < 1 || right < 1 ||
		left >= g->window.n || right >= g->window.n) {
		complain(g->c, RULE_PARENTS,
			"\"%s\" are not two windows before window %d", value,
			g->window.n);
		return;
	}
	w->left = (int)left;
	w->right = (int)right;
	w->has_parents = true;
}

static void
level(struct cfg *g, const char *value)
{
	if (!name_is_level(value))
		complain(g->c, RULE_WORD, "the level \"%s\"", value);
	else if (name_is_machine(value) && g->t->has_prv && g->t->cpus.n == 0)
		complain(g->c, RULE_WORD,
			"the level %s, and the header has no nodes", value);
	last(g)->level = arena_strdup(&g->c->arena, value);
}

/* Reads a value that is one word or number. Returns false if it has another
 * form. */
static bool
plain_fits(enum form form, const char *value)
{
	switch (form) {
	case FORM_SHORT:
		return text_is_integer(value, 0, 65535);
	case FORM_GROUP:
	case FORM_EARLIER:
		return text_is_integer(value, 0, INT32_MAX);
	case FORM_REAL:
		return text_is_real(value);
	case FORM_SHARE:
		return text_is_real(value) && value[0] != '-' &&
			(value[0] == '0' || strncmp(value, "1.0", 3) == 0 ||
				strcmp(value, "1") == 0);
	case FORM_TWO_REALS:
		return two_reals(value);
	case FORM_TWO_INTEGERS: {
		int64_t a, b;

		return two(value, &a, &b);
	}
	default:
		return name_fits(form, value);
	}
}

/* Returns whether this key of a composed window may come only after the
 * window's parents. */
static bool
needs_parents(const struct key *key)
{
	return key->form == FORM_LEVEL || key->form == FORM_OBJECT ||
		key->form == FORM_SHARE || key->form == FORM_PALETTE ||
		strcmp(key->name, "window_begin_time") == 0 ||
		strcmp(key->name, "window_stop_time") == 0;
}

static void
window_value(struct cfg *g, const struct key *key, const char *value)
{
	switch (key->form) {
	case FORM_TEXT:
		break;
	case FORM_LEVEL:
		level(g, value);
		break;
	case FORM_OBJECT:
		cfg_object(g, value);
		break;
	case FORM_PALETTE:
		cfg_palette(g, value);
		break;
	case FORM_SELECTED:
	case FORM_COMPOSE:
		cfg_functions(g, value, key->form == FORM_COMPOSE);
		break;
	case FORM_MODULE:
		cfg_module(g, value);
		break;
	case FORM_FILTER:
		cfg_filter(g, value);
		break;
	case FORM_OPERATION:
		if (!name_is_operation(value))
			complain(
				g->c, RULE_WORD, "the operation \"%s\"", value);
		last(g)->has_operation = true;
		break;
	case FORM_IDENTIFIERS:
		parents(g, value);
		break;
	default:
		if (!plain_fits(key->form, value))
			complain(g->c, RULE_VALUE, "\"%s\" is no value of %s",
				value, key->name);
	}
}

static void
window_line(struct cfg *g, const char *name, const char *value)
{
	const struct key *key = key_of_window(name);

	if (key == NULL) {
		complain(g->c, RULE_KEY, "the key %s", name);
		return;
	}
	if (key->form == FORM_TYPE) {
		begin_window(g, value);
		return;
	}
	if (strcmp(name, "window_name") == 0) {
		if (g->named)
			complain(g->c, RULE_NO_TYPE,
				"the window before has no window_type");
		g->named = true;
		return;
	}
	if (g->named || g->window.n == 0) {
		complain(g->c, RULE_NO_TYPE, "%s before window_type", name);
		return;
	}
	if (last(g)->composed && needs_parents(key) &&
		(!last(g)->has_parents || !last(g)->has_operation))
		complain(g->c, RULE_PARENTS,
			"%s before operation and identifiers", name);
	window_value(g, key, value);
}

static void
cfg_line(struct cfg *g, char *line)
{
	char *blank = strchr(line, ' ');
	const char *value = blank == NULL ? "" : blank + 1;

	/* Paraver's loader counts the blank as a part of the key. */
	size_t blanks = strspn(line, " \t");

	if (blanks > 0 &&
		(strncmp(line + blanks, "window_", 7) == 0 ||
			strncmp(line + blanks, "Analyzer", 8) == 0)) {
		complain(g->c, RULE_KEY, "a blank before the key %s",
			line + blanks);
		return;
	}
	if (line[0] == '<') {
		if (strcmp(line, "< NEW ANALYZER2D >") != 0)
			return;
		cfg_histogram_end(g);
		g->histogram = ARENA_NEW(&g->c->arena, struct cfg_histogram);
		g->histogram->line = g->c->line;
		g->nhistograms++;
		return;
	}
	if (strncmp(line, "Analyzer", 8) == 0) {
		cfg_histogram_line(g, line);
		return;
	}
	if (blank != NULL)
		*blank = '\0';
	if (strncmp(line, "window_", 7) != 0)
		return;
	if (g->nhistograms > 0)
		complain(g->c, RULE_HISTOGRAM, "a window after a histogram");
	window_line(g, line, value);
}

void
cfg_check(struct check *c, const struct timeline *t, const char *path)
{
	struct cfg g = { .c = c, .t = t };
	struct text text;
	char *line;

	if (!text_open(c, &text, path))
		return;
	while ((line = text_line(c, &text)) != NULL) {
		size_t n = strlen(line);

		if (n > 0 && line[n - 1] == '\r')
			line[n - 1] = '\0';
		if (line[0] != '\0' && line[0] != '#')
			cfg_line(&g, line);
	}
	if (g.named || g.window.n == 0)
		complain(c, RULE_NO_TYPE, "there is no window_type");
	end_window(&g);
	cfg_histogram_end(&g);
	cfg_check_types(&g);
	text_close(&text);
}
