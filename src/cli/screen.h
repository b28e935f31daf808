/* SPDX-License-Identifier: MIT */
/*
 * screen.h - finds the width of standard output, and prints lines that fit it.
 *
 * Tables cut names to fit (cli/fit.h), but never numbers. If that does not
 * suffice, they put each value on a line of its own. Sentences are wrapped. A
 * word longer than a line, such as a path, is not broken, and a text in single
 * quotes is not broken at its blanks, so that both can be copied.
 */
#ifndef WEFT_CLI_SCREEN_H
#define WEFT_CLI_SCREEN_H

/* Returns the number of columns in the environment variable COLUMNS, else that
 * of the terminal; 0: standard output is no terminal, and lines may have any
 * length. */
int screen_columns(void);

/* Prints a line, wrapped if necessary; continuation lines begin with `indent`
 * blanks. */
void screen_say(const char *text, int indent);

/*
 * Prints a line of a list, and ends it. A line that is too wide continues below
 * the column `indent`; on a narrow screen it continues after four blanks, and
 * columns are not aligned. In a pipe nothing is wrapped.
 */
void screen_line(int indent, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Prints a sentence, wrapped if necessary, and ends the line. Continuation
 * lines are indented more than an item of a list, "  1. ...". */
void screen_sentence(const char *fmt, ...)
	__attribute__((format(printf, 1, 2)));

/* Prints a result of the command in lines that are wrapped if necessary, unless
 * --quiet was given. */
void screen_summary(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Prints lines "  COMMAND   what it does". A command is never broken, because
 * it is there to be copied: if there is no room, what it does is printed on the
 * next line. */
void screen_examples(const char *text);

/*
 * Prints lines as they are, as long as they fit. Lines that are too wide are
 * wrapped again, together with the lines that continue them:
 *
 *	Paragraphs begin
 *	at the left edge.
 *	  word   A list has a word and its description, which
 *	         continues below the description.
 */
void screen_text(const char *text);

#endif
