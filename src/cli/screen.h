/* SPDX-License-Identifier: MIT */
/*
 * screen.h - the width of standard output, and lines that keep to it.
 *
 * Tables cut names to fit (cli/fit.h), but never numbers. If that does not
 * suffice, they put each value on a line of its own. Sentences are wrapped. A
 * word longer than a line, such as a path, is not broken, so that it can be
 * copied.
 */
#ifndef WEFT_CLI_SCREEN_H
#define WEFT_CLI_SCREEN_H

/* Returns the columns that COLUMNS says, else those of the terminal; 0:
 * standard output is no terminal, and lines may have any length. */
int screen_columns(void);

/* Prints a line, wrapped if necessary; continuation lines begin with `indent`
 * blanks. */
void screen_say(const char *text, int indent);

/*
 * Prints lines as they are, as long as they fit. Lines that are too wide are
 * filled anew together with the lines that continue them:
 *
 *	Paragraphs begin
 *	at the left edge.
 *	  word   A list has a word and its description, which
 *	         continues below the description.
 */
void screen_text(const char *text);

#endif
