/* SPDX-License-Identifier: MIT */
#include "emu/model_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "emu/cut.h"
#include "emu/model_reader.h"

#define FILE_MAX (4u << 20)
#define PANEL_MAX 64 /* rows that a panel can lay over one another */

/* Returns the index of a word in a list that ends with NULL, or -1. */
static int
position(const char *const *list, const char *word)
{
	for (int i = 0; list[i] != NULL; i++)
		if (strcmp(list[i], word) == 0)
			return i;
	return -1;
}

bool
model_take_choice(struct model_reader *r, const char *const *list,
	const char *what, int *out)
{
	const char *place = r->lex.at, *word;

	if (!lex_word(&r->lex, what, r->arena, &word))
		return false;
	*out = position(list, word);
	return *out >= 0 ||
		model_fail_at(r, place, "expected %s, not \"%s\"", what, word);
}

bool
model_take_key(struct model_reader *r, const char *what, const char **out)
{
	const char *place = r->lex.at;

	if (!lex_word(&r->lex, what, r->arena, out))
		return false;
	return (*out)[strspn(*out, "abcdefghijklmnopqrstuvwxyz0123456789_")] ==
		'\0' ||
		model_fail_at(r, place,
			"expected %s in lower-case letters, digits and _",
			what);
}

int
model_find_chan(const struct model_reader *r, const char *key)
{
	for (int i = 0; i < r->chans.n; i++)
		if (strcmp(r->chans.at[i].key, key) == 0)
			return i;
	return -1;
}

bool
model_take_chan(struct model_reader *r, int *chan)
{
	const char *place = r->lex.at, *key;

	if (!lex_word(&r->lex, "the key of a channel", r->arena, &key))
		return false;
	*chan = model_find_chan(r, key);
	return *chan >= 0 ||
		model_fail_at(r, place,
			"expected a channel declared above, not %s", key);
}

bool
model_take_text(struct model_reader *r, const char *what, const char **out)
{
	const char *place = r->lex.at;

	if (!lex_string(&r->lex, what, r->arena, out))
		return false;
	return (*out)[strspn(*out, " \n")] != '\0' ||
		model_fail_at(r, place, "expected %s that is not empty", what);
}

bool
model_take_value(struct model_reader *r, int chan, int64_t *out)
{
	const char *place = r->lex.at;

	if (!lex_int(&r->lex, "a value, or %ARGUMENT", out))
		return false;
	if (r->chans.at[chan].shows == TYPE_NUMBER ||
		r->chans.at[chan].shows == TYPE_ID ||
		(*out >= 1 && *out <= MODEL_LABEL_MAX))
		return true;
	return model_fail_at(r, place,
		"expected a state from 1 to %" PRId64 " (0 is nothing)",
		MODEL_LABEL_MAX);
}

bool
model_add_label(
	struct model_reader *r, struct label_def label, const char *place)
{
	for (int i = 0; i < r->labels.n; i++) {
		const struct label_def *l = &r->labels.at[i];
		bool same = strcmp(l->label, label.label) == 0;

		if (l->chan != label.chan)
			continue;
		if (l->value == label.value && same)
			return true;
		if (l->value == label.value)
			return model_fail_at(r, place,
				"expected one label for a value: it is \"%s\"",
				l->label);
		if (same)
			return model_fail_at(r, place,
				"expected a new label: value %" PRId64
				" has this one",
				l->value);
	}
	if (r->labels.n == MODEL_ROWS_MAX)
		return model_fail_at(
			r, place, "expected at most %d labels", MODEL_ROWS_MAX);
	VEC_PUSH(&r->labels, r->arena, label);
	return true;
}

bool
model_take_meaning(struct model_reader *r, enum meaning *out)
{
	static const char *words[MEANINGS];
	int n;

	for (int i = MEANS_UNSAID + 1; i < MEANINGS; i++)
		words[i - 1] = meaning_name((enum meaning)i);
	if (!model_take_choice(r, words,
		    "task, create, scheduler, dependencies, memory, overhead, "
		    "sync, lock, communication, io, sleep, search, ready, "
		    "idle, flush, lost or error",
		    &n))
		return false;
	*out = (enum meaning)(n + 1);
	return true;
}

bool
model_mean(struct model_reader *r, int chan, int64_t value, enum meaning means)
{
	for (int i = 0; i < r->labels.n; i++) {
		struct label_def *l = &r->labels.at[i];

		if (l->chan != chan || l->value != value)
			continue;
		if (l->means != MEANS_UNSAID && l->means != means)
			return lex_fail(&r->lex,
				"expected one meaning for a value: it is %s",
				meaning_name(l->means));
		l->means = means;
	}
	return true;
}

static bool
is_version(const char *text)
{
	for (int i = 0; i < 3; i++) {
		size_t n = strspn(text, "0123456789");

		if (n == 0 || text[n] != (i < 2 ? '.' : '\0'))
			return false;
		text += n + 1;
	}
	return true;
}

static bool
take_version(struct model_reader *r)
{
	const char *place = r->lex.at;

	if (!lex_word(&r->lex, "its version, X.Y.Z", r->arena,
		    &r->model->version))
		return false;
	return is_version(r->model->version) ||
		model_fail_at(r, place,
			"expected a version of the form X.Y.Z, not \"%s\"",
			r->model->version);
}

static bool
take_letter(struct model_reader *r)
{
	const char *place = r->lex.at, *text;

	if (!lex_word(
		    &r->lex, "the first letter of its events", r->arena, &text))
		return false;
	/* '-' becomes '\0', a letter with which no event begins. */
	r->model->id = text[0] == '-' ? '\0' : text[0];
	return text[1] == '\0' ||
		model_fail_at(
			r, place, "expected one letter, not \"%s\"", text);
}

/* Returns another model with that name or letter, or NULL. */
static const struct model *
find_other(const struct model_reader *r, const char *name, char id)
{
	for (const struct model *const *m = models; *m != NULL; m++)
		if ((*m)->id == id || strcmp((*m)->name, name) == 0)
			return *m;
	for (int i = 0; i < r->others->model.n; i++) {
		const struct model *m = r->others->model.at[i];

		if ((id != '\0' && m->id == id) || strcmp(m->name, name) == 0)
			return m;
	}
	return NULL;
}

static bool
read_model(struct model_reader *r)
{
	const char *place = r->lex.at;
	const struct model *other;

	if (r->named)
		return lex_fail(&r->lex, "expected one model line in a file");
	if (!model_take_key(r, "the name of the model", &r->model->name) ||
		!take_version(r) || !take_letter(r) ||
		!model_take_text(
			r, "what the model shows, in quotes", &r->model->brief))
		return false;
	other = find_other(r, r->model->name, r->model->id);
	if (other != NULL)
		return model_fail_at(r, place,
			"expected an unused name and an unused letter: %s has "
			"the letter %c",
			other->name, other->id);
	r->named = true;
	return lex_expect_end(&r->lex, "the end of the line");
}

static bool
read_need(struct model_reader *r)
{
	static const char *const needs[] = { "nothing", "running", "active",
		"alive", NULL };
	static const enum need need_of[] = { NEED_NOTHING, NEED_RUNNING,
		NEED_ACTIVE, NEED_ALIVE };
	int need;

	if (!model_take_choice(
		    r, needs, "nothing, running, active or alive", &need))
		return false;
	r->model->need = need_of[need];
	if (lex_keyword(&r->lex, "on-cpu"))
		r->model->need |= NEED_ON_CPU;
	return lex_expect_end(&r->lex, "the end of the line");
}

static bool
take_label_meaning(struct model_reader *r, enum meaning *out)
{
	const char *place = r->lex.at;
	const char *key = lex_assign(&r->lex, r->arena);

	if (key == NULL || strcmp(key, "meaning") != 0)
		return model_fail_at(
			r, place, "expected meaning= or the end of the line");
	return model_take_meaning(r, out);
}

static bool
read_label(struct model_reader *r)
{
	struct label_def d = { 0 };
	const char *place;

	if (!model_take_chan(r, &d.chan) ||
		!model_take_value(r, d.chan, &d.value))
		return false;
	place = r->lex.at;
	if (!model_take_text(r, "its label, in quotes", &d.label) ||
		!model_add_label(r, d, place))
		return false;
	if (lex_end(&r->lex))
		return true;
	return take_label_meaning(r, &d.means) &&
		model_mean(r, d.chan, d.value, d.means) &&
		lex_expect_end(&r->lex, "the end of the line");
}

/* Reads the key of a panel. The key must be new, because a file is named after
 * it. */
static bool
take_panel_key(struct model_reader *r, const char **out)
{
	const char *place = r->lex.at;
	bool taken;

	if (!model_take_key(r, "the key of the panel", out))
		return false;
	taken = model_find_chan(r, *out) >= 0;
	for (int i = 0; i < r->panels.n; i++)
		taken |= strcmp(r->panels.at[i].key, *out) == 0;
	return !taken ||
		model_fail_at(r, place,
			"expected a new key: there is a channel or panel %s",
			*out);
}

/* Reads the key of a channel of the model, or MODEL.KEY, which is looked up
 * when a trace is open. */
static bool
take_panel_name(struct model_reader *r, const char **out, int *owner)
{
	const char *place = r->lex.at;
	int chan, of;

	if (!lex_word(&r->lex, "the key of a channel", r->arena, out))
		return false;
	if (strchr(*out, '.') != NULL)
		return true;
	chan = model_find_chan(r, *out);
	if (chan < 0)
		return model_fail_at(r, place,
			"expected a channel declared above, or MODEL.KEY, "
			"not %s",
			*out);
	of = r->chans.at[chan].of == CHAN_OF_SYSTEM;
	if (*owner >= 0 && *owner != of)
		return model_fail_at(r, place,
			"expected only channels of the system, or none of "
			"them: no row has both");
	*owner = of;
	return true;
}

static bool
read_panel(struct model_reader *r)
{
	struct panel_def d = { 0 };
	const char **names = ARENA_ARRAY(r->arena, const char *, PANEL_MAX + 1);
	int n = 0, owner = -1;

	if (!take_panel_key(r, &d.key) ||
		!model_take_text(r, "its title, in quotes", &d.title))
		return false;
	do {
		if (n == PANEL_MAX)
			return lex_fail(&r->lex, "expected at most %d channels",
				PANEL_MAX);
		if (!take_panel_name(r, &names[n++], &owner))
			return false;
	} while (!lex_end(&r->lex));
	d.names = names;
	VEC_PUSH(&r->panels, r->arena, d);
	return true;
}

static bool
read_line(struct model_reader *r)
{
	static const struct {
		const char *word;
		bool (*read)(struct model_reader *r);
	} lines[] = {
		{ "model", read_model },
		{ "need", read_need },
		{ "channel", model_chan_read },
		{ "label", read_label },
		{ "panel", read_panel },
		{ "tasks", model_tasks_read },
	};

	if (lex_end(&r->lex))
		return true;
	for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
		if (lex_keyword(&r->lex, lines[i].word))
			return lines[i].read(r);
	return model_row_read(r);
}

#define SHOWN 100 /* bytes of a line */
#define BEFORE 60 /* at most so many of these bytes precede the mark */

/* Appends the line to the error, with a mark below the position. */
static void
show_place(const struct lex *l, struct err *err)
{
	size_t used = strlen(err->text), room = sizeof err->text - used;
	const char *from = l->at - l->line > BEFORE ? l->at - BEFORE : l->line;
	size_t n = (size_t)(l->after - from);
	char text[SHOWN + 1];

	if (n > SHOWN)
		n = SHOWN;
	memcpy(text, from, n);
	text[n] = '\0';
	for (char *c = text; *c != '\0'; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = ' ';
	if (strlen(text) == n && room > 2 * SHOWN + 8)
		snprintf(err->text + used, room, "\n  %s\n  %*s^", text,
			(int)(l->at - from), "");
}

static void
keep(struct model_reader *r, struct model_list *list)
{
	struct model *m = r->model;

	m->chans = r->chans.at;
	m->nchans = r->chans.n;
	m->rows = r->rows.at;
	m->nrows = r->rows.n;
	m->labels = r->labels.at;
	m->nlabels = r->labels.n;
	m->panels = r->panels.at;
	m->npanels = r->panels.n;
	for (int i = 0; i < m->nchans; i++)
		if (m->chans[i].away)
			m->cut = cut_away;
	m->events = r->events.at;
	m->nevents = r->events.n;
	m->infers = r->infers.at;
	m->ninfers = r->infers.n;
	VEC_PUSH(&list->model, r->arena, m);
}

bool
model_file_read(struct arena *a, struct model_list *list, const char *path,
	struct err *err)
{
	struct model_reader r = {
		.arena = a, .model = ARENA_NEW(a, struct model), .others = list
	};
	size_t size;
	char *text = file_read(a, path, FILE_MAX, &size, err);

	if (text == NULL)
		return err_in(err, "%s", path);
	r.model->need = NEED_ACTIVE;
	lex_init(&r.lex, path, text, size, err);
	while (lex_line(&r.lex))
		if (!read_line(&r)) {
			show_place(&r.lex, err);
			return false;
		}
	if (!r.named)
		return err_set(err, ERR_INPUT, "%s: no model line in it", path);
	if (!model_tasks_check(&r, path, err))
		return false;
	keep(&r, list);
	return true;
}

bool
model_file_read_all(struct arena *a, struct model_list *list, const char *paths,
	struct err *err)
{
	while (*paths != '\0') {
		size_t n = strcspn(paths, ",");

		if (!model_file_read(a, list, arena_strndup(a, paths, n), err))
			return false;
		paths += n + (paths[n] == ',');
	}
	return true;
}
