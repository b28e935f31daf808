/* SPDX-License-Identifier: MIT */
/*
 * same.h - finds the same variables in two measurements of a program that may
 * have been edited in between.
 *
 * Lines move, names stay: variables are alike if kind, name and functions are
 * equal. If a function has several such variables, and both measurements know
 * the same number of them, the first is the first of the other, and so on, in
 * the order of lines. Else they count as one.
 */
#ifndef WEFT_CLI_MEM_SAME_H
#define WEFT_CLI_MEM_SAME_H

#include "base/intern.h"
#include "base/map.h"

struct arena;
struct profile;

/* The variables of one measurement, by their index in the profile. */
struct same {
	const struct profile *profile;
	struct same_one {
		uint32_t key; /* text without lines */
		int variable, number;
	} * one;          /* in the order of keys, then of lines */
	int *number;      /* of each variable among those that are alike */
	uint32_t *key;    /* of each variable */
	struct map count; /* how many variables have a key */
};

/* Numbers the variables of a profile. `text` is common to both measurements. */
struct same same_number(
	struct arena *a, struct intern *text, const struct profile *p);

/* Returns the text that a variable has in common with the same variable of the
 * other measurement. */
const char *same_text(struct arena *a, const struct intern *text,
	const struct same *of, const struct same *other, int variable);

void same_fini(struct same *s);

#endif
