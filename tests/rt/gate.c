/* SPDX-License-Identifier: MIT */
/*
 * gate.c - WEFT_EVENTS accepts the words of the models' tables, and each rule
 * turns on or off the events that it names.
 */
#include "inproc/core/gate.h"

#include <stdlib.h>
#include <string.h>

#include "emu/model.h"
#include "test.h"
#include "weft/trace.h"

/* Categories that no rule turns off: starts, ends, moves; flushes, sorted
 * regions, creators. */
static const char kept[] = "HAUFC";

typedef bool categories[128];

static void
add(categories all, const char *event)
{
	all[event[1] & 127] = true;
}

/* Marks the categories (the second letter) of all events of a model. */
static void
of_model(const struct model *m, categories all)
{
	for (int i = 0; i < m->nspans; i++)
		add(all, m->spans[i].in), add(all, m->spans[i].out);
	for (int i = 0; i < m->nsets; i++)
		add(all, m->sets[i].event);
	for (int i = 0; i < m->nevents; i++)
		add(all, m->events[i].signature);
	for (int i = 0; i < m->npoints; i++)
		add(all, m->points[i].event);
}

/* Sets on[] for the categories that the rules let through. */
static void
with(const char *rules, char model, categories on)
{
	setenv("WEFT_EVENTS", rules, 1);
	weft_rt_gate_load();
	for (int i = 0; i < 128; i++)
		on[i] = weft_gate[(size_t)model << 7 | (size_t)i] != 0;
}

static int
count(const categories on)
{
	int n = 0;

	for (int i = 0; i < 128; i++)
		n += on[i];
	return n;
}

static bool
is_kept(char model, int category)
{
	return model == 'O' && strchr(kept, category) != NULL;
}

TEST(each_category_of_a_model_has_a_word)
{
	for (const struct model *const *m = models; *m; m++) {
		categories has = { 0 }, named = { 0 };

		/* a model that the recorder does not write */
		if ((*m)->prefix != NULL)
			continue;
		of_model(*m, has);
		for (const struct gate_word *w = weft_rt_gate_words; w->model;
			w++) {
			if (strcmp(w->model, (*m)->name) != 0)
				continue;
			CHECK_INT(w->letter, (*m)->id);
			if (w->category != 0)
				CHECK(!named[w->category & 127]);
			named[w->category & 127] = true;
		}
		for (int c = 1; c < 128; c++) {
			bool known = named[c] || is_kept((*m)->id, c);

			if (has[c] != known)
				printf("# %c%c\n", (*m)->id, c);
			CHECK_INT(known, has[c]);
		}
		CHECK(named[0]);
	}
}

TEST(a_word_lets_its_category_through)
{
	for (const struct gate_word *w = weft_rt_gate_words; w->model; w++) {
		int nkept = w->letter == 'O' ? (int)strlen(kept) : 0;
		char rules[80];
		categories on;

		if (w->category == 0)
			continue;
		snprintf(
			rules, sizeof(rules), "none; %s:%s", w->model, w->word);
		with(rules, w->letter, on);
		CHECK(on[w->category & 127]);
		CHECK_INT(count(on), 1 + nkept);
		snprintf(rules, sizeof(rules), "%s:-%s", w->model, w->word);
		with(rules, w->letter, on);
		CHECK(!on[w->category & 127]);
		CHECK_INT(count(on), 127);
		snprintf(rules, sizeof(rules), "none %c:%c", w->letter,
			w->category);
		with(rules, w->letter, on);
		CHECK_INT(count(on), 1 + nkept);
	}
}

TEST(rules_of_whole_models)
{
	categories on;

	with("-nanos6", '6', on);
	CHECK_INT(count(on), 0);
	with("-nanos6", 'V', on);
	CHECK_INT(count(on), 128);
	with("none", 'O', on);
	CHECK_INT(count(on), strlen(kept));
	with("none nanos6", '6', on);
	CHECK_INT(count(on), 128);
	with("none all", 'V', on);
	CHECK_INT(count(on), 128);
	with("nanos6:memory,worker,-memory", '6', on);
	CHECK_INT(count(on), 1);
}

TEST(a_minus_before_the_model_takes_away)
{
	categories on;

	with("-nanos6:memory", '6', on);
	CHECK_INT(count(on), 127);
	CHECK(!on['M']);
	with("all -ovni:mark", 'O', on);
	CHECK_INT(count(on), 127);
	CHECK(!on['M']);
	with("nanos6:memory,worker -nanos6:memory,task", '6', on);
	CHECK_INT(count(on), 1);
	CHECK(on['W']);
	with("none;-nanos6:memory", '6', on);
	CHECK_INT(count(on), 0);
	/* a rule with two minus signs is ignored */
	with("-nanos6:-memory", '6', on);
	CHECK_INT(count(on), 128);
}

TEST(a_minus_before_ctf_takes_points_away)
{
	categories on;

	with("-ctf:lock*,barrier", '6', on);
	CHECK(!weft_rt_gate_point("lock_wait"));
	CHECK(!weft_rt_gate_point("barrier"));
	CHECK(weft_rt_gate_point("task"));
	with("ctf:lock*,task;-ctf:lock_free", '6', on);
	CHECK(weft_rt_gate_point("lock_wait"));
	CHECK(!weft_rt_gate_point("lock_free"));
	CHECK(weft_rt_gate_point("task"));
	CHECK(!weft_rt_gate_point("barrier"));
	with("none -ctf:lock*", '6', on);
	CHECK(!weft_rt_gate_point("task"));
	with("-ctf:-lock*", '6', on);
	CHECK(weft_rt_gate_point("lock_wait"));
}

TEST(a_wrong_rule_changes_nothing)
{
	categories on;

	with("none;nanos6:create", '6', on);
	CHECK_INT(count(on), 0);
	with("nanos6:worker nanos6:memory,wroker", '6', on);
	CHECK_INT(count(on), 1);
	CHECK(on['W']);
	with("-nanos6 nanos7", '6', on);
	CHECK_INT(count(on), 0);
}

TEST(what_is_required_is_the_oldest_version_of_the_model)
{
	for (const struct model *const *m = models; *m; m++) {
		const char *name = "", *version;
		char event[4] = "?xx";

		/* a model that the recorder does not write */
		if ((*m)->prefix != NULL)
			continue;
		event[0] = (*m)->id;
		version = weft_rt_gate_version(event, &name);
		CHECK(version != NULL);
		if (version == NULL)
			continue;
		CHECK_STR(version,
			(*m)->old_version ? (*m)->old_version : (*m)->version);
		CHECK_STR(name, (*m)->name);
	}
}

TEST(what_only_a_newer_version_has_is_asked_for_by_itself)
{
	const char *name = "";

	CHECK_STR(weft_rt_gate_version("6O[", &name), "1.2.0");
	setenv("WEFT_EVENTS", "all", 1);
	weft_rt_gate_load();
	weft_rt_gate_ask_again();
	weft_rt_gate_asked("6W[");
	CHECK_INT(weft_gate[weft_gate_of("6W[")], GATE_ON);
	CHECK_INT(weft_gate[weft_gate_of("6O[")], GATE_ASK);
	weft_rt_gate_asked("6O[");
	CHECK_INT(weft_gate[weft_gate_of("6O[")], GATE_ON);
	weft_rt_gate_ask_again();
	CHECK_INT(weft_gate[weft_gate_of("6O[")], GATE_ASK);
	weft_rt_gate_required("nanos6");
	CHECK_INT(weft_gate[weft_gate_of("6O[")], GATE_ON);
}

TEST(a_model_is_asked_for_once)
{
	setenv("WEFT_EVENTS", "nanos6:-memory", 1);
	weft_rt_gate_load();
	weft_rt_gate_ask_again();
	CHECK_INT(weft_gate[weft_gate_of("6W[")], GATE_ASK);
	CHECK_INT(weft_gate[weft_gate_of("6M[")], GATE_OFF);
	weft_rt_gate_required("nanos6");
	CHECK_INT(weft_gate[weft_gate_of("6W[")], GATE_ON);
	CHECK_INT(weft_gate[weft_gate_of("6M[")], GATE_OFF);
	CHECK_INT(weft_gate[weft_gate_of("Vxx")], GATE_ASK);
	weft_rt_gate_switch(false);
	CHECK_INT(weft_gate[weft_gate_of("6W[")], GATE_OFF);
	weft_rt_gate_switch(true);
	CHECK_INT(weft_gate[weft_gate_of("6W[")], GATE_ON);
	weft_rt_gate_ask_again();
	CHECK_INT(weft_gate[weft_gate_of("6W[")], GATE_ASK);
}

TEST(off_keeps_starts_and_ends)
{
	categories on;

	with("all", 'O', on);
	weft_rt_gate_switch(false);
	CHECK(weft_is_on("OHx"));
	CHECK(!weft_is_on("6W["));
	weft_rt_gate_switch(true);
	CHECK(weft_is_on("6W["));
}

TEST_MAIN(RUN(each_category_of_a_model_has_a_word),
	RUN(a_word_lets_its_category_through), RUN(rules_of_whole_models),
	RUN(a_minus_before_the_model_takes_away),
	RUN(a_minus_before_ctf_takes_points_away),
	RUN(a_wrong_rule_changes_nothing),
	RUN(what_is_required_is_the_oldest_version_of_the_model),
	RUN(what_only_a_newer_version_has_is_asked_for_by_itself),
	RUN(a_model_is_asked_for_once), RUN(off_keeps_starts_and_ends))
