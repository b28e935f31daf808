/* SPDX-License-Identifier: MIT */
#include "rt/gate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rt/say.h"
#include "weft/trace.h"

enum { CATEGORIES = 128, MODELS = 128, ALL = -1 };

WEFT_API unsigned char weft_gate[MODELS * CATEGORIES];

/* What WEFT_EVENTS says, kept while recording is switched off. */
static unsigned char wanted[MODELS * CATEGORIES];

/* clang-format off */
const struct gate_word weft_rt_gate_words[] = {
	{"ovni",   'O', "",           0},
	{"ovni",   'O', "burst",      'B'},
	{"ovni",   'O', "mark",       'M'},
	{"nanos6", '6', "",           0},
	{"nanos6", '6', "blocking",   'B'},
	{"nanos6", '6', "creating",   'C'},
	{"nanos6", '6', "dependency", 'D'},
	{"nanos6", '6', "spawning",   'F'},
	{"nanos6", '6', "thread",     'H'},
	{"nanos6", '6', "memory",     'M'},
	{"nanos6", '6', "taskfor",    'O'},
	{"nanos6", '6', "idle",       'P'},
	{"nanos6", '6', "scheduler",  'S'},
	{"nanos6", '6', "task",       'T'},
	{"nanos6", '6', "submitting", 'U'},
	{"nanos6", '6', "worker",     'W'},
	{"nanos6", '6', "type",       'Y'},
	{"nanos6", '6', "body",       't'},
	{NULL, 0, NULL, 0},
};
/* clang-format on */

static void
set(unsigned model, int category, unsigned char is_on)
{
	if (category == ALL)
		memset(&wanted[model * CATEGORIES], is_on, CATEGORIES);
	else
		wanted[model * CATEGORIES + (unsigned)category] = is_on;
}

static bool
is_word(const char *word, const char *text, size_t n)
{
	return word[0] != '\0' && strlen(word) == n && !memcmp(word, text, n);
}

/* The letter of a model's name, or the name if it is a letter; 0: unknown. */
static unsigned
model_of(const char *text, size_t n)
{
	for (const struct gate_word *w = weft_rt_gate_words; w->model; w++)
		if (is_word(w->model, text, n))
			return (unsigned char)w->letter;
	return n == 1 ? (unsigned char)text[0] & 127u : 0;
}

static int
category_of(unsigned model, const char *text, size_t n)
{
	for (const struct gate_word *w = weft_rt_gate_words; w->model; w++)
		if ((unsigned char)w->letter == model &&
			is_word(w->word, text, n))
			return w->category;
	return n == 1 ? text[0] & 127 : 0;
}

static bool
set_categories(unsigned model, const char *text, size_t n)
{
	bool has_only = false;
	size_t len;

	for (; n > 0; text += len + (len < n), n -= len + (len < n)) {
		unsigned char is_on = text[0] != '-';
		int category;

		len = strcspn(text, ",");
		len = len < n ? len : n;
		category = category_of(model, text + !is_on, len - !is_on);
		if (category == 0)
			return false;
		if (is_on && !has_only)
			set(model, ALL, 0);
		has_only = has_only || is_on;
		set(model, category, is_on);
	}
	return true;
}

/* What could have stood there: words of the model, or the models. */
static void
say_words(const char *rule, size_t n, unsigned model)
{
	char words[256] = "";
	size_t len = 0;

	for (const struct gate_word *w = weft_rt_gate_words; w->model; w++) {
		const char *word = model == 0 ? w->model : w->word;

		if (model == 0 ? w->category != 0
			       : (unsigned char)w->letter != model ||
					w->category == 0)
			continue;
		if (len + strlen(word) + 3 < sizeof(words))
			len += (size_t)snprintf(words + len,
				sizeof(words) - len, "%s%s",
				len == 0 ? "" : ", ", word);
	}
	weft_rt_warn("WEFT_EVENTS: \"%.*s\" names no %s and is left out; known "
		     "are: %s%s",
		(int)n, rule, model == 0 ? "model" : "category", words,
		model == 0 ? ", all, none" : "");
}

/* A rule holds as a whole, or not at all. */
static void
set_rule(const char *text, size_t n)
{
	unsigned char is_on = text[0] != '-';
	const char *colon = memchr(text, ':', n);
	size_t len = colon ? (size_t)(colon - text) : n;
	unsigned char before[CATEGORIES];
	unsigned model;

	if (is_word("all", text, n) || is_word("none", text, n)) {
		memset(wanted, text[0] == 'a', sizeof(wanted));
		return;
	}
	model = model_of(text + !is_on, len - !is_on);
	if (model != 0) {
		memcpy(before, &wanted[model * CATEGORIES], sizeof(before));
		set(model, ALL, is_on);
		if (!colon || set_categories(model, colon + 1, n - len - 1))
			return;
		memcpy(&wanted[model * CATEGORIES], before, sizeof(before));
	}
	say_words(text, n, model);
}

static void
keep_threads(unsigned char *gate)
{
	for (const char *c = "HAUFC"; *c != '\0'; c++)
		gate['O' * CATEGORIES + (unsigned char)*c] = 1;
}

void
weft_rt_gate_switch(bool is_on)
{
	for (size_t i = 0; i < sizeof(wanted); i++)
		__atomic_store_n(&weft_gate[i],
			(unsigned char)(is_on && wanted[i]), __ATOMIC_RELAXED);
	keep_threads(weft_gate);
}

void
weft_rt_gate_load(void)
{
	const char *text = getenv("WEFT_EVENTS");
	size_t n;

	memset(wanted, 1, sizeof(wanted));
	for (; text && *text != '\0'; text += n) {
		text += strspn(text, " ;");
		n = strcspn(text, " ;");
		if (n > 0)
			set_rule(text, n);
	}
	weft_rt_gate_switch(true);
}
