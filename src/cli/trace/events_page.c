/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "cli/trace/events_walk.h"
#include "emu/describe.h"
#include "emu/model.h"

/* Prints a text with a backslash before each character of the set. */
static void
put_escaped(const char *text, const char *set)
{
	for (; *text != '\0'; text++) {
		if (strchr(set, *text) != NULL)
			putchar('\\');
		putchar(*text);
	}
}

static void
print_line(void *arg, const struct events_line *line)
{
	char says[1024];

	(void)arg;
	describe_named(
		line->says, line->signature, "<", ">", says, sizeof says);
	printf("| `");
	put_escaped(line->signature, "|");
	printf("` | ");
	put_escaped(says, "|*<[`");
	printf(" | ");
	put_escaped(line->shows == NULL ? "" : line->shows, "|*<[`");
	printf(" |\n");
}

bool
events_page(const struct model *const *list, const char *name)
{
	bool any = false;

	for (; *list != NULL; list++) {
		const struct model *m = *list;

		if (name != NULL && strcmp(m->name, name) != 0)
			continue;
		if (!any)
			printf("# Events\n\n"
			       "All events that each model knows, what they "
			       "say and what they show: the output of\n"
			       "`weft events --markdown`. A name that ends "
			       "with `+` is that of a jumbo event, `?` stands "
			       "for\nany letter, `|` separates names of the "
			       "same event. [Runtimes](runtimes.md) tells "
			       "about the models.\n");
		any = true;
		printf("\n## %s %s\n\n%s.", m->name, m->version, m->brief);
		if (m->prefix != NULL)
			printf(" Names begin with `%s`.", m->prefix);
		printf("\n\n| event | what it says | what it shows |\n"
		       "| --- | --- | --- |\n");
		events_walk(m, true, print_line, NULL);
	}
	return any;
}
