/* SPDX-License-Identifier: MIT */
/*
 * fit.h - names in a column: cut, but never to the same text.
 *
 * Names that differ at their begin are cut at the end; else they are cut in
 * the middle; and if that does not tell them apart they get a number. No cut
 * leaves a part of a number, which would be another one.
 */
#ifndef WEFT_CLI_FIT_H
#define WEFT_CLI_FIT_H

struct arena;

/* Bytes of the character there: what is no UTF-8 counts one by one. */
int fit_character(const char *text);

/*
 * The n texts, each in at most `width` >= 8 characters. Texts that are equal
 * stay equal, all others differ from one another. Unless a text was cut it is
 * the same pointer.
 */
const char **fit_texts(
	struct arena *a, const char *const *text, int n, int width);

#endif
