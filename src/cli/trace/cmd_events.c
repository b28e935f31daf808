/* SPDX-License-Identifier: MIT */
/* weft events - lists the events of the models and what they mean. */
#include <stdio.h>
#include <string.h>

#include "cli/screen.h"
#include "cli/trace/events_walk.h"
#include "cli/trace/pipeline.h"
#include "emu/model.h"

enum { INDENT = 35 }; /* columns of an event's name and arguments */

static void
print_line(void *arg, const struct events_line *line)
{
	(void)arg;
	if (line->shows == NULL)
		screen_line(INDENT, "%-34s %s", line->signature, line->says);
	else
		screen_line(INDENT, "%-34s %s  [%s]", line->signature,
			line->says, line->shows);
}

/* Prints a list. Returns false if no model has that name. */
static bool
print_list(const struct model *const *m, const char *name)
{
	bool any = false;

	for (; *m != NULL; m++) {
		if (name != NULL && strcmp((*m)->name, name) != 0)
			continue;
		printf("%s%s %s\n", any ? "\n" : "", (*m)->name, (*m)->version);
		events_walk(*m, true, print_line, NULL);
		any = true;
	}
	return any;
}

/* Prints the events of the model with that name, or of all models. */
static enum exit_code
show(struct pipeline *r, const char *name, bool markdown)
{
	const struct model *const *m;

	if (!pipeline_read_models(&r->arena, r->model_files, &r->models))
		return EXIT_UNABLE;
	m = pipeline_models(r);
	if (markdown ? events_page(m, name) : print_list(m, name))
		return EXIT_YES;
	return pipeline_no_model(r, &cmd_events, name);
}

static enum exit_code
run(int argc, char *argv[])
{
	struct pipeline r = RUN_DEFAULTS;
	bool markdown = false;
	const struct option_def opts[] = { RUN_MODEL_OPTION(r),
		{ .name = "markdown",
			.help = "print a page in Markdown",
			.flag = &markdown },
		{ 0 } };
	enum exit_code code;
	int n = cmd_parse(&cmd_events, opts, argc, argv, &code);

	if (n >= 0)
		code = show(&r, n == 0 ? NULL : argv[0], markdown);
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
