/* SPDX-License-Identifier: MIT */
/*
 * describe.h - what the commands and their options are, for other programs: man
 * pages and the completion of shells, from the tables that parse and print
 * help.
 */
#ifndef WEFT_CLI_DESCRIBE_H
#define WEFT_CLI_DESCRIBE_H

struct cmd;

enum describe_form {
	DESCRIBE_TEXT,
	DESCRIBE_MAN,
	DESCRIBE_BASH,
	DESCRIBE_ZSH,
	DESCRIBE_FISH
};

#define DESCRIBE_FORMS "text,man,bash,zsh,fish" /* as an option takes them */

/* The man page of a command, or of all; roff of man(7). */
void describe_man(const struct cmd *cmd);
void describe_man_of_all(void);

/* The script that completes `weft` in a shell. */
void describe_for_shell(enum describe_form shell);

#endif
