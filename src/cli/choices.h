/* SPDX-License-Identifier: MIT */
/*
 * choices.h - lists the names that exist, for a message about a name that does
 * not exist.
 *
 *	struct choices there = { .near.word = item };
 *	choices_add(&there, "thread"); choices_add(&there, "cpu"); ...
 *	err_set(err, ERR_INPUT, "no class \"%s\"; %s", item,
 *		choices_said(&there, text));
 *
 * prints: no class "thred"; there are: thread, cpu; did you mean thread?
 */
#ifndef WEFT_CLI_CHOICES_H
#define WEFT_CLI_CHOICES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/near.h"

struct choices {
	/* Finds the nearest name; word NULL: propose no name. */
	struct near near;
	char text[240];
	size_t n;
	bool cut; /* not all names have room in text */
};

#define CHOICES_SAID 360

/* Adds a name once. The name must live as long as the choices. A name with a
 * dot also counts as near if the part after its first dot is near. */
void choices_add(struct choices *c, const char *name);

/* Adds a name unless it is listed already. */
void choices_add_once(struct choices *c, const char *name);

/* Considers a name as the one that was meant, without listing it. */
void choices_consider(struct choices *c, const char *name);

/* Returns "there are: NAMES; did you mean NAME?". */
const char *choices_said(const struct choices *c, char to[CHOICES_SAID]);

#endif
