/* SPDX-License-Identifier: MIT */
/*
 * model_tasks.c - rules that the tasks of every model obey, and what is
 * inferred if their events are missing: as models.c.
 */
#include "emu/model.h"
#include "emu/signature.h"
#include "test.h"

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

/* Returns whether chan is a channel of the model, of that kind. */
static bool
is_chan(const struct model *m, int chan, enum chan_kind kind)
{
	return chan >= 0 && chan < m->nchans && m->chans[chan].kind == kind;
}

/* Returns true for a channel that may be set to the same value again:
 * consecutive tasks of a process, or bodies, may have the same value. */
static bool
is_single_or_none(const struct model *m, int chan)
{
	return chan == TASK_NO_CHAN ||
		(is_chan(m, chan, CHAN_SINGLE) && m->chans[chan].dup);
}

static void
check_tasks(const struct model *m)
{
	const struct task_def *t = m->tasks;
	enum chan_kind kind = CHAN_SINGLE;

	if (t == NULL)
		return;
	if (t->stacks)
		kind = CHAN_STACK;
	RULE(is_chan(m, t->id, kind), m, "id");
	RULE(is_chan(m, t->type, kind), m, "type");
	RULE(is_single_or_none(m, t->rank), m, "rank");
	RULE(is_single_or_none(m, t->app), m, "app");
	RULE(is_single_or_none(m, t->body_id), m, "body_id");
	/* Consecutive tasks may have the same type. */
	RULE(m->chans[t->type].dup, m, "dup");
	if (t->section == TASK_NO_CHAN)
		return;
	RULE(is_chan(m, t->section, CHAN_STACK), m, "section");
	RULE(model_label(m, t->section, t->body) != NULL, m, "body");
}

/* The event that weft check --repair adds. */
static bool
parse_inferred(
	const struct model *m, const struct infer_def *d, struct signature *sig)
{
	struct err err = { 0 };

	for (int i = 0; i < m->nevents; i++)
		if (signature_parse(sig, m->events[i].signature, &err) &&
			strcmp(sig->name, d->event) == 0)
			return true;
	for (int i = 0; i < m->nspans; i++)
		if (strcmp(m->spans[i].out, d->event) == 0)
			return signature_parse(sig, d->event, &err);
	return false;
}

static void
check_inferred(const struct model *m)
{
	uint32_t seen = 0;

	for (int i = 0; i < m->ninfers; i++) {
		const struct infer_def *d = &m->infers[i];
		struct signature sig = { .nargs = 0 };

		RULE((seen & 1u << d->what) == 0, m, d->event);
		seen |= 1u << d->what;
		RULE(strlen(d->event) == 3, m, d->event);
		RULE(parse_inferred(m, d, &sig), m, d->event);
		RULE(signature_size(&sig, sig.nargs) <= 16, m, d->event);
		RULE(sig.nargs >=
				(d->what == INFER_TYPE ||
							d->what == INFER_TASK ||
							d->what == INFER_BODIES
						? 2
						: 0),
			m, d->event);
	}
	RULE(m->tasks == NULL || (seen & 1u << INFER_TYPE) != 0, m, "types");
	RULE(m->tasks == NULL || (seen & 1u << INFER_TASK) != 0, m, "tasks");
	RULE(m->tasks == NULL || !m->tasks->bodies ||
			(seen & 1u << INFER_BODIES) != 0,
		m, "parallel tasks");
}

TEST(tasks_show_in_channels_of_the_right_kind)
{
	for (const struct model *const *m = models; *m != NULL; m++)
		check_tasks(*m);
}

TEST(what_is_inferred_is_an_event_of_the_model)
{
	for (const struct model *const *m = models; *m != NULL; m++)
		check_inferred(*m);
}

TEST_MAIN(RUN(tasks_show_in_channels_of_the_right_kind),
	RUN(what_is_inferred_is_an_event_of_the_model))
