/* SPDX-License-Identifier: MIT */
/*
 * views.h - a small reader of Paraver's CFG files that knows nothing of the
 * writer: which lines there may be, and which a window must have.
 *
 *	struct view *v = read_view(&a, dir, "cfg/cpu/ovni/pid.cfg");
 *	CHECK_STR(v->error, "");
 */
#ifndef WEFT_TEST_EXPORT_VIEWS_H
#define WEFT_TEST_EXPORT_VIEWS_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "dir.h"

enum form { TEXT, INTEGER, REAL, BOOLEAN, FUNCTIONS, TWO_IDS, EVENTS };

struct rule {
	const char *key;
	enum form form;
	int single, composed; /* how often the key occurs in such a window; -1:
	                       * any number */
};

/* clang-format off */
static const struct rule rules[] = {
	{ "name", TEXT, 1, 1 },
	{ "type", TEXT, 1, 1 },
	{ "id", INTEGER, 1, 1 },
	{ "factors", TEXT, 0, 1 },
	{ "operation", TEXT, 0, 1 },
	{ "identifiers", TWO_IDS, 0, 1 },
	{ "position_x", INTEGER, 1, 1 },
	{ "position_y", INTEGER, 1, 1 },
	{ "width", INTEGER, 1, 1 },
	{ "height", INTEGER, 1, 1 },
	{ "comm_lines_enabled", BOOLEAN, 1, 1 },
	{ "flags_enabled", BOOLEAN, 1, 1 },
	{ "noncolor_mode", BOOLEAN, 1, 1 },
	{ "color_mode", TEXT, -1, -1 },
	{ "custom_color_enabled", BOOLEAN, 1, 1 },
	{ "custom_color_palette", TEXT, -1, -1 },
	{ "units", TEXT, 1, 1 },
	{ "maximum_y", REAL, 1, 1 },
	{ "minimum_y", REAL, 1, 1 },
	{ "compute_y_max", BOOLEAN, 1, 1 },
	{ "level", TEXT, 1, 1 },
	{ "scale_relative", REAL, 1, 1 },
	{ "begin_time_relative", REAL, 1, 1 },
	{ "end_time_relative", REAL, 1, 1 },
	{ "object", TEXT, 1, 1 },
	{ "open", BOOLEAN, 1, 1 },
	{ "drawmode", TEXT, 1, 1 },
	{ "drawmode_rows", TEXT, 1, 1 },
	{ "pixel_size", INTEGER, 1, 1 },
	{ "labels_to_draw", INTEGER, 1, 1 },
	{ "selected_functions", FUNCTIONS, 1, 1 },
	{ "compose_functions", FUNCTIONS, 1, 1 },
	{ "filter_module", EVENTS, -1, 0 },
};
/* clang-format on */

#define RULES ((int)(sizeof rules / sizeof rules[0]))
#define WINDOWS 16

struct window {
	char name[500], label[500], type[20], operation[20], color[50];
	char palette[500], units[20];
	long id, left, right, number; /* number: the only event type */
	int ntypes;
	bool open, labels;
	double low, high;
	int seen[RULES];
};

struct view {
	char error[300]; /* the first error; empty: the file is fine */
	int declared, n;
	bool histogram; /* the file has a histogram */
	struct window at[WINDOWS];
};

static inline void
bad(struct view *v, const char *what, const char *line)
{
	if (v->error[0] == '\0')
		snprintf(v->error, sizeof v->error, "%s: %s", what, line);
}

/* "{ N, { {a, b}, {c, d} } }" with N pairs. */
static inline bool
is_functions(const char *text)
{
	char *at;
	long n = strtol(text + 1, &at, 10), pairs = 0;

	if (text[0] != '{' || strncmp(at, ", { ", 4) != 0)
		return false;
	for (at += 4; *at == '{'; pairs++) {
		size_t comma = strcspn(at, ",}\n");
		size_t end = strcspn(at, "}\n");

		if (at[comma] != ',' || at[end] != '}' || comma >= end)
			return false;
		at += end + 1;
		at += strspn(at, ", ");
	}
	at += *at == ' ';
	return pairs == n && strncmp(at, "} }", 3) == 0 && at[3] == '\0';
}

static inline bool
is_events(struct window *w, const char *text)
{
	int end = 0;

	if (sscanf(text, "evt_type %d %ld%n", &w->ntypes, &w->number, &end) ==
		2)
		return (text[end] == '\0') == (w->ntypes == 1) && w->number > 0;
	if (strcmp(text, "evt_value 1 -1") == 0)
		return w->labels = true;
	if (w->ntypes != 1)
		return strncmp(text, "evt_type_label ", 15) == 0;
	return sscanf(text, "evt_type_label 1 \"%499[^\"]\"%n", w->label,
		       &end) == 1 &&
		end > 0 && text[end] == '\0';
}

static inline bool
fits(struct window *w, enum form form, const char *text)
{
	char *end = NULL;

	switch (form) {
	case TEXT:
		return text[0] != '\0';
	case INTEGER:
		return strtol(text, &end, 10) >= 0 && end != text && *end == 0;
	case REAL:
		return strtod(text, &end) >= 0 && end != text && *end == 0;
	case BOOLEAN:
		return strcmp(text, "true") == 0 || strcmp(text, "false") == 0;
	case FUNCTIONS:
		return is_functions(text);
	case TWO_IDS:
		return sscanf(text, "%ld %ld", &w->left, &w->right) == 2;
	case EVENTS:
		return is_events(w, text);
	}
	return false;
}

static inline void
keep(struct window *w, const char *key, const char *text)
{
	if (strcmp(key, "name") == 0)
		snprintf(w->name, sizeof w->name, "%s", text);
	else if (strcmp(key, "type") == 0)
		snprintf(w->type, sizeof w->type, "%s", text);
	else if (strcmp(key, "operation") == 0)
		snprintf(w->operation, sizeof w->operation, "%s", text);
	else if (strcmp(key, "custom_color_palette") == 0)
		snprintf(w->palette, sizeof w->palette, "%s", text);
	else if (strcmp(key, "units") == 0)
		snprintf(w->units, sizeof w->units, "%s", text);
	else if (strcmp(key, "color_mode") == 0)
		snprintf(w->color, sizeof w->color, "%s", text);
	else if (strcmp(key, "id") == 0)
		w->id = strtol(text, NULL, 10);
	else if (strcmp(key, "open") == 0)
		w->open = strcmp(text, "true") == 0;
	else if (strcmp(key, "minimum_y") == 0)
		w->low = strtod(text, NULL);
	else if (strcmp(key, "maximum_y") == 0)
		w->high = strtod(text, NULL);
}

static inline void
read_window_line(struct view *v, const char *line)
{
	size_t length = strcspn(line + 7, " ");
	const char *text = line + 7 + length + (line[7 + length] == ' ');
	struct window *w;
	int i = 0;

	while (i < RULES &&
		(strlen(rules[i].key) != length ||
			strncmp(rules[i].key, line + 7, length) != 0))
		i++;
	if (i == RULES || v->n > WINDOWS || (i != 0 && v->n == 0)) {
		bad(v, "not expected", line);
		return;
	}
	v->n += i == 0; /* a name begins a window */
	w = &v->at[v->n - 1];
	w->seen[i]++;
	if (!fits(w, rules[i].form, text))
		bad(v, "bad value", line);
	keep(w, rules[i].key, text);
}

static inline void
read_line(struct view *v, const char *line, int number, bool *description)
{
	static const char windows[] = "ConfigFile.NumWindows: ";

	for (const char *c = line; *c != '\0'; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			bad(v, "control character", line);
	if (number == 1 && strcmp(line, "#ParaverCFG") != 0)
		bad(v, "not the first line", line);
	if (number == 2 && strcmp(line, "ConfigFile.Version: 3.4") != 0)
		bad(v, "not the version", line);
	if (number == 3 && strncmp(line, windows, sizeof windows - 1) == 0)
		v->declared = (int)strtol(line + sizeof windows - 1, NULL, 10);
	if (number <= 3)
		return;
	if (strcmp(line, "ConfigFile.BeginDescription") == 0)
		*description = true;
	else if (strcmp(line, "ConfigFile.EndDescription") == 0)
		*description = false;
	else if (strncmp(line, "Analyzer2D.", 11) == 0)
		v->histogram = true;
	else if (strncmp(line, "window_", 7) == 0)
		read_window_line(v, line);
	else if (!*description && line[0] != '\0' && line[0] != '<')
		bad(v, "no known line", line);
}

static inline bool
has_window(const struct view *v, long id, int before)
{
	for (int i = 0; i < before; i++)
		if (v->at[i].id == id)
			return true;
	return false;
}

/* Checks how often each window has each key, and that a composed window has two
 * parents before it. */
static inline void
check_windows(struct view *v)
{
	if (v->n == 0 || v->n != v->declared)
		bad(v, "number of windows", "");
	for (int i = 0; i < v->n; i++) {
		const struct window *w = &v->at[i];
		bool single = strcmp(w->type, "single") == 0;

		for (int j = 0; j < RULES; j++) {
			int want = single ? rules[j].single : rules[j].composed;

			if (want >= 0 && w->seen[j] != want)
				bad(v, "number of", rules[j].key);
		}
		if (!single && strcmp(w->type, "composed") != 0)
			bad(v, "type", w->type);
		if (!single &&
			(!has_window(v, w->left, i) ||
				!has_window(v, w->right, i)))
			bad(v, "sum of what is not there", w->name);
		if (w->id <= 0 || has_window(v, w->id, i))
			bad(v, "id of", w->name);
		if (w->low >= w->high)
			bad(v, "y scale of", w->name);
	}
}

static inline struct view *
read_view(struct arena *a, const char *dir, const char *path)
{
	struct view *v = ARENA_NEW(a, struct view);
	const char *text = dir_text(a, dir, path);
	bool description = false;

	for (int number = 1; *text != '\0'; number++) {
		size_t length = strcspn(text, "\n");

		read_line(v, arena_strndup(a, text, length), number,
			&description);
		text += length + (text[length] == '\n');
	}
	check_windows(v);
	if (v->error[0] != '\0')
		printf("# %s: %s\n", path, v->error);
	return v;
}

#endif
