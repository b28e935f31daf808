/* SPDX-License-Identifier: MIT */
/*
 * digits.h - integers to decimal text, by hand: the inner loop of every
 * text writer. Each function writes at `to` and returns the end; nothing is
 * terminated. Room needed: DIGITS_MAX bytes.
 */
#ifndef WEFT_BASE_DIGITS_H
#define WEFT_BASE_DIGITS_H

#include <stdint.h>

#define DIGITS_MAX 24 /* 20 digits or a sign and 19, rounded up */

char *digits_u64(char *to, uint64_t value);
char *digits_i64(char *to, int64_t value);

#endif
