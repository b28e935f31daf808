/* SPDX-License-Identifier: MIT */
/*
 * describe.h - describes the commands and their options as man pages and as
 * completion scripts, from the tables that parse options and print help.
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

#define DESCRIBE_FORMS "text,man,bash,zsh,fish" /* for an option's choices */

/* Prints the man page of a command, or the man page of weft itself, in roff for
 * man(7). */
void describe_man(const struct cmd *cmd);
void describe_man_of_all(void);

/* Prints the script by which a shell completes `weft`. */
void describe_for_shell(enum describe_form shell);

#endif
