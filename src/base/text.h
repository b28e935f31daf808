/* SPDX-License-Identifier: MIT */
/*
 * text.h - texts that come from a trace and go to a person.
 */
#ifndef WEFT_BASE_TEXT_H
#define WEFT_BASE_TEXT_H

#include <stdbool.h>

/* Replaces control characters by '?', in place: a name in a trace may not
 * steer the terminal. Returns its argument. */
char *text_disarm(char *text);

/* The text without blanks at its begin. */
const char *text_trim(const char *text);

/* True if the text fits the pattern: '*' is any number of characters, '?' one,
 * all others stand for themselves. Time grows with both lengths multiplied. */
bool text_fits(const char *pattern, const char *text);

/* "s" for any number but 1: "%d error%s". */
const char *text_plural(unsigned long long n);

#endif
