/* SPDX-License-Identifier: MIT */
/* text.h - functions for texts from a trace that are shown to a person. */
#ifndef WEFT_BASE_TEXT_H
#define WEFT_BASE_TEXT_H

#include <stdbool.h>

/* Replaces control characters by '?', in place: a name in a trace must not
 * control the terminal. Returns its argument. */
char *text_disarm(char *text);

/* Returns the text without leading blanks. */
const char *text_trim(const char *text);

/* Returns true if the text matches the pattern: '*' is any number of
 * characters, '?' exactly one. Takes time in proportion to the product of both
 * lengths. */
bool text_fits(const char *pattern, const char *text);

/* Returns true if the text is in the list, which ends with NULL. */
bool text_is_one_of(const char *text, const char *const *list);

/* Returns "s" for any number but 1: "%d error%s". */
const char *text_plural(unsigned long long n);

#endif
