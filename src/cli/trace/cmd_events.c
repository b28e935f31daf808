/* SPDX-License-Identifier: MIT */
/* weft events - lists the events of the models and what they mean. */
#include <stdio.h>
#include <string.h>

#include "cli/screen.h"
#include "cli/trace/pipeline.h"
#include "emu/model.h"

enum { INDENT = 35 }; /* columns of an event's name and arguments */

static void
print_span(const struct model *m, const struct span_def *d)
{
	char end[160], plain[160];

	screen_line(INDENT, "%-34s %s  [%s: pushes %lld \"%s\"]", d->in,
		model_plain(m, d->in, d->says, plain, (int)sizeof plain),
		m->chans[d->chan].key, (long long)d->value, d->label);
	screen_line(INDENT, "%-34s %s  [%s: pops %lld]", d->out,
		model_plain(m, d->out,
			model_span_end(d->says, end, (int)sizeof end), plain,
			(int)sizeof plain),
		m->chans[d->chan].key, (long long)d->value);
}

enum { ACTION = 512 };

/* Writes what a general model row does. */
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
print_row(const struct model *m, const struct model_row *d)
{
	static const char *const owner[] = {
		[OWNER_THREAD] = "",
		[OWNER_RUNNING] = ", of the running thread",
		[OWNER_TID] = ", of the thread it names",
		[OWNER_CPU] = ", of the CPU",
		[OWNER_PROCESS] = ", of the process",
		[OWNER_SYSTEM] = ", of the system",
	};

	char action[ACTION];

	screen_line(INDENT, "%-34s %s  [%s%s%s]", d->signature,
		d->says == NULL ? "" : d->says, action_text(m, d, action),
		owner[d->owner],
		d->since != SINCE_NOW ? ", since the time in an argument" : "");
}

static void
print_model(const struct model *m)
{
	char plain[256];

	for (int i = 0; i < m->nevents; i++)
		screen_line(INDENT, "%-34s %s%s", m->events[i].signature,
			model_plain(m, m->events[i].signature,
				m->events[i].says, plain, (int)sizeof plain),
			m->events[i].call == NULL ? "  [shows nothing]" : "");
	for (int i = 0; i < m->nsets; i++)
		screen_line(INDENT, "%-34s %s  [%s: sets %lld \"%s\"]",
			m->sets[i].event, m->sets[i].says,
			m->chans[m->sets[i].chan].key,
			(long long)m->sets[i].value, m->sets[i].label);
	for (int i = 0; i < m->nspans; i++)
		print_span(m, &m->spans[i]);
	for (int i = 0; i < m->nrows; i++)
		print_row(m, &m->rows[i]);
}

/* Prints the events of the model with that name, or of all models. */
static enum exit_code
show(struct pipeline *r, const char *name)
{
	bool any = false;

	if (!pipeline_read_models(&r->arena, r->model_files, &r->models))
		return EXIT_UNABLE;
	for (const struct model *const *m = pipeline_models(r); *m != NULL;
		m++) {
		if (name != NULL && strcmp((*m)->name, name) != 0)
			continue;
		printf("%s%s %s\n", any ? "\n" : "", (*m)->name, (*m)->version);
		print_model(*m);
		any = true;
	}
	if (any)
		return EXIT_YES;
	return pipeline_no_model(r, &cmd_events, name);
}

static enum exit_code
run(int argc, char *argv[])
{
	struct pipeline r = RUN_DEFAULTS;
	const struct option_def opts[] = { RUN_MODEL_OPTION(r), { 0 } };
	enum exit_code code;
	int n = cmd_parse(&cmd_events, opts, argc, argv, &code);

	if (n >= 0)
		code = show(&r, n == 0 ? NULL : argv[0]);
	pipeline_close(&r);
	return code;
}

const struct cmd cmd_events = {
	.name = "events",
	.brief = "list the events of all models, or of one, and their meaning",
	.args = "[MODEL]",
	.words = propose_models,
	.max_args = 1,
	.help = "A name that ends with '+' is that of a jumbo; the arguments "
		"follow with their types.\n"
		"'?' stands for any letter.\n",
	.run = run,
};
