/* SPDX-License-Identifier: MIT */
/*
 * names.h - each distinct text of a store once, with a number from 1.
 *
 * Like base/intern.h, but texts have a length and may contain NULs.
 */
#ifndef WEFT_STORE_NAMES_H
#define WEFT_STORE_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct name {
	const char *text; /* a NUL stands behind it */
	uint32_t size;
	uint32_t hash;
};

struct names {
	struct arena *arena; /* borrowed */
	struct name *at;     /* at[number - 1]; owned */
	uint32_t *slot;      /* hash table of numbers, 0 is empty; owned */
	uint32_t mask, n, cap;
};

void names_init(struct names *t, struct arena *a);

/* The number of a text, which is copied when it is new. */
uint32_t names_add(struct names *t, const char *text, size_t size);

/* A text of that number from outside: as the next one, even if it is there
 * already under another number. */
void names_append(struct names *t, const char *text, size_t size);

void names_fini(struct names *t);

#endif
