/* SPDX-License-Identifier: MIT */
#include "emu/model_reader.h"

#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "emu/describe.h"
#include "emu/signature.h"

#define EVENT_LETTERS 3 /* the letters of model, category and value */

/* Actions after those of enum row_action, for events that a function handles.
 */
enum { ROW_TASK = ROW_IGNORE + 1, ROW_COUNTERS };

/* A row's line. */
struct line {
	const char *place; /* position of the event in the text */
	struct model_row def;
	struct signature sig;
	const char *names; /* "XJn|XJm": all its events */
	const char *rest;  /* "(u32 job)" */
};

/* Returns the reason why an event must not have one more row, or NULL. Each row
 * of an event must change another channel, and all rows must have the same
 * arguments. */
static const char *
why_taken(const struct model_reader *r, const struct line *d, const char *name)
{
	for (int i = 0; i < r->names.n; i++) {
		const struct model_name *n = &r->names.at[i];

		if (!signature_match(n->name, name) &&
			!signature_match(name, n->name))
			continue;
		if (strcmp(n->name, name) != 0 || strcmp(n->rest, d->rest) != 0)
			return "with the same name and arguments as its other "
			       "row";
		if (n->action == ROW_IGNORE || d->def.action == ROW_IGNORE)
			return "that does something, if it has several";
		if (n->chan == d->def.chan)
			return "for each channel that an event changes";
	}
	return NULL;
}

static bool
fail_letter(struct model_reader *r, const char *place)
{
	if (r->model->id == '\0')
		return model_fail_at(r, place,
			"expected a name of more than three letters: only a "
			"model with a letter has names of three");
	return model_fail_at(r, place, "expected an event that begins with %c",
		r->model->id);
}

static bool
check_name(struct model_reader *r, struct line *d, const char *name,
	const char *place)
{
	const char *text = arena_printf(r->arena, "%s%s", name, d->rest);
	struct err err = { 0 };

	if (!signature_parse(&d->sig, text, &err))
		return model_fail_at(r, place, "%s", err.text);
	if (strlen(d->sig.name) == EVENT_LETTERS && name[0] != r->model->id)
		return fail_letter(r, place);
	if (strlen(d->sig.name) > EVENT_LETTERS &&
		!isalpha((unsigned char)name[0]) && name[0] != '_')
		return model_fail_at(
			r, place, "expected a name that begins with a letter");
	if (strlen(d->sig.name) < EVENT_LETTERS)
		return model_fail_at(r, place,
			"expected an event of %d letters or more, not %s",
			EVENT_LETTERS, name);
	return true;
}

/* Returns the next name of "A|B" and moves *at behind it; NULL at the end. */
static const char *
next_name(struct model_reader *r, const char **at)
{
	const char *start = *at;
	size_t n = strcspn(start, "|");

	if (*start == '\0')
		return NULL;
	*at = start + n + (start[n] == '|');
	return arena_strndup(r->arena, start, n);
}

/* Reads "XJn|XJm(u32 job, u32 type)": words up to the closing bracket. */
static bool
take_event(struct model_reader *r, struct line *d)
{
	struct lex *l = &r->lex;
	const char *place = l->at, *word, *text = "", *at, *name;
	size_t n;

	d->place = place;
	do {
		if (!lex_word(l, "an event", r->arena, &word))
			return false;
		text = *text == '\0'
			? word
			: arena_printf(r->arena, "%s %s", text, word);
	} while (strchr(text, '(') != NULL && strchr(text, ')') == NULL);
	n = strcspn(text, "+(");
	d->names = at = arena_strndup(r->arena, text, n);
	d->rest = text + n;
	if (n == 0 || text[n - 1] == '|')
		return model_fail_at(r, place, "expected the name of an event");
	while ((name = next_name(r, &at)) != NULL)
		if (!check_name(r, d, name, place))
			return false;
	return true;
}

/* Returns the index of an integer argument; -1 with an error at the
 * position. */
static int
find_arg(struct model_reader *r, const struct line *d, const char *name,
	const char *place)
{
	for (int i = 0; i < d->sig.nargs; i++)
		if (strcmp(d->sig.arg[i].name, name) == 0 &&
			d->sig.arg[i].type != FIELD_STR &&
			d->sig.arg[i].type != FIELD_F64)
			return i;
	model_fail_at(r, place,
		"expected an integer argument of the event, not %s", name);
	return -1;
}

static bool
take_value(struct model_reader *r, struct line *d)
{
	const char *place = r->lex.at, *name;
	bool sets = d->def.action == ROW_SET || d->def.action == ROW_SHOW;

	d->def.arg = -1;
	if (sets && lex_keyword(&r->lex, "none")) {
		d->def.value = VALUE_NONE;
		return true;
	}
	if (!lex_byte(&r->lex, '%'))
		return model_take_value(r, d->def.chan, &d->def.value);
	if (!lex_word(&r->lex, "the name of an argument", r->arena, &name))
		return false;
	d->def.arg = find_arg(r, d, name, place);
	return d->def.arg >= 0;
}

/* Returns the owner of the channel of a row without `of`. */
static enum row_owner
default_owner(enum chan_owner of)
{
	return of == CHAN_OF_CPU        ? OWNER_CPU
		: of == CHAN_OF_PROCESS ? OWNER_PROCESS
		: of == CHAN_OF_SYSTEM  ? OWNER_SYSTEM
					: OWNER_THREAD;
}

static bool
take_owner(struct model_reader *r, struct line *d)
{
	static const char *const words[] = {
		[OWNER_THREAD] = "thread",
		[OWNER_RUNNING] = "running",
		[OWNER_TID] = "",
		[OWNER_CPU] = "cpu",
		[OWNER_PROCESS] = "process",
		[OWNER_SYSTEM] = "system",
	};
	enum chan_owner of = r->chans.at[d->def.chan].of;
	const char *place = r->lex.at, *word;
	int owner = OWNER_THREAD;

	if (!lex_word(&r->lex,
		    "thread, running, cpu, process, system or an argument",
		    r->arena, &word))
		return false;
	while (owner <= OWNER_SYSTEM && strcmp(words[owner], word) != 0)
		owner++;
	if (owner > OWNER_SYSTEM)
		owner = OWNER_TID;
	if (owner == OWNER_TID) {
		d->def.owner_arg = find_arg(r, d, word, place);
		if (d->def.owner_arg < 0)
			return false;
	}
	d->def.owner = (enum row_owner)owner;
	if (owner >= OWNER_CPU)
		return d->def.owner == default_owner(of) ||
			model_fail_at(r, place,
				"expected a channel that is declared with "
				"of=%s",
				word);
	return of == CHAN_OF_THREAD ||
		model_fail_at(r, place,
			"expected of=%s: what the channel belongs to",
			words[default_owner(of)]);
}

static bool
take_since(struct model_reader *r, struct line *d)
{
	const char *place = r->lex.at, *name;

	d->def.since = lex_byte(&r->lex, '-') ? SINCE_AGO : SINCE_TIME;
	if (!lex_word(
		    &r->lex, "an argument that holds a time", r->arena, &name))
		return false;
	d->def.since_arg = find_arg(r, d, name, place);
	return d->def.since_arg >= 0;
}

static bool
take_says(struct model_reader *r, struct line *d)
{
	const char *place = r->lex.at;
	struct err err = { 0 };

	if (!lex_string(
		    &r->lex, "a sentence in quotes", r->arena, &d->def.says))
		return false;
	return describe_check(d->def.says,
		       arena_printf(r->arena, "%s%s", d->sig.name, d->rest),
		       &err) ||
		model_fail_at(r, place, "%s", err.text);
}

/* Reads one key=value behind a row. */
static bool
read_option(struct model_reader *r, struct line *d)
{
	enum row_action action = d->def.action;
	bool changes = action != ROW_IGNORE;
	bool has_value =
		changes && action != ROW_ENABLE && action != ROW_DISABLE;
	const char *place = r->lex.at;
	const char *key = lex_assign(&r->lex, r->arena);

	if (key != NULL && strcmp(key, "says") == 0)
		return take_says(r, d);
	if (key != NULL && changes && strcmp(key, "of") == 0)
		return take_owner(r, d);
	if (key != NULL && has_value && strcmp(key, "since") == 0)
		return take_since(r, d);
	if (key != NULL && d->def.label != NULL && strcmp(key, "meaning") == 0)
		return model_take_meaning(r, &d->def.means) &&
			model_mean(r, d->def.chan, d->def.value, d->def.means);
	return model_fail_at(r, place, "expected %s%s%ssays= or the end",
		changes ? "of=, " : "", has_value ? "since=, " : "",
		d->def.label != NULL ? "meaning=, " : "");
}

static bool
is_switch(enum row_action action)
{
	return action == ROW_ENABLE || action == ROW_DISABLE;
}

/* Reads the channel: a stack for push, pop and replace, else a single one. */
static bool
take_fitting_chan(struct model_reader *r, struct line *d)
{
	enum row_action action = d->def.action;
	bool wants = action == ROW_PUSH || action == ROW_POP ||
		action == ROW_REPLACE;
	const char *place = r->lex.at;

	if (!model_take_chan(r, &d->def.chan))
		return false;
	d->def.owner = default_owner(r->chans.at[d->def.chan].of);
	if (action == ROW_POINT || is_switch(action) ||
		(r->chans.at[d->def.chan].kind == CHAN_STACK) == wants)
		return true;
	return model_fail_at(r, place, "expected a %s channel for this action",
		wants ? "stack" : "single");
}

static bool
take_label(struct model_reader *r, struct line *d)
{
	const char *place = r->lex.at;

	if (!lex_is(&r->lex, '"'))
		return true;
	if (d->def.arg >= 0 || d->def.value == VALUE_NONE)
		return lex_fail(&r->lex,
			"expected no label: only a number has one here");
	if (!model_take_text(r, "a label", &d->def.label))
		return false;
	return model_add_label(r,
		(struct label_def){ .chan = d->def.chan,
			.value = d->def.value,
			.label = d->def.label },
		place);
}

/* Reads the channel that a row changes, and the value. */
static bool
read_change(struct model_reader *r, struct line *d)
{
	if (d->def.action == ROW_IGNORE)
		return true;
	if (!take_fitting_chan(r, d))
		return false;
	return is_switch(d->def.action) ||
		(take_value(r, d) && take_label(r, d));
}

/* Notes that the event has a row; fails if it must not have one more. */
static bool
add_name(struct model_reader *r, const struct line *d, const char *name)
{
	const char *why = why_taken(r, d, name);

	if (why != NULL)
		return model_fail_at(
			r, d->place, "expected one row %s: %s", why, name);
	if (r->names.n == MODEL_ROWS_MAX)
		return model_fail_at(r, d->place, "expected at most %d rows",
			MODEL_ROWS_MAX);
	VEC_PUSH(&r->names, r->arena,
		((struct model_name){
			name, d->rest, d->def.chan, d->def.action }));
	return true;
}

/* Adds one row per name. */
static bool
add_rows(struct model_reader *r, struct line *d)
{
	const char *at = d->names, *name;

	while ((name = next_name(r, &at)) != NULL) {
		struct model_row def = d->def;

		if (!add_name(r, d, name))
			return false;
		def.signature = arena_printf(r->arena, "%s%s", name, d->rest);
		VEC_PUSH(&r->rows, r->arena, def);
	}
	return true;
}

/* Reads the rest of an event that a function handles. */
static bool
read_call(struct model_reader *r, struct line *d, bool task)
{
	const char *text = arena_printf(r->arena, "%s%s", d->names, d->rest);
	struct event_def def = { 0 };

	if (strchr(d->names, '|') != NULL)
		return model_fail_at(r, d->place,
			"expected the name of one event for this action");
	d->def.action = ROW_IGNORE; /* the event can have no other row */
	if (!(task ? model_task_take : model_counters_take)(
		    r, d->place, text, &d->sig, &def))
		return false;
	while (!lex_end(&r->lex))
		if (!read_option(r, d))
			return false;
	if (d->def.says != NULL)
		def.says = d->def.says;
	if (!add_name(r, d, d->names))
		return false;
	VEC_PUSH(&r->events, r->arena, def);
	return true;
}

bool
model_row_read(struct model_reader *r)
{
	static const char *const actions[] = {
		[ROW_PUSH] = "push",
		[ROW_POP] = "pop",
		[ROW_SET] = "set",
		[ROW_REPLACE] = "replace",
		[ROW_ADD] = "add",
		[ROW_SUB] = "sub",
		[ROW_SHOW] = "show",
		[ROW_POINT] = "point",
		[ROW_ENABLE] = "enable",
		[ROW_DISABLE] = "disable",
		[ROW_IGNORE] = "ignore",
		[ROW_TASK] = "task",
		[ROW_COUNTERS] = "counters",
		NULL,
	};
	struct line d = { .def.arg = -1 };
	int action;

	if (!r->named)
		return lex_fail(&r->lex, "expected the model line first");
	if (!take_event(r, &d) ||
		!model_take_choice(r, actions,
			"push, pop, set, replace, add, sub, show, point, "
			"enable, disable, ignore, task or counters",
			&action))
		return false;
	if (action > ROW_IGNORE)
		return read_call(r, &d, action == ROW_TASK);
	d.def.action = (enum row_action)action;
	if (!read_change(r, &d))
		return false;
	while (!lex_end(&r->lex))
		if (!read_option(r, &d))
			return false;
	return add_rows(r, &d);
}
