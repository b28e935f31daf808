/* SPDX-License-Identifier: MIT */
/*
 * near.h - suggests the known word that an unknown word may have meant.
 *
 *	struct near n = { .word = "emou" };
 *	near_try(&n, "emu"); near_try(&n, "dump"); ...
 *	if (n.best != NULL) ... "did you mean emu?"
 */
#ifndef WEFT_BASE_NEAR_H
#define WEFT_BASE_NEAR_H

struct near {
	const char *word; /* the word that the user typed */
	const char *best; /* nearest candidate so far, or NULL; borrowed */
	int distance;     /* edit distance: letters to change, add, drop or
	                   * swap */
};

/* Tries one more candidate. Words are near if at most a quarter of the letters
 * differ, or if one begins with the other. */
void near_try(struct near *n, const char *candidate);

#define NEAR_HINT 96

/* Returns "; did you mean WORD?" with the best word, or "" if there is none. */
const char *near_said(const struct near *n, char to[NEAR_HINT]);

/* Returns the same for the nearest word of a list. Words are separated by
 * commas; blanks may follow a comma. */
const char *near_hint(const char *list, const char *word, char to[NEAR_HINT]);

#endif
