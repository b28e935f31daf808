/* SPDX-License-Identifier: MIT */
#include "emu/model_file.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/vec.h"
#include "emu/describe.h"
#include "emu/signature.h"
#include "trace/text/lex.h"

#define FILE_MAX (4u << 20)
#define CHANS_MAX 256

struct reader {
	struct arena *arena;
	struct lex lex;
	struct model *model;
	VEC(struct chan_def) chans;
	VEC(struct row_def) rows;
	VEC(struct label_def) labels;
	bool named; /* the model line was read */
};

/* The position of a word in a list that ends with NULL, or -1. */
static int
position(const char *const *list, const char *word)
{
	for (int i = 0; list[i] != NULL; i++)
		if (strcmp(list[i], word) == 0)
			return i;
	return -1;
}

/* A word that must be one of a few. */
static bool
take_choice(
	struct reader *r, const char *const *list, const char *what, int *out)
{
	const char *start = r->lex.at, *word;

	if (!lex_word(&r->lex, what, r->arena, &word))
		return false;
	*out = position(list, word);
	if (*out >= 0)
		return true;
	r->lex.at = start;
	return lex_fail(&r->lex, "expected %s, not \"%s\"", what, word);
}

static bool
read_model(struct reader *r)
{
	struct lex *l = &r->lex;
	struct model *m = r->model;
	const char *letter;

	if (r->named)
		return lex_fail(l, "expected one model line in a file");
	if (!lex_word(l, "the name of the model", r->arena, &m->name) ||
		!lex_word(l, "its version, X.Y.Z", r->arena, &m->version) ||
		!lex_word(l, "the first letter of its events", r->arena,
			&letter) ||
		!lex_string(l, "what it shows, in quotes", r->arena, &m->brief))
		return false;
	if (letter[1] != '\0')
		return lex_fail(l, "expected one letter, not \"%s\"", letter);
	for (const struct model *const *b = models; *b != NULL; b++)
		if ((*b)->id == letter[0] || strcmp((*b)->name, m->name) == 0)
			return lex_fail(l,
				"expected a name and a letter that are free: "
				"%s has the letter %c",
				(*b)->name, (*b)->id);
	m->id = letter[0];
	r->named = true;
	return lex_expect_end(l, "the end of the line");
}

static bool
read_need(struct reader *r)
{
	static const char *const needs[] = { "nothing", "running", "active",
		NULL };
	int need;

	if (!take_choice(r, needs, "nothing, running or active", &need))
		return false;
	r->model->need = (enum need)need;
	return lex_expect_end(&r->lex, "the end of the line");
}

/* The number that an option of a channel sets, or NULL. */
static int64_t *
number_option(struct chan_def *c, const char *key)
{
	if (strcmp(key, "start") == 0)
		return &c->start;
	if (strcmp(key, "idle") == 0)
		return &c->idle;
	return strcmp(key, "disabled") == 0 ? &c->disabled : NULL;
}

/* The words alone. */
static bool *
flag_option(struct lex *l, struct chan_def *c)
{
	if (lex_keyword(l, "dup"))
		return &c->dup;
	return lex_keyword(l, "off") ? &c->off : NULL;
}

/* An option that is one of a few words. */
static bool
read_choice_option(struct reader *r, struct chan_def *c, const char *key)
{
	static const char *const tracks[] = { "none", "running", "active",
		NULL };
	static const char *const shows[] = { "state", "number", "point", NULL };
	static const char *const emits[] = { "skip", "skipnull", "all", NULL };
	int n;

	if (strcmp(key, "track") == 0) {
		if (!take_choice(r, tracks, "none, running or active", &n))
			return false;
		c->thread = (enum track)n;
	} else if (strcmp(key, "cpu") == 0) {
		if (!take_choice(r, &tracks[1], "running or active", &n))
			return false;
		c->cpu_active = n == 1;
	} else if (strcmp(key, "show") == 0) {
		if (!take_choice(r, shows, "state, number or point", &n))
			return false;
		c->shows = (enum type_kind)n;
	} else if (strcmp(key, "emit") == 0) {
		if (!take_choice(r, emits, "skip, skipnull or all", &n))
			return false;
		c->emission = (enum emission)n;
	} else {
		return lex_fail(&r->lex, "expected no \"%s=\" here", key);
	}
	return true;
}

/* One key=value, or a word alone, behind a channel. */
static bool
read_chan_option(struct reader *r, struct chan_def *c)
{
	struct lex *l = &r->lex;
	bool *flag = flag_option(l, c);
	const char *key;
	int64_t *number;

	if (flag != NULL)
		return *flag = true;
	key = lex_assign(l, r->arena);
	if (key == NULL)
		return lex_fail(l,
			"expected track=, cpu=, none=, show=, emit=, start=, "
			"idle=, disabled=, dup or off");
	if (strcmp(key, "none") == 0)
		return lex_string(l, "a label", r->arena, &c->none);
	number = number_option(c, key);
	if (number != NULL)
		return lex_int(l, "a number", number);
	return read_choice_option(r, c, key);
}

static int
find_chan(const struct reader *r, const char *key)
{
	for (int i = 0; i < r->chans.n; i++)
		if (strcmp(r->chans.at[i].key, key) == 0)
			return i;
	return -1;
}

static bool
read_channel(struct reader *r)
{
	static const char *const kinds[] = { "single", "stack", NULL };
	struct lex *l = &r->lex;
	struct chan_def c = { .thread = TRACK_ACTIVE };
	int kind;

	if (r->chans.n == CHANS_MAX)
		return lex_fail(l, "expected at most %d channels", CHANS_MAX);
	if (!lex_word(l, "the key of the channel", r->arena, &c.key) ||
		!take_choice(r, kinds, "single or stack", &kind) ||
		!lex_int(l, "its Paraver type", &c.number) ||
		!lex_string(l, "its title, in quotes", r->arena, &c.title))
		return false;
	if (find_chan(r, c.key) >= 0)
		return lex_fail(l, "expected a new key, %s is known", c.key);
	c.kind = (enum chan_kind)kind;
	while (!lex_end(l))
		if (!read_chan_option(r, &c))
			return false;
	VEC_PUSH(&r->chans, r->arena, c);
	return true;
}

static bool
take_chan(struct reader *r, int *chan)
{
	const char *start = r->lex.at, *key;

	if (!lex_word(&r->lex, "the key of a channel", r->arena, &key))
		return false;
	*chan = find_chan(r, key);
	if (*chan >= 0)
		return true;
	r->lex.at = start;
	return lex_fail(
		&r->lex, "expected a channel declared above, not %s", key);
}

static bool
read_label(struct reader *r)
{
	struct label_def d = { 0 };

	if (!take_chan(r, &d.chan) || !lex_int(&r->lex, "a value", &d.value) ||
		!lex_string(
			&r->lex, "its label, in quotes", r->arena, &d.label))
		return false;
	VEC_PUSH(&r->labels, r->arena, d);
	return lex_expect_end(&r->lex, "the end of the line");
}

/* "XJn(u32 job, u32 type)": words up to the bracket that closes. */
static bool
take_signature(struct reader *r, struct signature *sig, const char **text)
{
	struct lex *l = &r->lex;
	const char *start = l->at, *word;
	struct err err = { 0 };

	*text = "";
	do {
		if (!lex_word(l, "an event", r->arena, &word))
			return false;
		*text = **text == '\0'
			? word
			: arena_printf(r->arena, "%s %s", *text, word);
	} while (strchr(*text, '(') != NULL && strchr(*text, ')') == NULL);
	if (signature_parse(sig, *text, &err) && sig->name[0] == r->model->id)
		return true;
	l->at = start;
	if (err.kind != ERR_NONE)
		return lex_fail(l, "%s", err.text);
	return lex_fail(
		l, "expected an event that begins with %c", r->model->id);
}

/* The argument of that name, or -1. */
static int
find_arg(const struct signature *sig, const char *name)
{
	for (int i = 0; i < sig->nargs; i++)
		if (strcmp(sig->arg[i].name, name) == 0)
			return i;
	return -1;
}

static bool
take_value(struct reader *r, const struct signature *sig, struct row_def *d)
{
	struct lex *l = &r->lex;
	const char *start = l->at, *name;

	d->arg = -1;
	if (!lex_is(l, '%'))
		return lex_int(l, "a value, or %ARGUMENT", &d->value);
	lex_byte(l, '%');
	if (!lex_word(l, "the name of an argument", r->arena, &name))
		return false;
	d->arg = find_arg(sig, name);
	if (d->arg >= 0 && sig->arg[d->arg].type != FIELD_STR)
		return true;
	l->at = start;
	return lex_fail(
		l, "expected a number argument of the event, not %s", name);
}

static bool
take_owner(struct reader *r, const struct signature *sig, struct row_def *d)
{
	const char *start = r->lex.at, *word;

	if (!lex_word(&r->lex, "running, or an argument", r->arena, &word))
		return false;
	d->owner = OWNER_RUNNING;
	if (strcmp(word, "running") == 0)
		return true;
	d->owner = OWNER_TID;
	d->owner_arg = find_arg(sig, word);
	if (d->owner_arg >= 0)
		return true;
	r->lex.at = start;
	return lex_fail(&r->lex,
		"expected running, or an argument of the "
		"event");
}

static bool
read_row_options(
	struct reader *r, const struct signature *sig, struct row_def *d)
{
	struct lex *l = &r->lex;

	if (lex_is(l, '"') && !lex_string(l, "a label", r->arena, &d->label))
		return false;
	while (!lex_end(l)) {
		const char *key = lex_assign(l, r->arena);

		if (key != NULL && strcmp(key, "of") == 0) {
			if (!take_owner(r, sig, d))
				return false;
		} else if (key != NULL && strcmp(key, "says") == 0) {
			if (!lex_string(l, "a sentence", r->arena, &d->says))
				return false;
		} else {
			return lex_fail(l,
				"expected a label, of=, says= or "
				"the end");
		}
	}
	return true;
}

/* Stacks are pushed and popped, single channels are not. */
static bool
fits_kind(struct reader *r, const struct row_def *d)
{
	bool stack = r->chans.at[d->chan].kind == CHAN_STACK;
	bool wants = d->action == ROW_PUSH || d->action == ROW_POP ||
		d->action == ROW_REPLACE;

	if (stack == wants || d->action == ROW_POINT ||
		d->action == ROW_ENABLE || d->action == ROW_DISABLE)
		return true;
	return lex_fail(&r->lex, "expected a %s channel for this action",
		wants ? "stack" : "single");
}

/* The channel that a row changes, and the value. */
static bool
read_change(struct reader *r, const struct signature *sig, struct row_def *d)
{
	if (d->action == ROW_IGNORE)
		return true;
	if (!take_chan(r, &d->chan) || !fits_kind(r, d))
		return false;
	return d->action == ROW_ENABLE || d->action == ROW_DISABLE ||
		take_value(r, sig, d);
}

static bool
read_row(struct reader *r)
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
		NULL,
	};
	struct row_def d = { .arg = -1 };
	struct signature sig;
	struct err err = { 0 };
	int action;

	if (!r->named)
		return lex_fail(&r->lex, "expected the model line first");
	if (!take_signature(r, &sig, &d.signature) ||
		!take_choice(r, actions,
			"push, pop, set, replace, add, sub, show, point, "
			"enable, disable or ignore",
			&action))
		return false;
	d.action = (enum row_action)action;
	d.says = d.signature;
	if (!read_change(r, &sig, &d) || !read_row_options(r, &sig, &d))
		return false;
	if (!describe_check(d.says, d.signature, &err))
		return lex_fail(&r->lex, "%s", err.text);
	VEC_PUSH(&r->rows, r->arena, d);
	return true;
}

static bool
read_line(struct reader *r)
{
	struct lex *l = &r->lex;

	if (lex_end(l))
		return true;
	if (lex_keyword(l, "model"))
		return read_model(r);
	if (lex_keyword(l, "need"))
		return read_need(r);
	if (lex_keyword(l, "channel"))
		return read_channel(r);
	if (lex_keyword(l, "label"))
		return read_label(r);
	return read_row(r);
}

/* Shows the row that the error is about. */
static void
show_line(struct reader *r, struct err *err)
{
	int n = (int)(r->lex.after - r->lex.line);
	size_t used = strlen(err->text);

	if (used + 16 < sizeof err->text)
		snprintf(err->text + used, sizeof err->text - used, ": %.*s", n,
			r->lex.line);
}

const struct model *
model_file_read(struct arena *a, const char *path, struct err *err)
{
	struct reader r = { .arena = a, .model = ARENA_NEW(a, struct model) };
	size_t size;
	char *text = file_read(a, path, FILE_MAX, &size, err);

	if (text == NULL) {
		err_in(err, "%s", path);
		return NULL;
	}
	r.model->need = NEED_ACTIVE;
	lex_init(&r.lex, path, text, size, err);
	while (lex_line(&r.lex))
		if (!read_line(&r)) {
			show_line(&r, err);
			return NULL;
		}
	if (!r.named) {
		err_set(err, ERR_INPUT, "%s: no model line in it", path);
		return NULL;
	}
	r.model->chans = r.chans.at;
	r.model->nchans = r.chans.n;
	r.model->rows = r.rows.at;
	r.model->nrows = r.rows.n;
	r.model->labels = r.labels.at;
	r.model->nlabels = r.labels.n;
	return r.model;
}
