/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <string.h>

#include "cli/shell.h"
#include "cli/view/view.h"

/* Returns the arguments with an option behind them. value: NULL for a flag. */
static const char *
with(struct arena *a, const char *before, const char *name, const char *value)
{
	if (value == NULL)
		return arena_printf(a, "%s--%s ", before, name);
	return arena_printf(
		a, "%s--%s=%s ", before, name, shell_word(a, value));
}

/* Returns the word of a choice. */
static const char *
word_of(struct arena *a, const char *choices, int choice)
{
	while (choice-- > 0)
		choices += strcspn(choices, ",") + 1;
	return arena_printf(a, "%.*s", (int)strcspn(choices, ","), choices);
}

/* Returns where the value of an option lies; NULL: it has none. */
static const void *
place_of(const struct option_def *o)
{
	const void *places[] = { o->flag, o->text, o->texts, o->number,
		o->choice };

	for (size_t i = 0; i < sizeof places / sizeof *places; i++)
		if (places[i] != NULL)
			return places[i];
	return NULL;
}

/* Returns the value of an option as a word; NULL: it is `usual`. */
static const char *
value_of(struct arena *a, const struct option_def *o, const void *usual)
{
	if (o->text != NULL)
		return *o->text;
	if (o->number != NULL && *o->number != *(const int64_t *)usual)
		return arena_printf(a, "%" PRId64, *o->number);
	if (o->choice != NULL && *o->choice != *(const int *)usual)
		return word_of(a, o->choices, *o->choice);
	return NULL;
}

/* Returns the arguments with an option whose value is not the default. */
static const char *
with_option(struct arena *a, const char *before, const struct option_def *o,
	const struct pipeline *r)
{
	static const struct pipeline unset = RUN_DEFAULTS;
	const void *place = place_of(o);
	uintptr_t at = (uintptr_t)place - (uintptr_t)r;
	const char *value;

	/* Only the options that are not in the pipeline are weft view's own. */
	if (place == NULL || at >= sizeof *r)
		return before;
	if (o->flag != NULL)
		return *o->flag ? with(a, before, o->name, NULL) : before;
	for (int i = 0; o->texts != NULL && o->texts[i] != NULL; i++)
		before = with(a, before, o->name, o->texts[i]);
	value = value_of(a, o, (const char *)&unset + at);
	return value == NULL ? before : with(a, before, o->name, value);
}

const char *
view_shared_options(struct arena *a, const struct option_def *opts,
	const struct pipeline *r, bool window)
{
	const char *text = "";

	for (; opts->name != NULL; opts++)
		if (strcmp(opts->name, "breakdown") != 0 &&
			(window ||
				(strcmp(opts->name, "from") != 0 &&
					strcmp(opts->name, "to") != 0)))
			text = with_option(a, text, opts, r);
	return text;
}

const char *
view_arguments(struct arena *a, const char *shared, const struct view_trace *t)
{
	const struct pipeline *r = &t->options;
	const char *text = shared;

	if (r->npaths < 2)
		return arena_printf(a, "%s%s", text, shell_word(a, t->path));
	for (int i = 0; i < r->npaths; i++)
		text = arena_printf(a, "%s%s%s", text, i > 0 ? " " : "",
			shell_word(a, r->paths[i]));
	return text;
}
