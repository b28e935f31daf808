/* SPDX-License-Identifier: MIT */
/* lists.c - checks those values of .cfg windows that are lists: {1, {A, B}}. */
#include <inttypes.h>
#include <stdlib.h>

#include "cfg.h"

#define WORD_MAX 64
#define TYPE_MAX ((INT64_C(1) << 32) - 1)

static bool
skip(const char **at, const char *text)
{
	size_t n = strlen(text);

	if (strncmp(*at, text, n) != 0)
		return false;
	*at += n;
	return true;
}

/* "{level, Name}" */
static bool
item(const char **at, char level[WORD_MAX], char name[WORD_MAX])
{
	size_t n;

	if (!skip(at, "{"))
		return false;
	n = strcspn(*at, ",}");
	if ((*at)[n] != ',' || n >= WORD_MAX || (*at)[n + 1] != ' ')
		return false;
	memcpy(level, *at, n);
	level[n] = '\0';
	*at += n + 2;
	n = strcspn(*at, "}");
	if ((*at)[n] != '}' || n >= WORD_MAX)
		return false;
	memcpy(name, *at, n);
	name[n] = '\0';
	*at += n + 1;
	return true;
}

static void
check_function(struct cfg *g, const char *level, const char *name, bool compose)
{
	bool fits;

	if (!compose && name_is_filter(level)) {
		if (g->window.at[g->window.n - 1].composed)
			complain(g->c, RULE_FILTER,
				"a composed window with the filter %s", level);
		if (!name_is_filter_function(name))
			complain(g->c, RULE_FILTER,
				"the filter function \"%s\"", name);
		return;
	}
	fits = compose
		? name_is_compose(level) && name_is_compose_function(name)
		: name_is_level(level) && name_is_function(level, name);
	if (!fits)
		complain(g->c, RULE_NAME, "\"%s\" is no function of \"%s\"",
			name, level);
}

void
cfg_functions(struct cfg *g, const char *value, bool compose)
{
	char level[WORD_MAX], name[WORD_MAX];
	int64_t count, n = 0;

	if (!skip(&value, "{ ") || !text_number(&value, &count) ||
		!skip(&value, ", { ")) {
		complain(g->c, RULE_LIST, "no list of functions");
		return;
	}
	while (item(&value, level, name)) {
		check_function(g, level, name, compose);
		n++;
		if (!skip(&value, ", "))
			break;
	}
	value += *value == ' ';
	if (strcmp(value, "} }") != 0)
		complain(g->c, RULE_LIST,
			"the list of functions breaks at \"%.40s\"", value);
	else if (n != count)
		complain(g->c, RULE_LIST,
			"%" PRId64 " functions, and it says %" PRId64, n,
			count);
}

void
cfg_module(struct cfg *g, const char *value)
{
	const char *list = strstr(value, " { "), *name = strchr(value, ' ');
	int64_t lists, count;
	char *end, level[WORD_MAX];

	if (list == NULL || name == NULL || name >= list)
		goto bad;
	if ((size_t)(name - value) >= sizeof level)
		goto bad;
	memcpy(level, value, (size_t)(name - value));
	level[name - value] = '\0';
	if (!name_is_level(level) && !name_is_compose(level) &&
		!name_is_filter(level))
		goto bad;
	list += 3;
	if (!text_number(&list, &lists) || !skip(&list, ", { "))
		goto bad;
	for (int64_t i = 0; i < lists; i++) {
		if (!text_number(&list, &count) || count < 0)
			goto bad;
		for (int64_t j = 0; j < count; j++) {
			if (!skip(&list, " ") ||
				strchr("-.0123456789", *list) == NULL)
				goto bad;
			(void)strtod(list, &end);
			if (end == list)
				goto bad;
			list = end;
		}
		if (!skip(&list, i + 1 < lists ? ", " : " } }"))
			goto bad;
	}
	if (*list == '\0')
		return;
bad:
	complain(g->c, RULE_MODULE,
		"no level, or the parameters do not fit their counts");
}

/* Reads the quoted titles. Returns their number, or -1. */
static int64_t
titles(struct cfg *g, const char *at, bool of_types)
{
	struct cfg_window *w = &g->window.at[g->window.n - 1];
	int64_t n = 0;

	for (; *at != '\0'; n++) {
		size_t length;

		if (!skip(&at, " \""))
			return -1;
		length = strcspn(at, "\"");
		if (at[length] != '"')
			return -1;
		if (of_types)
			VEC_PUSH(&w->title, &g->c->arena,
				arena_strndup(&g->c->arena, at, length));
		at += length + 1;
	}
	return n;
}

static int64_t
filter_values(struct cfg *g, const char *at, const char *what)
{
	bool types = strcmp(what, "evt_type") == 0;
	struct cfg_window *w = &g->window.at[g->window.n - 1];
	int64_t n = 0, value;

	for (; *at != '\0'; n++) {
		if (!skip(&at, " ") || !text_number(&at, &value))
			return -1;
		if (types && (value < 0 || value > TYPE_MAX))
			return -1;
		if (types)
			VEC_PUSH(&w->type, &g->c->arena, value);
	}
	return n;
}

void
cfg_filter(struct cfg *g, const char *value)
{
	size_t length = strcspn(value, " ");
	const char *what = arena_strndup(&g->c->arena, value, length);
	const char *at = value + length + (value[length] == ' ');
	int64_t count, n;
	bool is_label = strcmp(what, "evt_type_label") == 0;

	if (!text_number(&at, &count)) {
		complain(g->c, RULE_COUNT, "a filter without its count");
		return;
	}
	if (is_label || strcmp(what, "evt_value_label") == 0)
		n = titles(g, at, is_label);
	else if (name_is_filter(what))
		n = filter_values(g, at, what);
	else
		n = -1;
	if (n < 0)
		complain(g->c, RULE_COUNT, "no filter: \"%s\"", value);
	else if (n != count)
		complain(g->c, RULE_COUNT,
			"%" PRId64 " in the filter, and it says %" PRId64, n,
			count);
}

/* Returns whether the entries of a list like "{ 1, { All } }" are correct. own:
 * the list names objects of the window's own level. */
static bool
entries(const char *at, int indexes, bool own)
{
	int64_t n, found = 0;

	if (!skip(&at, "{ "))
		return false;
	for (int i = 0; i < indexes; i++)
		if (!text_number(&at, &n) || !skip(&at, ", "))
			return false;
	if (!text_number(&at, &n) || !skip(&at, ", { "))
		return false;
	for (;;) {
		bool fits = own ? skip(&at, "1") || skip(&at, "0")
				: skip(&at, "All") || skip(&at, "None");

		if (!fits)
			return false;
		found++;
		if (!skip(&at, ", "))
			break;
	}
	return strcmp(at, " } }") == 0 && found == n;
}

void
cfg_object(struct cfg *g, const char *value)
{
	static const struct {
		const char *level;
		int indexes;
	} objects[] = {
		{ "appl", 0 },
		{ "task", 1 },
		{ "thread", 2 },
		{ "node", 0 },
		{ "cpu", 1 },
	};
	const char *own = g->window.at[g->window.n - 1].level;

	for (size_t i = 0; i < sizeof objects / sizeof *objects; i++) {
		const char *at = value;

		if (skip(&at, objects[i].level) && skip(&at, " ") &&
			entries(at, objects[i].indexes,
				strcmp(own, objects[i].level) == 0))
			return;
	}
	complain(g->c, RULE_OBJECT, "\"%s\" is no object", value);
}

void
cfg_palette(struct cfg *g, const char *value)
{
	while (*value != '\0') {
		int64_t n;
		char *end;

		value += strspn(value, ", ");
		if (!skip(&value, "{") ||
			strchr("-.0123456789", *value) == NULL)
			goto bad;
		(void)strtod(value, &end);
		if (end == value)
			goto bad;
		value = end;
		for (int i = 0; i < 3; i++) {
			if (!skip(&value, i == 0 ? ":" : ",") ||
				!text_number(&value, &n) || n < 0 || n > 255)
				goto bad;
		}
		if (!skip(&value, "}"))
			goto bad;
	}
	return;
bad:
	complain(g->c, RULE_PALETTE, "no item of a palette: \"%.40s\"", value);
}
