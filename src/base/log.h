/* SPDX-License-Identifier: MIT */
/*
 * log.h - messages for the person at the terminal.
 *
 * Lines go to standard error as "weft emu: warning: text". There are notes
 * (good to know), warnings (the result may surprise) and errors; a line about
 * what the command did has no such word. Colour is used only on a terminal,
 * without NO_COLOR in the environment and unless TERM is "dumb". Control bytes
 * in a text, which may come from a trace, are shown as "?", and paths of
 * temporary directories by their names (alias.h). Not for the output
 * of a command, which goes to standard output, and not for libraries that are
 * loaded into the traced process.
 */
#ifndef WEFT_BASE_LOG_H
#define WEFT_BASE_LOG_H

#include <stdbool.h>
#include <stdio.h>

/* The prefix of every line: "weft emu". Borrowed; call once, at start. */
void log_start(const char *prefix);

/* Switches to the level words of the ovni tools: INFO, WARN, ERROR. */
void log_old_words(void);
bool log_has_old_words(void);

/* Drops notes and done lines from now on (option --quiet). */
void log_quiet(bool quiet);
bool log_is_quiet(void);

/* Prints to standard error what the command did, for commands whose standard
 * output has another use: "weft run: recorded 3 threads". */
void log_done(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

void log_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void log_warning(const char *fmt, ...)
	__attribute__((format(printf, 1, 2), cold));
void log_error(const char *fmt, ...)
	__attribute__((format(printf, 1, 2), cold));

/* Returns true if colour is wanted on this stream. */
bool log_colour(FILE *to);

#endif
