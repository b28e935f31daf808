/* SPDX-License-Identifier: MIT */
#include "emu/model_reader.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "emu/hwc.h"
#include "emu/numbers.h"

#define NUMBER_MAX INT64_C(6400102) /* largest Paraver type */

/* A channel line. */
struct line {
	struct chan_def def;
	const char *threads_only; /* position of an option that only channels of
	                           * threads may have, or NULL */
};

/* Returns the number that an option sets, or NULL. */
static int64_t *
number_option(struct line *c, const char *key)
{
	if (strcmp(key, "start") == 0)
		return &c->def.start;
	if (strcmp(key, "idle") == 0)
		return &c->def.idle;
	return strcmp(key, "disabled") == 0 ? &c->def.disabled : NULL;
}

/* Returns the flag that a single word sets, or NULL. */
static bool *
flag_option(struct model_reader *r, struct line *c)
{
	const char *place = r->lex.at;

	if (lex_keyword(&r->lex, "dup"))
		return &c->def.dup;
	if (lex_keyword(&r->lex, "away")) {
		c->threads_only = place;
		return &c->def.away;
	}
	return lex_keyword(&r->lex, "off") ? &c->def.off : NULL;
}

/* Reads an option whose value is one of a few words. */
static bool
read_choice_option(struct model_reader *r, struct line *c, const char *key)
{
	static const char *const owners[] = { "thread", "cpu", "process",
		"system", NULL };
	static const char *const tracks[] = { "none", "running", "active",
		"alive", NULL };
	static const enum track track_of[] = { TRACK_NONE, TRACK_RUNNING,
		TRACK_ACTIVE, TRACK_ALIVE };
	static const char *const cpus[] = { "running", "active", NULL };
	static const char *const shows[] = { "state", "number", "point", "id",
		NULL };
	static const char *const emits[] = { "skip", "skipnull", "all", NULL };
	int n;

	if (strcmp(key, "of") == 0) {
		if (!model_take_choice(
			    r, owners, "thread, cpu, process or system", &n))
			return false;
		c->def.of = (enum chan_owner)n;
	} else if (strcmp(key, "track") == 0) {
		if (!model_take_choice(
			    r, tracks, "none, running, active or alive", &n))
			return false;
		c->def.thread = track_of[n];
	} else if (strcmp(key, "cpu") == 0) {
		if (!model_take_choice(r, cpus, "running or active", &n))
			return false;
		c->def.cpu_active = n == 1;
	} else if (strcmp(key, "show") == 0) {
		if (!model_take_choice(
			    r, shows, "state, number, point or id", &n))
			return false;
		c->def.shows = (enum type_kind)n;
	} else {
		if (!model_take_choice(r, emits, "skip, skipnull or all", &n))
			return false;
		c->def.emission = (enum emission)n;
	}
	return true;
}

/* Reads a key=value, or a single word, behind a channel. */
static bool
read_option(struct model_reader *r, struct line *c)
{
	static const char *const choices[] = { "of", "track", "cpu", "show",
		"emit", NULL };
	static const char *const of_threads[] = { "track", "cpu", "idle",
		NULL };
	const char *place = r->lex.at, *key;
	bool *flag = flag_option(r, c);

	if (flag != NULL)
		return *flag = true;
	key = lex_assign(&r->lex, r->arena);
	if (key == NULL)
		return lex_fail(&r->lex,
			"expected of=, track=, cpu=, none=, show=, emit=, "
			"start=, idle=, disabled=, meaning=, dup, away or off");
	if (text_is_one_of(key, of_threads))
		c->threads_only = place;
	if (strcmp(key, "none") == 0)
		return model_take_text(r, "a label in quotes", &c->def.none);
	if (strcmp(key, "meaning") == 0)
		return model_take_meaning(r, &c->def.means);
	if (number_option(c, key) != NULL)
		return lex_int(&r->lex, "a number", number_option(c, key));
	if (text_is_one_of(key, choices))
		return read_choice_option(r, c, key);
	return model_fail_at(r, place, "expected no \"%s=\" here", key);
}

/* Returns the name of the user of a Paraver type, or NULL. */
static const char *
user_of(const struct model_reader *r, int64_t number)
{
	for (const struct model *const *m = models; *m != NULL; m++)
		if (numbers_has(*m, number))
			return (*m)->name;
	for (int i = 0; i < r->others->model.n; i++)
		if (numbers_has(r->others->model.at[i], number))
			return r->others->model.at[i]->name;
	for (int i = 0; i < r->chans.n; i++)
		if (r->chans.at[i].number == number)
			return r->chans.at[i].key;
	if (r->model->hwc_from != 0 && number >= r->model->hwc_from &&
		number < r->model->hwc_from + HWC_MAX)
		return "hwc";
	return NULL;
}

bool
model_take_number(struct model_reader *r, int n, int64_t *out)
{
	const char *place = r->lex.at, *user = NULL;

	if (!lex_int(&r->lex, "its Paraver type, a number", out))
		return false;
	if (*out < 1 || *out > NUMBER_MAX + 1 - n)
		return model_fail_at(r, place,
			"expected a type from 1 to %" PRId64,
			NUMBER_MAX + 1 - n);
	for (int i = 0; i < n; i++) {
		user = user_of(r, *out + i);
		if (user != NULL)
			return model_fail_at(r, place,
				"expected an unused Paraver type: %s has "
				"%" PRId64,
				user, *out + i);
	}
	return true;
}

static bool
take_new_key(struct model_reader *r, const char **out)
{
	const char *place = r->lex.at;

	if (r->chans.n == MODEL_CHANS_MAX)
		return lex_fail(&r->lex, "expected at most %d channels",
			MODEL_CHANS_MAX);
	if (!model_take_key(r, "the key of the channel", out))
		return false;
	return model_find_chan(r, *out) < 0 ||
		model_fail_at(r, place,
			"expected a new key: there is a channel %s", *out);
}

bool
model_chan_read(struct model_reader *r)
{
	static const char *const kinds[] = { "single", "stack", NULL };
	struct line c = { .def.thread = TRACK_ACTIVE };
	int kind;

	if (!take_new_key(r, &c.def.key) ||
		!model_take_choice(r, kinds, "single or stack", &kind) ||
		!model_take_number(r, 1, &c.def.number) ||
		!model_take_text(r, "its title, in quotes", &c.def.title))
		return false;
	c.def.kind = (enum chan_kind)kind;
	while (!lex_end(&r->lex))
		if (!read_option(r, &c))
			return false;
	if (c.def.of != CHAN_OF_THREAD) {
		if (c.threads_only != NULL)
			return model_fail_at(r, c.threads_only,
				"expected this option only for a channel of "
				"threads: others are always shown");
		c.def.thread = TRACK_NONE;
	}
	VEC_PUSH(&r->chans, r->arena, c.def);
	return true;
}
