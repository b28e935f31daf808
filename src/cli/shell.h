/* SPDX-License-Identifier: MIT */
/*
 * shell.h - words of a command that a person may copy into a shell.
 */
#ifndef WEFT_CLI_SHELL_H
#define WEFT_CLI_SHELL_H

struct arena;

/* The path as a POSIX shell takes it: itself, or in single quotes; and as no
 * command takes it for an option. */
const char *shell_word(struct arena *a, const char *word);

#endif
