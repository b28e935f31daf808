/* SPDX-License-Identifier: MIT */
/* weft help - lists the commands, or prints the help of one. */
#include <stdio.h>

#include "base/arena.h"
#include "cli/cmd.h"
#include "cli/describe.h"
#include "cli/screen.h"

static void
list(void)
{
	char line[128];

	screen_say("Usage: weft COMMAND [OPTIONS] [ARGUMENTS]", 4);
	printf("\nCommands:\n");
	for (const struct cmd *const *c = cmds; *c != NULL; c++) {
		snprintf(line, sizeof line, "  %-10s %s", (*c)->name,
			(*c)->brief);
		screen_say(line, 13);
	}
	screen_text("\n'weft help COMMAND' prints the options of "
		    "one.\n\n" CMD_EXIT_CODES);
}

/* Prints a description of one command, or of all. */
static enum exit_code
describe(const struct cmd *cmd, enum describe_form form)
{
	if (form == DESCRIBE_MAN && cmd != NULL)
		describe_man(cmd);
	else if (form == DESCRIBE_MAN)
		describe_man_of_all();
	else if (cmd != NULL)
		return cmd_usage_error(&cmd_help,
			"one completion script serves all commands: leave out "
			"COMMAND");
	else
		describe_for_shell(form);
	return EXIT_YES;
}

static const char *
command_words(struct arena *a)
{
	const char *list = cmds[0]->name;

	for (int i = 1; cmds[i] != NULL; i++)
		list = arena_printf(a, "%s,%s", list, cmds[i]->name);
	return list;
}

static enum exit_code
run(int argc, char *argv[])
{
	int form = DESCRIBE_TEXT, n;
	const struct option_def opts[] = {
		{ 'f', "format", "FORMAT",
			"formats: text, man (a page), bash, zsh, fish "
			"(completion)",
			.choice = &form, .choices = DESCRIBE_FORMS },
		{ 0 },
	};
	enum exit_code code;
	const struct cmd *cmd = NULL;

	n = cmd_parse(&cmd_help, opts, argc, argv, &code);
	if (n < 0)
		return code;
	if (n > 0 && (cmd = cmd_find(argv[0])) == NULL)
		return cmd_unknown(argv[0]);
	if (form != DESCRIBE_TEXT)
		return describe(cmd, (enum describe_form)form);
	if (cmd == NULL) {
		list();
		return EXIT_YES;
	}
	return cmd->run(2, (char *[]){ argv[0], (char[]){ "--help" }, NULL });
}

const struct cmd cmd_help = {
	.name = "help",
	.brief = "list the commands, or print the help of one",
	.args = "[COMMAND]",
	.words = command_words,
	.max_args = 1,
	.run = run,
};
