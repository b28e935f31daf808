/* SPDX-License-Identifier: MIT */
/*
 * shell.h - quotes words of proposed commands, so that users can paste these
 * into a shell.
 */
#ifndef WEFT_CLI_SHELL_H
#define WEFT_CLI_SHELL_H

struct arena;

/* Returns the path as a word of a POSIX shell, in single quotes if necessary,
 * and in a form that no command takes for an option. Line feeds at its end are
 * lost. */
const char *shell_word(struct arena *a, const char *word);

#endif
