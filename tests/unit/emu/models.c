/* SPDX-License-Identifier: MIT */
/*
 * models.c - rules that the rows of every model obey. A model that is added
 * to models[] is tested here without a change.
 */
#include <ctype.h>

#include "emu/describe.h"
#include "emu/model.h"
#include "emu/signature.h"
#include "test.h"

#define MAX_ROWS 4096

/* The name of an event of any table. */
struct named {
	const struct model *model;
	char name[512];
	const char *says;
};

/* A value of a channel with its label, of any table. */
struct valued {
	const struct model *model;
	int chan;
	int64_t value;
	const char *label;
};

static struct named event[MAX_ROWS];
static struct valued value[MAX_ROWS];
static int nevents, nvalues;

/* A check whose message names the model and the row. */
#define RULE(cond, m, what) rule((cond), __LINE__, #cond, (m), (what))

static void
rule(bool holds, int line, const char *cond, const struct model *m,
	const char *what)
{
	if (holds)
		return;
	test_fail(__FILE__, line, cond);
	printf("#   model %s: %s\n", m->name, what);
}

/* A case whose body is run for every model m. */
#define EACH_MODEL(rule) \
	static void rule_##rule(const struct model *m); \
	TEST(rule) \
	{ \
		each_model(rule_##rule); \
	} \
	static void rule_##rule(const struct model *m)

static void
each_model(void (*holds)(const struct model *m))
{
	for (const struct model *const *m = models; *m != NULL; m++)
		holds(*m);
}

static void
add_event(const struct model *m, const char *name, const char *says)
{
	if (nevents == MAX_ROWS)
		return;
	event[nevents].model = m;
	event[nevents].says = says;
	snprintf(event[nevents++].name, sizeof event[0].name, "%s", name);
}

static void
add_value(const struct model *m, int chan, int64_t v, const char *label)
{
	if (nvalues < MAX_ROWS)
		value[nvalues++] = (struct valued){ m, chan, v, label };
}

static void
gather_model(const struct model *m)
{
	struct signature sig;
	struct err err = { 0 };

	for (int i = 0; i < m->nspans; i++) {
		const struct span_def *d = &m->spans[i];

		add_event(m, d->in, d->says);
		add_event(m, d->out, d->says);
		add_value(m, d->chan, d->value, d->label);
	}
	for (int i = 0; i < m->nsets; i++) {
		add_event(m, m->sets[i].event, m->sets[i].says);
		add_value(
			m, m->sets[i].chan, m->sets[i].value, m->sets[i].label);
	}
	for (int i = 0; i < m->nevents; i++)
		if (signature_parse(&sig, m->events[i].signature, &err))
			add_event(m, sig.name, m->events[i].says);
	for (int i = 0; i < m->nlabels; i++)
		add_value(m, m->labels[i].chan, m->labels[i].value,
			m->labels[i].label);
}

static void
gather(void)
{
	if (nevents > 0)
		return;
	each_model(gather_model);
	CHECK(nevents < MAX_ROWS && nvalues < MAX_ROWS);
}

/* A channel of the model, of that kind. */
static bool
is_chan(const struct model *m, int chan, enum chan_kind kind)
{
	return chan >= 0 && chan < m->nchans && m->chans[chan].kind == kind;
}

/* "1.22.3" */
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

EACH_MODEL(models_have_names_of_their_own_and_a_version)
{
	RULE(model_find(m->name) == m, m, "name is taken");
	RULE(is_version(m->version), m, m->version);
	RULE(m->brief != NULL && m->brief[0] != '\0', m, "no brief");
}

EACH_MODEL(states_say_what_they_mean)
{
	struct label_def l;

	for (int pos = 0; model_next_label(m, &pos, &l);)
		RULE(l.means != MEANS_UNSAID, m, l.label);
	for (int i = 0; i < m->nchans; i++)
		RULE(m->chans[i].shows != TYPE_ID || m->chans[i].unit == NULL,
			m, m->chans[i].key);
}

TEST(meanings_have_names_of_their_own)
{
	for (int i = MEANS_UNSAID + 1; i < MEANINGS; i++)
		CHECK_INT(meaning_find(meaning_name((enum meaning)i)), i);
	CHECK_INT(meaning_find("nosuch"), MEANS_UNSAID);
}

TEST(models_are_found_by_their_names_only)
{
	CHECK(model_find("ovni") != NULL);
	CHECK(model_find("") == NULL);
	CHECK(model_find("nosuch") == NULL);
}

TEST(models_are_in_the_order_of_their_letters)
{
	for (int i = 0; models[i] != NULL && models[i + 1] != NULL; i++)
		RULE(models[i]->id < models[i + 1]->id, models[i],
			"not before the next");
}

EACH_MODEL(signatures_parse)
{
	for (int i = 0; i < m->nevents; i++) {
		struct signature sig;
		struct err err = { 0 };

		RULE(signature_parse(&sig, m->events[i].signature, &err), m,
			err.text);
	}
}

TEST(events_begin_with_the_letter_of_their_model)
{
	gather();
	for (int i = 0; i < nevents; i++)
		RULE(event[i].model->prefix != NULL ||
				event[i].name[0] == event[i].model->id,
			event[i].model, event[i].name);
}

TEST(an_event_is_in_one_row)
{
	gather();
	for (int i = 0; i < nevents; i++)
		for (int j = 0; j < nevents; j++)
			RULE(i == j || event[i].model->prefix != NULL ||
					!signature_match(
						event[i].name, event[j].name),
				event[i].model, event[j].name);
}

EACH_MODEL(channels_have_a_key_a_title_and_a_number)
{
	for (int i = 0; i < m->nchans; i++) {
		const struct chan_def *c = &m->chans[i];

		RULE(c->key != NULL && c->key[0] != '\0', m, "key");
		RULE(c->title != NULL && c->title[0] != '\0', m, "title");
		for (const char *k = c->key; *k != '\0'; k++)
			RULE(islower((unsigned char)*k) ||
					isdigit((unsigned char)*k) || *k == '_',
				m, c->key);
	}
}

/* The core's own types: thread 2, 4, 6 and cpu 1, 2, 3; marks from 100. */
static bool
is_free_number(int64_t n)
{
	return n > 4 && n != 6 && (n < 100 || n > 199) && n <= 6400102;
}

/* Counts the channels of all models with this number. */
static int
count_number(int64_t number)
{
	int n = 0;

	for (const struct model *const *m = models; *m != NULL; m++)
		for (int i = 0; i < (*m)->nchans; i++)
			n += (*m)->chans[i].number == number;
	return n;
}

EACH_MODEL(paraver_numbers_are_unique_over_all_models)
{
	for (int i = 0; i < m->nchans; i++) {
		int64_t number = m->chans[i].number;

		RULE(count_number(number) == 1, m, m->chans[i].key);
		RULE(is_free_number(number), m, m->chans[i].key);
	}
}

static bool
is_core_key(const struct model *m, const char *key)
{
	static const char *const core[] = { "tid", "state", "cpu", "pid",
		"running" };

	if (m->id != 'O')
		return false;
	for (size_t i = 0; i < sizeof core / sizeof core[0]; i++)
		if (strcmp(core[i], key) == 0)
			return true;
	return strncmp(key, "mark", 4) == 0;
}

EACH_MODEL(keys_are_unique_in_their_model)
{
	for (int i = 0; i < m->nchans; i++) {
		const char *key = m->chans[i].key;

		RULE(!is_core_key(m, key), m, key);
		for (int j = 0; j < i; j++)
			RULE(strcmp(key, m->chans[j].key) != 0, m, key);
	}
}

EACH_MODEL(spans_are_pairs_on_stack_channels)
{
	for (int i = 0; i < m->nspans; i++) {
		const struct span_def *d = &m->spans[i];

		RULE(is_chan(m, d->chan, CHAN_STACK), m, d->in);
		RULE(strcmp(d->in, d->out) != 0, m, d->in);
	}
}

EACH_MODEL(sets_are_on_single_channels)
{
	for (int i = 0; i < m->nsets; i++)
		RULE(is_chan(m, m->sets[i].chan, CHAN_SINGLE), m,
			m->sets[i].event);
}

TEST(labels_are_on_channels_of_states)
{
	gather();
	for (int i = 0; i < nvalues; i++) {
		const struct model *m = value[i].model;
		int chan = value[i].chan;

		RULE(chan >= 0 && chan < m->nchans &&
				m->chans[chan].shows == TYPE_STATE,
			m, value[i].label);
	}
}

TEST(a_value_of_a_channel_has_one_label)
{
	gather();
	for (int i = 0; i < nvalues; i++) {
		const struct valued *a = &value[i];
		const char *label;

		RULE(a->label != NULL && a->label[0] != '\0', a->model, "");
		if (a->label == NULL)
			continue;
		for (int j = 0; j < i; j++)
			RULE(a->model != value[j].model ||
					a->chan != value[j].chan ||
					a->value != value[j].value ||
					strcmp(a->label, value[j].label) == 0,
				a->model, a->label);
		label = model_label(a->model, a->chan, a->value);
		RULE(label != NULL && strcmp(label, a->label) == 0, a->model,
			a->label);
	}
}

TEST(a_label_of_a_channel_has_one_value)
{
	gather();
	for (int i = 0; i < nvalues; i++)
		for (int j = 0; j < i; j++)
			RULE(value[i].model != value[j].model ||
					value[i].chan != value[j].chan ||
					value[i].value == value[j].value ||
					strcmp(value[i].label,
						value[j].label) != 0,
				value[i].model, value[i].label);
}

/* 0 and VALUE_NONE stand for nothing, the two largest values for errors. */
TEST(values_are_numbers_that_a_label_file_holds)
{
	gather();
	for (int i = 0; i < nvalues; i++)
		RULE(value[i].value > 0 && value[i].value < INT32_MAX - 1,
			value[i].model, value[i].label);
}

EACH_MODEL(values_that_channels_name_have_labels)
{
	for (int i = 0; i < m->nchans; i++) {
		const struct chan_def *c = &m->chans[i];
		const int64_t named[] = { c->start, c->idle, c->repeat };

		for (int j = 0; j < 3; j++)
			RULE(named[j] == 0 ||
					model_label(m, i, named[j]) != NULL,
				m, c->key);
		RULE(model_label(m, i, VALUE_NONE) == c->none, m, c->key);
		RULE(c->repeat == 0 || c->kind == CHAN_STACK, m, c->key);
		RULE(c->start == 0 || c->kind == CHAN_SINGLE, m, c->key);
	}
}

EACH_MODEL(spans_say_begins_enters_or_starts)
{
	static const char *const verb[][2] = { { "begins ", "ceases " },
		{ "enters ", "leaves " }, { "starts ", "stops  " } };

	for (int i = 0; i < m->nspans; i++) {
		const char *says = m->spans[i].says;
		char end[256];
		bool known = false;

		model_span_end(says, end, sizeof end);
		for (int j = 0; j < 3; j++)
			known = known ||
				(strncmp(says, verb[j][0], 7) == 0 &&
					strncmp(end, verb[j][1], 7) == 0 &&
					strcmp(says + 7, end + 7) == 0);
		RULE(known, m, says);
	}
}

/* Messages put the sentence behind a name, so it has no capital at the
 * beginning and no full stop. */
TEST(every_event_says_what_it_does)
{
	gather();
	for (int i = 0; i < nevents; i++) {
		const char *says = event[i].says;

		RULE(says != NULL && strlen(says) > 3, event[i].model,
			event[i].name);
		RULE(islower((unsigned char)says[0]), event[i].model, says);
		RULE(says[strlen(says) - 1] != '.', event[i].model, says);
	}
}

EACH_MODEL(what_events_say_names_their_arguments)
{
	for (int i = 0; i < m->nevents; i++) {
		struct err err = { 0 };

		RULE(describe_check(
			     m->events[i].says, m->events[i].signature, &err),
			m, err.text);
	}
}

EACH_MODEL(arguments_of_an_event_have_different_names)
{
	for (int i = 0; i < m->nevents; i++) {
		struct signature s;
		struct err err = { 0 };

		signature_parse(&s, m->events[i].signature, &err);
		for (int j = 0; j < s.nargs; j++)
			for (int k = 0; k < j; k++)
				RULE(strcmp(s.arg[j].name, s.arg[k].name) != 0,
					m, s.name);
	}
}

static bool
has_key(const struct model *m, const char *key)
{
	for (int i = 0; i < m->nchans; i++)
		if (strcmp(m->chans[i].key, key) == 0)
			return true;
	return false;
}

EACH_MODEL(panels_name_channels_and_have_keys_of_their_own)
{
	for (int i = 0; i < m->npanels; i++) {
		const struct panel_def *d = &m->panels[i];

		RULE(!has_key(m, d->key), m, d->key);
		RULE(d->title[0] != '\0', m, d->key);
		RULE(d->names[0] != NULL, m, d->key);
		for (int j = 0; d->names[j] != NULL; j++)
			RULE(has_key(m, d->names[j]) ||
					(m->counters_in != NULL &&
						strcmp(d->names[j],
							m->counters_in) == 0),
				m, d->names[j]);
		for (int j = 0; j < i; j++)
			RULE(strcmp(d->key, m->panels[j].key) != 0, m, d->key);
	}
}

static int
chan_by_key(const struct model *m, const char *key)
{
	int i = 0;

	while (i < m->nchans && strcmp(m->chans[i].key, key) != 0)
		i++;
	return i;
}

/* A panel shows the largest value of its channels by one label. */
static bool
overlap(const struct model *m, int a, int b)
{
	struct label_def l;
	bool clash = false;

	for (int pos = 0; model_next_label(m, &pos, &l);) {
		const char *other =
			l.chan == a ? model_label(m, b, l.value) : NULL;

		clash |= other != NULL && strcmp(other, l.label) != 0;
	}
	return clash;
}

EACH_MODEL(panels_have_channels_whose_values_do_not_overlap)
{
	for (int i = 0; i < m->npanels; i++) {
		const char *const *names = m->panels[i].names;

		for (int j = 0; names[j] != NULL; j++)
			for (int k = 0; k < j; k++)
				RULE(!overlap(m, chan_by_key(m, names[j]),
					     chan_by_key(m, names[k])),
					m, m->panels[i].key);
	}
}

TEST(overlapping_values_of_a_panel_are_found)
{
	static const struct label_def same[] = { { 0, 1, 0, "Works" },
		{ 1, 1, 0, "Works" }, { 2, 1, 0, "Waits" },
		{ 3, 2, 0, "Waits" } };
	static const struct chan_def chans[] = { { .key = "a" }, { .key = "b" },
		{ .key = "c" }, { .key = "d" } };
	const struct model m = { MODEL_ROWS(chans), .labels = same,
		.nlabels = 4 };

	CHECK(!overlap(&m, 0, 1));
	CHECK(overlap(&m, 0, 2));
	CHECK(overlap(&m, 2, 0));
	CHECK(!overlap(&m, 0, 3));
}

EACH_MODEL(strings_come_in_jumbo_events)
{
	for (int i = 0; i < m->nevents; i++) {
		struct signature s;
		struct err err = { 0 };

		signature_parse(&s, m->events[i].signature, &err);
		RULE(m->prefix != NULL || s.nargs == 0 ||
				s.arg[s.nargs - 1].type != FIELD_STR || s.jumbo,
			m, s.name);
	}
}

TEST_MAIN(RUN(models_have_names_of_their_own_and_a_version),
	RUN(states_say_what_they_mean), RUN(meanings_have_names_of_their_own),
	RUN(models_are_found_by_their_names_only),
	RUN(models_are_in_the_order_of_their_letters), RUN(signatures_parse),
	RUN(events_begin_with_the_letter_of_their_model),
	RUN(an_event_is_in_one_row),
	RUN(channels_have_a_key_a_title_and_a_number),
	RUN(paraver_numbers_are_unique_over_all_models),
	RUN(keys_are_unique_in_their_model),
	RUN(spans_are_pairs_on_stack_channels),
	RUN(sets_are_on_single_channels), RUN(labels_are_on_channels_of_states),
	RUN(a_value_of_a_channel_has_one_label),
	RUN(a_label_of_a_channel_has_one_value),
	RUN(values_are_numbers_that_a_label_file_holds),
	RUN(values_that_channels_name_have_labels),
	RUN(spans_say_begins_enters_or_starts),
	RUN(every_event_says_what_it_does),
	RUN(what_events_say_names_their_arguments),
	RUN(arguments_of_an_event_have_different_names),
	RUN(panels_name_channels_and_have_keys_of_their_own),
	RUN(panels_have_channels_whose_values_do_not_overlap),
	RUN(overlapping_values_of_a_panel_are_found),
	RUN(strings_come_in_jumbo_events))
