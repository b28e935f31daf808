/* SPDX-License-Identifier: MIT */
#include "inproc/core/gate.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inproc/core/say.h"
#include "weft/trace.h"

enum { CATEGORIES = 128, MODELS = 128, ALL = -1 };

/* Until the rules are read, every event must ask. */
__extension__ WEFT_API unsigned char weft_gate[MODELS * CATEGORIES] = {
	[0 ... MODELS * CATEGORIES - 1] = GATE_ASK
};

/* Atomic, like weft_gate: any thread. A writer of either sets the gate again,
 * and once more if the switch was moved meanwhile. */
static bool is_asked[MODELS], is_switched_off;

/* Set at load. The selection by WEFT_EVENTS, kept while recording is off. */
static unsigned char wanted[MODELS * CATEGORIES];

static const char *rules = "";

/* clang-format off */
/* The versions of the emulator's models that events require: the oldest version
 * that has the event, so that older tools accept the trace. 6O[ may name its
 * task since 1.2.0. */
enum { VERSIONS = 10 };
static const struct {
	char letter, category; /* category 0: all others */
	const char *name, *version;
} versions[VERSIONS] = {
	{'O', 0,   "ovni",   "1.1.0"},
	{'6', 'O', "nanos6", "1.2.0"},
	{'6', 0,   "nanos6", "1.1.0"},
	{'D', 0,   "nodes",  "1.0.0"},
	{'K', 0,   "kernel", "1.0.0"},
	{'M', 0,   "mpi",    "1.0.0"},
	{'P', 0,   "openmp", "1.2.1"},
	{'T', 0,   "tampi",  "1.0.0"},
	{'V', 0,   "nosv",   "2.7.0"},
	{'W', 0,   "wait",   "1.0.0"},
};
/* clang-format on */

/* Set when an event of a row with a category was asked for. Atomic. */
static bool is_newer_asked[VERSIONS];

const char *
weft_rt_gate_version(const char *mcv, const char **name)
{
	for (size_t i = 0; i < VERSIONS; i++)
		if (versions[i].letter == mcv[0] &&
			(versions[i].category == 0 ||
				versions[i].category == mcv[1])) {
			*name = versions[i].name;
			return versions[i].version;
		}
	return NULL;
}

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

/* Returns a model's letter for its name or letter; 0: unknown. */
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

/* A minus before the model applies to each of its categories. */
static bool
set_categories(unsigned model, const char *text, size_t n, bool is_minus)
{
	bool has_only = false;
	size_t len;

	for (; n > 0; text += len + (len < n), n -= len + (len < n)) {
		bool has_sign = text[0] == '-';
		unsigned char is_on = !has_sign && !is_minus;
		int category;

		len = strcspn(text, ",");
		len = len < n ? len : n;
		category = category_of(model, text + has_sign, len - has_sign);
		if (category == 0)
			return false;
		if (is_on && !has_only)
			set(model, ALL, 0);
		has_only = has_only || is_on;
		set(model, category, is_on);
	}
	return true;
}

/* Warns of an unknown word and lists the known ones: categories of the model,
 * or the models. */
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
	weft_rt_warn("WEFT_EVENTS: \"%.*s\" names no known %s and is "
		     "ignored; known are: %s%s",
		(int)n, rule, model == 0 ? "model" : "category", words,
		model == 0 ? ", ctf, all, none; memory events (weft run -e): "
			     "datacentric, faults, time"
			   : "");
}

/* Returns the words of a CTF rule, "" if it has none; NULL for other rules.
 */
static const char *
ctf_words(const char *rule, size_t *n)
{
	size_t sign = rule[0] == '-', len = 3 + sign;

	if (*n < len || memcmp(rule + sign, "ctf", 3) != 0 ||
		(*n > len && rule[len] != ':'))
		return NULL;
	*n = *n > len ? *n - len - 1 : 0;
	return *n > 0 ? rule + len + 1 : "";
}

/* Minus signs before both the model and a category are ambiguous. */
static bool
has_two_signs(const char *rule, size_t n)
{
	const char *at = memchr(rule, ':', n);

	if (rule[0] != '-' || at == NULL)
		return false;
	for (; at < rule + n - 1; at++)
		if ((*at == ':' || *at == ',') && at[1] == '-')
			return true;
	return false;
}

static bool
fits(const char *word, size_t n, const char *name)
{
	char pattern[128];

	snprintf(pattern, sizeof(pattern), "%.*s", (int)n, word);
	return fnmatch(pattern, name, 0) == 0;
}

/* is_on: the decision of the rules before. */
static bool
words_let(
	const char *text, size_t n, const char *name, bool is_minus, bool is_on)
{
	bool has_only = is_minus;
	size_t len;

	if (!is_minus || n == 0)
		is_on = !is_minus;
	for (; n > 0; text += len + (len < n), n -= len + (len < n)) {
		bool has_sign = text[0] == '-', without = has_sign || is_minus;

		len = strcspn(text, ",");
		len = len < n ? len : n;
		if (!without && !has_only)
			is_on = false;
		has_only = has_only || !without;
		if (fits(text + has_sign, len - has_sign, name))
			is_on = !without;
	}
	return is_on;
}

/* Returns the rule after *n bytes of text, and its length in *n; NULL: none. */
static const char *
next_rule(const char *text, size_t *n)
{
	text += *n;
	text += strspn(text, " ;");
	*n = strcspn(text, " ;");
	return *n > 0 ? text : NULL;
}

bool
weft_rt_gate_point(const char *name)
{
	const char *rule = rules;
	bool is_on = true;
	size_t n = 0;

	while ((rule = next_rule(rule, &n)) != NULL) {
		size_t len = n;
		const char *words = ctf_words(rule, &len);

		if (is_word("all", rule, n) || is_word("none", rule, n))
			is_on = rule[0] == 'a';
		else if (words && !has_two_signs(rule, n))
			is_on = words_let(
				words, len, name, rule[0] == '-', is_on);
	}
	return is_on;
}

static void
check_words(const char *text, size_t n, const char *const *names, int nnames)
{
	size_t len;

	for (; n > 0; text += len + (len < n), n -= len + (len < n)) {
		bool without = text[0] == '-';
		int i = 0;

		len = strcspn(text, ",");
		len = len < n ? len : n;
		while (i < nnames &&
			!fits(text + without, len - without, names[i]))
			i++;
		if (i == nnames)
			weft_rt_warn("WEFT_EVENTS: \"ctf:%.*s\" matches no "
				     "declared tracepoint",
				(int)(len - without), text + without);
	}
}

void
weft_rt_gate_check_points(const char *const *names, int nnames)
{
	const char *rule = rules;
	size_t n = 0;

	while ((rule = next_rule(rule, &n)) != NULL) {
		size_t len = n;
		const char *words = ctf_words(rule, &len);

		if (words)
			check_words(words, len, names, nnames);
	}
}

/* Applies a rule as a whole, or not at all. */
static void
set_rule(const char *text, size_t n)
{
	unsigned char is_on = text[0] != '-';
	const char *colon = memchr(text, ':', n);
	size_t len = n;
	unsigned char before[CATEGORIES];
	unsigned model;

	if (is_word("all", text, n) || is_word("none", text, n)) {
		memset(wanted, text[0] == 'a', sizeof(wanted));
		return;
	}
	if (has_two_signs(text, n)) {
		weft_rt_warn("WEFT_EVENTS: \"%.*s\" has two minus signs and is "
			     "ignored; write only one",
			(int)n, text);
		return;
	}
	if (ctf_words(text, &len) != NULL)
		return;
	len = colon ? (size_t)(colon - text) : n;
	model = model_of(text + !is_on, len - !is_on);
	if (model != 0) {
		memcpy(before, &wanted[model * CATEGORIES], sizeof(before));
		/* a rule with a minus changes only its categories */
		if (!colon || is_on)
			set(model, ALL, is_on);
		if (!colon ||
			set_categories(model, colon + 1, n - len - 1, !is_on))
			return;
		memcpy(&wanted[model * CATEGORIES], before, sizeof(before));
	}
	say_words(text, n, model);
}

static bool
is_to_ask(unsigned model, size_t category)
{
	bool is = !__atomic_load_n(&is_asked[model], __ATOMIC_SEQ_CST);

	for (size_t i = 0; i < VERSIONS; i++)
		if ((unsigned char)versions[i].letter == model &&
			versions[i].category != 0 &&
			(size_t)versions[i].category == category)
			is = is ||
				!__atomic_load_n(
					&is_newer_asked[i], __ATOMIC_SEQ_CST);
	return is;
}

/* Events that start, end and move threads are always recorded. */
static void
set_model(unsigned model)
{
	bool is_on = !__atomic_load_n(&is_switched_off, __ATOMIC_SEQ_CST);
	unsigned char *gate = &weft_gate[model * CATEGORIES], now;

	for (size_t i = 0; i < CATEGORIES; i++) {
		bool is_wanted = is_on && wanted[model * CATEGORIES + i];

		if (model == 'O' && i != 0 && strchr("HAUFC", (int)i))
			is_wanted = true;
		now = !is_wanted              ? GATE_OFF
			: is_to_ask(model, i) ? GATE_ASK
					      : GATE_ON;
		__atomic_store_n(&gate[i], now, __ATOMIC_SEQ_CST);
	}
}

static void
set_all(void)
{
	for (unsigned model = 0; model < MODELS; model++)
		set_model(model);
}

void
weft_rt_gate_switch(bool is_on)
{
	__atomic_store_n(&is_switched_off, !is_on, __ATOMIC_SEQ_CST);
	set_all();
}

/* category 0: all */
static void
set_asked(char letter, char category)
{
	unsigned model = (unsigned char)letter & (MODELS - 1);
	bool off;

	__atomic_store_n(&is_asked[model], true, __ATOMIC_SEQ_CST);
	for (size_t i = 0; i < VERSIONS; i++)
		if (versions[i].letter == letter &&
			(category == 0 || versions[i].category == category))
			__atomic_store_n(
				&is_newer_asked[i], true, __ATOMIC_SEQ_CST);
	do { /* again if the switch moved meanwhile */
		off = __atomic_load_n(&is_switched_off, __ATOMIC_SEQ_CST);
		set_model(model);
	} while (off != __atomic_load_n(&is_switched_off, __ATOMIC_SEQ_CST));
}

bool
weft_rt_gate_is_newer(const char *mcv)
{
	for (size_t i = 0; i < VERSIONS; i++)
		if (versions[i].letter == mcv[0] && versions[i].category != 0 &&
			versions[i].category == mcv[1])
			return true;
	return false;
}

void
weft_rt_gate_asked(const char *mcv)
{
	set_asked(mcv[0], mcv[1]);
}

void
weft_rt_gate_required(const char *model)
{
	for (size_t i = 0; i < VERSIONS; i++)
		if (strcmp(versions[i].name, model) == 0)
			set_asked(versions[i].letter, 0);
}

void
weft_rt_gate_ask_again(void)
{
	memset(is_asked, 0, sizeof(is_asked));
	memset(is_newer_asked, 0, sizeof(is_newer_asked));
	set_all();
}

void
weft_rt_gate_load(void)
{
	const char *text = getenv("WEFT_EVENTS");
	const char *rule;
	size_t n = 0;

	memset(wanted, 1, sizeof(wanted));
	rule = rules = text ? text : "";
	while ((rule = next_rule(rule, &n)) != NULL)
		set_rule(rule, n);
	weft_rt_gate_switch(true);
}
