/* SPDX-License-Identifier: MIT */
/*
 * collect.h - loads the library that records what the program's threads wait
 * for.
 */
#ifndef WEFT_CLI_RUN_COLLECT_H
#define WEFT_CLI_RUN_COLLECT_H

#include <stdbool.h>

#include "base/err.h"

struct arena;

/* Checks the list of --collect, or NULL. Returns false and sets err if a word
 * is unknown. */
bool collect_check(struct arena *a, const char *list, struct err *err);

/* Returns the list of a user who gives none: every collector; "none" if the
 * user or WEFT_EVENTS selects other events. */
const char *collect_usual(bool has_events);

/* Sets the environment for the program, before it starts. If it cannot be
 * collected from, says so and leaves the environment. is_usual: the user gave
 * no list. Returns false and sets err if the user gave one, and the library is
 * missing. */
bool collect_prepare(struct arena *a, const char *list, bool is_usual,
	const char *program, struct err *err);

/* Adds to WEFT_EVENTS what the list leaves out, after all else has set it. */
void collect_select_events(struct arena *a, const char *list);

/* Returns true if the list has this collector. */
bool collect_has(struct arena *a, const char *list, const char *name);

/* Returns true if the list of --collect, or NULL, has a collector. */
bool collect_is_any(struct arena *a, const char *list);

/* Returns the words of the list, with commas. */
const char *collect_words(struct arena *a);

#endif
