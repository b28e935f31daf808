/* SPDX-License-Identifier: MIT */
/*
 * log.h - what a person at the terminal is told while a command runs.
 *
 * Lines go to standard error as "weft emu: warning: text". Three levels:
 * notes (what is worth knowing), warnings (what may surprise), errors; what a
 * command did has no such word. Colour only on a terminal, without NO_COLOR in
 * the environment, TERM not "dumb". Control bytes in a text, which may come
 * from a trace, are shown as "?". Not for the output of a command, which goes
 * to standard output, and not for libraries that run in the traced process.
 */
#ifndef WEFT_BASE_LOG_H
#define WEFT_BASE_LOG_H

#include <stdbool.h>
#include <stdio.h>

/* The prefix of every line: "weft emu". Borrowed; call once, at start. */
void log_start(const char *prefix);

/* Lines have the level words of the ovni tools: INFO, WARN, ERROR. */
void log_old_words(void);
bool log_has_old_words(void);

/* Drops notes and what was done from now on (option --quiet). */
void log_quiet(bool quiet);
bool log_is_quiet(void);

/* What a command did that has no other answer: bare, on standard output. */
void log_summary(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* What a command did, where standard output is another's: "weft run: recorded
 * 3 threads". */
void log_done(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

void log_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void log_warning(const char *fmt, ...)
	__attribute__((format(printf, 1, 2), cold));
void log_error(const char *fmt, ...)
	__attribute__((format(printf, 1, 2), cold));

/* True if colour is wanted on this stream. */
bool log_colour(FILE *to);

#endif
