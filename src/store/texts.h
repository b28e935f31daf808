/* SPDX-License-Identifier: MIT */
/*
 * texts.h - the distinct texts of a store, numbered from 1.
 *
 * Works like base/intern.h, but texts have a length and may contain NULs.
 */
#ifndef WEFT_STORE_TEXTS_H
#define WEFT_STORE_TEXTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct name {
	const char *text; /* followed by a NUL */
	uint32_t size;
	uint32_t hash;
};

struct names {
	struct arena *arena; /* borrowed */
	struct name *at;     /* at[number - 1]; owned */
	uint32_t *slot;      /* hash table of numbers, 0: empty slot; owned */
	uint32_t mask, n, cap;
};

void names_init(struct names *t, struct arena *a);

/* Returns the number of a text. Copies the text if it is new. */
uint32_t names_add(struct names *t, const char *text, size_t size);

/* Appends a text read from a store under the next number, even if the text
 * already has another number. */
void names_append(struct names *t, const char *text, size_t size);

void names_fini(struct names *t);

#endif
