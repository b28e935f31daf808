/* SPDX-License-Identifier: MIT */
/*
 * spec.c - tests that the models have exactly the rows of the description of
 * the formats, whose tables spec.txt has as text.
 */
#include <stdlib.h>

#include "emu/model.h"
#include "emu/signature.h"
#include "emu/view.h"
#include "test.h"

#define LINES 512
#define WHOLE 9 /* models whose rows are all in the table */
#define FIELDS 14
#define N(array) ((int)(sizeof(array) / sizeof(array)[0]))

/* A line of the table, split into words. rest[i]: the line from the end of
 * field[i] on. */
struct line {
	char text[256], words[256];
	const char *field[FIELDS], *rest[FIELDS];
	int n;
};

static struct line lines[LINES];
static int nlines;

static void
split(struct line *l)
{
	char *at = strcpy(l->words, l->text);

	for (; *at != '\0' && l->n < FIELDS; l->n++) {
		size_t n = strcspn(at, " ");

		l->field[l->n] = at;
		l->rest[l->n] = l->text + (at - l->words);
		at += n;
		if (*at != '\0')
			*at++ = '\0';
	}
}

static bool
read_table(const char *path)
{
	FILE *f = fopen(path, "r");
	struct line *l = lines;

	if (f == NULL)
		return false;
	while (nlines < LINES && fgets(l->text, sizeof l->text, f) != NULL) {
		l->text[strcspn(l->text, "\n")] = '\0';
		if (l->text[0] == '#' || l->text[0] == '\0')
			continue;
		split(l);
		l = &lines[++nlines];
	}
	fclose(f);
	return nlines > 0 && nlines < LINES;
}

/* Returns the next line of a kind, and of a model unless that is NULL; the
 * first call passes NULL as the line before. */
static const struct line *
next(const struct line *l, const char *kind, const struct model *m)
{
	for (l = l == NULL ? lines : l + 1; l < lines + nlines; l++)
		if (strcmp(l->field[0], kind) == 0 &&
			(m == NULL || strcmp(l->field[1], m->name) == 0))
			return l;
	return NULL;
}

static int
count(const char *kind, const struct model *m)
{
	int n = 0;

	for (const struct line *l = NULL; (l = next(l, kind, m)) != NULL;)
		n++;
	return n;
}

/* A case whose body is run for each model whose rows are all in the table. */
#define EACH_WHOLE_MODEL(name) \
	static void rule_##name(const struct model *m); \
	TEST(name) \
	{ \
		each_whole(rule_##name); \
	} \
	static void rule_##name(const struct model *m)

static void
each_whole(void (*holds)(const struct model *m))
{
	int n = 0;

	for (const struct line *l = NULL;
		(l = next(l, "model", NULL)) != NULL;) {
		const struct model *m = model_find(l->field[1]);

		if (strcmp(l->field[5], "whole") != 0)
			continue;
		CHECK(m != NULL);
		if (m != NULL)
			holds(m);
		n++;
	}
	CHECK_INT(n, WHOLE);
}

/* Returns the position of a word in a list. */
static int
word(const char *text, const char *const *list, int n)
{
	for (int i = 0; i < n; i++)
		if (list[i] != NULL && strcmp(list[i], text) == 0)
			return i;
	printf("#   what is %s?\n", text);
	CHECK(false);
	return -1;
}

static int64_t
number(const struct line *l, int field)
{
	return strtoll(l->field[field], NULL, 10);
}

/* Returns the index of the channel, or -1. */
static int
chan_of(const struct model *m, const char *key)
{
	for (int i = 0; i < m->nchans; i++)
		if (strcmp(m->chans[i].key, key) == 0)
			return i;
	return -1;
}

static void
once(int found, const struct line *l)
{
	if (found != 1)
		printf("#   %d times: %s\n", found, l->text);
	CHECK_INT(found, 1);
}

static const char *const tracks[] = {
	[TRACK_NONE] = "any",
	[TRACK_RUNNING] = "running",
	[TRACK_ACTIVE] = "active",
	[TRACK_ALIVE] = "alive",
};

EACH_WHOLE_MODEL(channels)
{
	static const char *const kinds[] = {
		[CHAN_SINGLE] = "single", [CHAN_STACK] = "stack"
	};
	static const char *const policies[] = { [SKIPDUP] = "skipdup",
		[SKIPDUPNULL] = "skipdupnull",
		[EMITDUP] = "emitdup" };

	CHECK_INT(m->nchans, count("channel", m));
	for (const struct line *l = NULL;
		(l = next(l, "channel", m)) != NULL;) {
		int at = chan_of(m, l->field[2]);
		const struct chan_def *c = &m->chans[at < 0 ? 0 : at];

		once(at >= 0, l);
		CHECK_INT(c->kind, word(l->field[3], kinds, N(kinds)));
		CHECK_INT(c->dup, strcmp(l->field[4], "dup") == 0);
		CHECK_INT(c->thread, word(l->field[5], tracks, N(tracks)));
		CHECK_INT(c->number, number(l, 6));
		CHECK_INT(
			c->emission, word(l->field[7], policies, N(policies)));
		CHECK_INT(c->start, number(l, 8));
		CHECK_INT(c->idle, number(l, 9));
		CHECK_STR(c->title, l->rest[10]);
		CHECK(!c->cpu_active && !c->off && c->disabled == 0);
		CHECK_INT(c->away, strcmp(m->name, "kernel") == 0);
	}
}

EACH_WHOLE_MODEL(spans)
{
	CHECK_INT(m->nspans, count("span", m));
	for (const struct line *l = NULL; (l = next(l, "span", m)) != NULL;) {
		int found = 0;

		for (int i = 0; i < m->nspans; i++) {
			const struct span_def *d = &m->spans[i];

			if (strcmp(d->in, l->field[3]) != 0)
				continue;
			found++;
			CHECK_INT(d->chan, chan_of(m, l->field[2]));
			CHECK_STR(d->out, l->field[4]);
			CHECK_INT(d->value, number(l, 5));
			CHECK_STR(d->label, l->rest[6]);
		}
		once(found, l);
	}
}

EACH_WHOLE_MODEL(sets)
{
	CHECK_INT(m->nsets, count("set", m));
	for (const struct line *l = NULL; (l = next(l, "set", m)) != NULL;) {
		int found = 0;

		for (int i = 0; i < m->nsets; i++) {
			const struct set_def *d = &m->sets[i];

			if (strcmp(d->event, l->field[3]) != 0)
				continue;
			found++;
			CHECK_INT(d->chan, chan_of(m, l->field[2]));
			CHECK_INT(d->value, number(l, 4));
			CHECK_STR(d->label, l->rest[5]);
		}
		once(found, l);
	}
}

EACH_WHOLE_MODEL(punctual_events)
{
	CHECK_INT(m->npoints, count("point", m));
	for (const struct line *l = NULL; (l = next(l, "point", m)) != NULL;) {
		int found = 0;

		for (int i = 0; i < m->npoints; i++) {
			const struct punctual_def *d = &m->points[i];

			if (strcmp(d->event, l->field[3]) != 0)
				continue;
			found++;
			CHECK_INT(d->chan, chan_of(m, l->field[2]));
			CHECK_INT(d->value, number(l, 4));
			CHECK_STR(d->label, l->rest[5]);
			CHECK(m->chans[d->chan].punctual);
			CHECK_INT(m->chans[d->chan].shows, TYPE_POINT);
		}
		once(found, l);
	}
}

EACH_WHOLE_MODEL(values_without_an_event_of_their_own)
{
	CHECK_INT(m->nlabels, count("label", m));
	for (const struct line *l = NULL; (l = next(l, "label", m)) != NULL;)
		CHECK_STR(model_label(m, chan_of(m, l->field[2]), number(l, 3)),
			l->rest[4]);
	for (const struct line *l = NULL; (l = next(l, "none", m)) != NULL;)
		CHECK_STR(model_label(m, chan_of(m, l->field[2]), VALUE_NONE),
			l->rest[3]);
}

static void
check_event(const struct line *l, const struct event_def *d,
	const struct signature *s)
{
	static const char *const payloads[] = { [PAYLOAD_ALL] = "all",
		[PAYLOAD_EXACT] = "exact",
		[PAYLOAD_FIRST] = "first",
		[PAYLOAD_ANY] = "any" };
	bool jumbo = strstr(l->field[3], "jumbo") != NULL;
	char args[256] = "", payload[16];
	size_t n = 0;

	snprintf(payload, sizeof payload, "%.*s",
		(int)strcspn(l->field[3], "+"), l->field[3]);
	if (strcmp(payload, "jumbo") == 0)
		strcpy(payload, "all");

	for (int i = 0; i < s->nargs; i++)
		n += (size_t)snprintf(args + n, sizeof args - n, "%s%s %s",
			i > 0 ? " " : "", signature_type_name(s->arg[i].type),
			s->arg[i].name);
	CHECK_STR(args, l->n > 5 ? l->rest[5] : "");
	CHECK_INT(s->jumbo, jumbo);
	CHECK_INT(d->payload, word(payload, payloads, N(payloads)));
	CHECK_INT(d->call != NULL, strcmp(l->field[4], "used") == 0);
}

EACH_WHOLE_MODEL(other_events)
{
	CHECK_INT(m->nevents, count("event", m));
	for (const struct line *l = NULL; (l = next(l, "event", m)) != NULL;) {
		int found = 0;

		for (int i = 0; i < m->nevents; i++) {
			struct signature s;
			struct err err = { 0 };

			CHECK(signature_parse(
				&s, m->events[i].signature, &err));
			if (strcmp(s.name, l->field[2]) != 0)
				continue;
			found++;
			check_event(l, &m->events[i], &s);
		}
		once(found, l);
	}
}

static bool
has_word(const struct line *l, const char *word)
{
	for (int i = 0; i < l->n; i++)
		if (strcmp(l->field[i], word) == 0)
			return true;
	return false;
}

EACH_WHOLE_MODEL(tasks_are_shown_and_run_as_described)
{
	const struct line *l = next(NULL, "tasks", m);

	CHECK_INT(m->tasks != NULL, l != NULL);
	if (l == NULL || m->tasks == NULL)
		return;
	CHECK_INT(m->tasks->id, chan_of(m, l->field[2]));
	CHECK_INT(m->tasks->type, chan_of(m, l->field[3]));
	CHECK_INT(m->tasks->rank, chan_of(m, l->field[4]));
	CHECK_INT(m->tasks->app, chan_of(m, l->field[5]));
	CHECK_INT(m->tasks->body_id, chan_of(m, l->field[6]));
	CHECK_INT(m->tasks->section, chan_of(m, l->field[7]));
	CHECK_INT(m->tasks->body, number(l, 8));
	CHECK_INT(m->tasks->nests, has_word(l, "nests"));
	CHECK_INT(m->tasks->again, has_word(l, "again"));
	CHECK_INT(m->tasks->bodies, has_word(l, "bodies"));
	CHECK_INT(m->tasks->stacks, has_word(l, "stacks"));
	CHECK_INT(m->tasks->no_zero, has_word(l, "no-zero"));
	if (has_word(l, "repeats"))
		CHECK_INT(m->chans[m->tasks->section].repeat, number(l, 8));
}

EACH_WHOLE_MODEL(breakdowns)
{
	const struct line *l = next(NULL, "breakdown", m);
	const struct breakdown_def *b = m->breakdown;

	CHECK_INT(b != NULL, l != NULL);
	if (l == NULL || b == NULL)
		return;
	CHECK_INT(b->type, chan_of(m, l->field[2]));
	CHECK_INT(b->subsystem, chan_of(m, l->field[3]));
	CHECK_INT(b->idle, chan_of(m, l->field[4]));
	CHECK_INT(b->asks != NULL, strcmp(m->name, "nosv") == 0);
	CHECK_INT(b->body, number(l, 5));
	CHECK_INT(b->progressing, number(l, 6));
	CHECK_INT(b->unknown, number(l, 7));
	CHECK_INT(b->number, number(l, 8));
	CHECK_STR(b->title, l->rest[9]);
}

static void
check_core(const struct line *l, const struct type *type, int n)
{
	int found = 0;

	for (int i = 0; i < n; i++) {
		if (type[i].number != number(l, 2))
			continue;
		found++;
		CHECK_STR(type[i].title, l->rest[3]);
	}
	once(found, l);
}

TEST(rows_that_are_always_there)
{
	CHECK_INT(count("core", NULL), THREAD_CORE + CPU_CORE);
	for (const struct line *l = NULL; (l = next(l, "core", NULL)) != NULL;)
		if (strcmp(l->field[1], "thread") == 0)
			check_core(l, view_core_thread, THREAD_CORE);
		else
			check_core(l, view_core_cpu, CPU_CORE);
	CHECK_INT(count("state", NULL), THREAD_WARMING + 1);
	for (const struct line *l = NULL; (l = next(l, "state", NULL)) != NULL;)
		CHECK_STR(thread_state_name((enum thread_state)number(l, 1)),
			l->rest[2]);
}

/*
 * Returns the number of events. A span has two; a set and any other row have
 * one, even if the name is a pattern such as "OB?". But "OU?" stands for two
 * events, "OU[" and "OU]", which the description lists.
 */
static int
count_events(const struct model *m)
{
	int n = 2 * m->nspans + m->nsets + m->nevents;

	for (int i = 0; i < m->nevents; i++)
		n += strcmp(m->events[i].signature, "OU?") == 0;
	return n;
}

/* The check covers only models that this build has. */
TEST(models_have_versions_needs_and_as_many_events_as_described)
{
	static const char *const needs[] = { [NEED_NOTHING] = "nothing",
		[NEED_RUNNING] = "running",
		[NEED_ACTIVE] = "active",
		[NEED_ALIVE] = "alive",
		[NEED_ON_CPU] = "on-cpu",
		[NEED_ON_CPU | NEED_ACTIVE] = "active+on-cpu" };

	for (const struct line *l = NULL;
		(l = next(l, "model", NULL)) != NULL;) {
		const struct model *m = model_find(l->field[1]);

		if (m == NULL)
			continue;
		CHECK_STR(m->old_version != NULL ? m->old_version : m->version,
			l->field[2]);
		CHECK_INT(count_events(m), number(l, 3));
		CHECK_INT(m->need, word(l->field[4], needs, N(needs)));
	}
}

/* The description of nanos6 in the specification is older: it lacks the event
 * by which a task-for names a task. */
TEST(nanos6_is_newer_than_the_description)
{
	const struct model *m = model_find("nanos6");

	CHECK(m != NULL);
	CHECK_STR(m == NULL ? "" : m->version, "1.2.0");
}

int
main(int argc, char *argv[])
{
	static const struct test tests[] = { RUN(channels), RUN(spans),
		RUN(sets), RUN(punctual_events),
		RUN(values_without_an_event_of_their_own), RUN(other_events),
		RUN(tasks_are_shown_and_run_as_described), RUN(breakdowns),
		RUN(rows_that_are_always_there),
		RUN(models_have_versions_needs_and_as_many_events_as_described),
		RUN(nanos6_is_newer_than_the_description) };

	if (argc != 2 || !read_table(argv[1])) {
		fprintf(stderr, "usage: spec TABLE\n");
		return 2;
	}
	return test_run_all(tests, N(tests));
}
