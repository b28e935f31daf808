/* SPDX-License-Identifier: MIT */
/* weft models - lists the models, or the channels of one. */
#include <stdio.h>

#include "cli/cmd.h"
#include "emu/model.h"

static int
count_events(const struct model *m)
{
	return 2 * m->nspans + m->nsets + m->nevents;
}

static void
list(void)
{
	printf("%-10s %-8s %-7s %s\n", "model", "version", "letter",
		"what it shows");
	for (const struct model *const *m = models; *m != NULL; m++)
		printf("%-10s %-8s %-7c %s\n", (*m)->name, (*m)->version,
			(*m)->id, (*m)->brief);
}

static void
describe(const struct model *m)
{
	static const char *const shown[] = {
		[TRACK_NONE] = "always",
		[TRACK_RUNNING] = "while it runs",
		[TRACK_ACTIVE] = "while active",
	};

	printf("%s %s: %s\n%d rows of events: weft events %s\n\n", m->name,
		m->version, m->brief, count_events(m), m->name);
	printf("%-22s %-6s %-7s %-14s %s\n", "channel", "type", "kind",
		"thread shows", "title");
	for (int i = 0; i < m->nchans; i++) {
		const struct chan_def *c = &m->chans[i];
		char key[64];

		snprintf(key, sizeof key, "%s.%s", m->name, c->key);
		printf("%-22s %-6lld %-7s %-14s %s\n", key,
			(long long)c->number,
			c->kind == CHAN_STACK ? "stack" : "single",
			shown[c->thread], c->title);
	}
}

static enum exit_code
run(int argc, char *argv[])
{
	const struct option_def opts[] = { { 0 } };
	enum exit_code code;
	int n = cmd_parse(&cmd_models, opts, argc, argv, &code);
	const struct model *m;

	if (n < 0)
		return code;
	if (n == 0) {
		list();
		return EXIT_YES;
	}
	m = model_find(argv[0]);
	if (m == NULL)
		return cmd_usage_error(&cmd_models,
			"there is no model \"%s\"; 'weft models' lists them",
			argv[0]);
	describe(m);
	return EXIT_YES;
}

const struct cmd cmd_models = {
	.name = "models",
	.brief = "list the models, or the channels of one",
	.args = "[MODEL]",
	.max_args = 1,
	.run = run,
};
