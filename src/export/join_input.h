/* SPDX-License-Identifier: MIT */
/* join_input.h - an input of a join (join.h). */
#ifndef WEFT_EXPORT_JOIN_INPUT_H
#define WEFT_EXPORT_JOIN_INPUT_H

#include <stdint.h>

struct share;

#define JOIN_NUMBERS 9000000 /* new numbers of types, and of ids */

struct join_input {
	struct share *share; /* complete */
	const char *name;    /* unique among the inputs */
	int machine;         /* inputs of one machine have the same number */
	/* Returns the time on the joint line, not below 0, of a time of the
	 * share; grows with it. NULL: the same. */
	int64_t (*time)(void *arg, int64_t time);
	void *arg;
};

#endif
