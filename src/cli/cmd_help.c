/* SPDX-License-Identifier: MIT */
/* weft help - lists the commands, or prints the help of one. */
#include <stdio.h>

#include "cli/cmd.h"

static void
list(void)
{
	printf("Usage: weft COMMAND [OPTIONS] [ARGUMENTS]\n\nCommands:\n");
	for (const struct cmd *const *c = cmds; *c != NULL; c++)
		printf("  %-10s %s\n", (*c)->name, (*c)->brief);
	printf("\n'weft help COMMAND' prints the options of one.\n\n"
	       "Exit codes: 0 yes; 1 the trace has errors, the output is "
	       "written all the same;\n2 the command was not understood; "
	       "3 nothing could be read, or nothing written.\n");
}

static enum exit_code
run(int argc, char *argv[])
{
	const struct option_def opts[] = { { 0 } };
	enum exit_code code;
	int n = cmd_parse(&cmd_help, opts, argc, argv, &code);
	const struct cmd *cmd;

	if (n < 0)
		return code;
	if (n == 0) {
		list();
		return EXIT_YES;
	}
	cmd = cmd_find(argv[0]);
	if (cmd == NULL)
		return cmd_unknown(argv[0]);
	return cmd->run(2, (char *[]){ argv[0], (char[]){ "--help" }, NULL });
}

const struct cmd cmd_help = {
	.name = "help",
	.brief = "list the commands, or print the help of one",
	.args = "[COMMAND]",
	.max_args = 1,
	.run = run,
};
