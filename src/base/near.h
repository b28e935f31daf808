/* SPDX-License-Identifier: MIT */
/*
 * near.h - which word was meant, when a word is none of those that there are.
 *
 *	struct near n = { .word = "emou" };
 *	near_try(&n, "emu"); near_try(&n, "dump"); ...
 *	if (n.best != NULL) ... "did you mean emu?"
 */
#ifndef WEFT_BASE_NEAR_H
#define WEFT_BASE_NEAR_H

struct near {
	const char *word; /* as it was typed */
	const char *best; /* nearest so far that may be meant, or NULL; the
	                   * caller's */
	int distance;     /* letters to change, add, drop or swap */
};

/* Looks at one more word. Words are near if at most a quarter of the letters
 * differ, or if one begins with the other. */
void near_try(struct near *n, const char *candidate);

#define NEAR_HINT 64

/* "; did you mean WORD?", of the words of a list with commas; "" if none is
 * near. */
const char *near_hint(const char *list, const char *word, char to[NEAR_HINT]);

#endif
