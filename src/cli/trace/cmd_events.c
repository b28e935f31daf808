/* SPDX-License-Identifier: MIT */
/* weft events - lists the events of the models and what they mean. */
#include <stdio.h>
#include <string.h>

#include "cli/trace/pipeline.h"
#include "emu/model.h"

static void
print_span(const struct model *m, const struct span_def *d)
{
	char end[160], plain[160];

	printf("%-34s %s  [%s: pushes %lld \"%s\"]\n", d->in,
		model_plain(m, d->in, d->says, plain, (int)sizeof plain),
		m->chans[d->chan].key, (long long)d->value, d->label);
	printf("%-34s %s  [%s: pops %lld]\n", d->out,
		model_plain(m, d->out,
			model_span_end(d->says, end, (int)sizeof end), plain,
			(int)sizeof plain),
		m->chans[d->chan].key, (long long)d->value);
}

/* Prints what a general model row does. */
static void
print_action(const struct model *m, const struct model_row *d)
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

	printf("%s: %s", m->chans[d->chan].key, verb[d->action]);
	if (has_value && d->arg >= 0)
		printf(" its argument %d", d->arg + 1);
	else if (has_value && d->value == VALUE_NONE)
		printf(" nothing");
	else if (has_value)
		printf(" %lld", (long long)d->value);
	if (d->label != NULL)
		printf(" \"%s\"", d->label);
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

	printf("%-34s %s  [", d->signature, d->says == NULL ? "" : d->says);
	if (d->action == ROW_IGNORE)
		printf("shows nothing");
	else
		print_action(m, d);
	printf("%s%s]\n", owner[d->owner],
		d->since != SINCE_NOW ? ", since the time in an argument" : "");
}

static void
print_model(const struct model *m)
{
	char plain[256];

	for (int i = 0; i < m->nevents; i++)
		printf("%-34s %s%s\n", m->events[i].signature,
			model_plain(m, m->events[i].signature,
				m->events[i].says, plain, (int)sizeof plain),
			m->events[i].call == NULL ? "  [shows nothing]" : "");
	for (int i = 0; i < m->nsets; i++)
		printf("%-34s %s  [%s: sets %lld \"%s\"]\n", m->sets[i].event,
			m->sets[i].says, m->chans[m->sets[i].chan].key,
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
	.max_args = 1,
	.help = "A name that ends with '+' is that of a jumbo; the arguments "
		"follow with their types.\n"
		"'?' stands for any letter.\n",
	.run = run,
};
