/* SPDX-License-Identifier: MIT */
/*
 * screen.h - how wide standard output is, and lines that keep to it.
 *
 * Tables cut names so that they fit (cli/fit.h), and never numbers. Where even
 * that is too wide they put each value on a line of its own. Sentences go on in
 * the next line. A word that is longer than a line, as a path, stays whole, so
 * that it can be copied.
 */
#ifndef WEFT_CLI_SCREEN_H
#define WEFT_CLI_SCREEN_H

/* Columns: those that COLUMNS names, else those of the terminal; 0: it is no
 * terminal, and lines may have any length. */
int screen_columns(void);

/* Prints a line; where it is too wide, further ones that begin with so many
 * blanks. */
void screen_say(const char *text, int indent);

#endif
