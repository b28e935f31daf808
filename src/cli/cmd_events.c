/* SPDX-License-Identifier: MIT */
/* weft events - lists the events of the models and what they mean. */
#include <stdio.h>

#include "cli/cmd.h"
#include "emu/model.h"

static void
print_span(const struct model *m, const struct span_def *d)
{
	char end[160];

	printf("%-34s %s  [%s: pushes %lld \"%s\"]\n", d->in, d->says,
		m->chans[d->chan].key, (long long)d->value, d->label);
	printf("%-34s %s  [%s: pops %lld]\n", d->out,
		model_span_end(d->says, end, (int)sizeof end),
		m->chans[d->chan].key, (long long)d->value);
}

static void
print_model(const struct model *m)
{
	for (int i = 0; i < m->nevents; i++)
		printf("%-34s %s%s\n", m->events[i].signature,
			m->events[i].says,
			m->events[i].call == NULL ? "  [shows nothing]" : "");
	for (int i = 0; i < m->nsets; i++)
		printf("%-34s %s  [%s: sets %lld \"%s\"]\n", m->sets[i].event,
			m->sets[i].says, m->chans[m->sets[i].chan].key,
			(long long)m->sets[i].value, m->sets[i].label);
	for (int i = 0; i < m->nspans; i++)
		print_span(m, &m->spans[i]);
}

static enum exit_code
run(int argc, char *argv[])
{
	const struct option_def opts[] = { { 0 } };
	enum exit_code code;
	int n = cmd_parse(&cmd_events, opts, argc, argv, &code);
	const struct model *one;

	if (n < 0)
		return code;
	one = n == 0 ? NULL : model_find(argv[0]);
	if (n == 1 && one == NULL)
		return cmd_usage_error(&cmd_events,
			"there is no model \"%s\"; 'weft models' lists them",
			argv[0]);
	for (const struct model *const *m = models; *m != NULL; m++) {
		if (one != NULL && one != *m)
			continue;
		printf("%s%s %s\n", m == models || one != NULL ? "" : "\n",
			(*m)->name, (*m)->version);
		print_model(*m);
	}
	return EXIT_YES;
}

const struct cmd cmd_events = {
	.name = "events",
	.brief = "list the events of all models, or of one, and their meaning",
	.args = "[MODEL]",
	.max_args = 1,
	.help = "A name ends with '+' if the event is a jumbo; its arguments "
		"follow with their types.\n'?' stands for any letter.\n",
	.run = run,
};
