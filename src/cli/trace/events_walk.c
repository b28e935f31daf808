/* SPDX-License-Identifier: MIT */
#include "cli/trace/events_walk.h"

#include <stdio.h>

#include "emu/model.h"

enum { SENTENCE = 256, ACTION = 512 };

/* Returns what a general model row does. */
static const char *
action_text(const struct model *m, const struct model_row *d, char to[ACTION])
{
	static const char *const verb[] = {
		[ROW_PUSH] = "pushes",
		[ROW_POP] = "pops",
		[ROW_SET] = "sets",
		[ROW_REPLACE] = "replaces the top by",
		[ROW_ADD] = "adds",
		[ROW_SUB] = "subtracts",
		[ROW_SHOW] = "shows",
		[ROW_POINT] = "shows for a moment",
		[ROW_ENABLE] = "enables",
		[ROW_DISABLE] = "disables",
	};
	bool has_value = d->action < ROW_ENABLE;
	char value[32] = "";

	if (d->action == ROW_IGNORE)
		return "shows nothing";
	if (has_value && d->arg >= 0)
		snprintf(value, sizeof value, " its argument %d", d->arg + 1);
	else if (has_value && d->value == VALUE_NONE)
		snprintf(value, sizeof value, " nothing");
	else if (has_value)
		snprintf(value, sizeof value, " %lld", (long long)d->value);
	snprintf(to, ACTION, "%s: %s%s%s%s%s", m->chans[d->chan].key,
		verb[d->action], value, d->label != NULL ? " \"" : "",
		d->label != NULL ? d->label : "", d->label != NULL ? "\"" : "");
	return to;
}

static void
walk_row(const struct model *m, const struct model_row *d, events_fn *each,
	void *arg)
{
	static const char *const owner[] = {
		[OWNER_THREAD] = "",
		[OWNER_RUNNING] = " (channel of the running thread)",
		[OWNER_TID] = " (channel of the thread it names)",
		[OWNER_CPU] = " (channel of the CPU)",
		[OWNER_PROCESS] = " (channel of the process)",
		[OWNER_SYSTEM] = " (channel of the system)",
	};
	char action[ACTION], shows[ACTION + 80];

	snprintf(shows, sizeof shows, "%s%s%s", action_text(m, d, action),
		owner[d->owner],
		d->since != SINCE_NOW ? ", since the time in an argument" : "");
	each(arg,
		&(struct events_line){
			d->signature, d->says == NULL ? "" : d->says, shows });
}

static void
walk_span(const struct model *m, const struct span_def *d, bool plain,
	events_fn *each, void *arg)
{
	char end[SENTENCE], to[SENTENCE], shows[ACTION];
	const char *key = m->chans[d->chan].key;
	const char *says = d->says;

	if (plain)
		says = model_plain(m, d->in, says, to, (int)sizeof to);
	snprintf(shows, sizeof shows, "%s: pushes %lld \"%s\"", key,
		(long long)d->value, d->label);
	each(arg, &(struct events_line){ d->in, says, shows });
	says = model_span_end(d->says, end, (int)sizeof end);
	if (plain)
		says = model_plain(m, d->out, says, to, (int)sizeof to);
	snprintf(
		shows, sizeof shows, "%s: pops %lld", key, (long long)d->value);
	each(arg, &(struct events_line){ d->out, says, shows });
}

static void
walk_set(const struct model *m, const struct set_def *d, events_fn *each,
	void *arg)
{
	char shows[ACTION];

	snprintf(shows, sizeof shows, "%s: sets %lld \"%s\"",
		m->chans[d->chan].key, (long long)d->value, d->label);
	each(arg, &(struct events_line){ d->event, d->says, shows });
}

void
events_walk(const struct model *m, bool plain, events_fn *each, void *arg)
{
	char to[SENTENCE];

	for (int i = 0; i < m->nevents; i++) {
		const struct event_def *d = &m->events[i];
		const char *says = d->says;

		if (plain)
			says = model_plain(
				m, d->signature, says, to, (int)sizeof to);
		each(arg,
			&(struct events_line){ d->signature, says,
				d->call == NULL ? "shows nothing" : NULL });
	}
	for (int i = 0; i < m->nsets; i++)
		walk_set(m, &m->sets[i], each, arg);
	for (int i = 0; i < m->nspans; i++)
		walk_span(m, &m->spans[i], plain, each, arg);
	for (int i = 0; i < m->nrows; i++)
		walk_row(m, &m->rows[i], each, arg);
}
