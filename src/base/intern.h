/* SPDX-License-Identifier: MIT */
/*
 * intern.h - keeps each distinct string once and numbers it.
 *
 * Equal strings get the same number, counted from 0 in the order of arrival, so
 * that names can be compared and used as indexes.
 */
#ifndef WEFT_BASE_INTERN_H
#define WEFT_BASE_INTERN_H

#include <stddef.h>
#include <stdint.h>

struct arena;

struct intern_slot {
	uint32_t number; /* of the string, + 1; 0: empty */
	uint32_t hash;   /* its hash */
};

struct intern {
	struct arena *arena;      /* borrowed: strings and tables live there */
	const char **name;        /* the strings, by number */
	struct intern_slot *slot; /* hash table */
	uint32_t mask, n, cap;
};

#define INTERN_NONE UINT32_MAX

void intern_init(struct intern *t, struct arena *a);

/* Return the number of the string; copy the string if it is new. */
uint32_t intern_add(struct intern *t, const char *s);
uint32_t intern_add_n(struct intern *t, const char *s, size_t n);

/* Returns the number of the string, or INTERN_NONE. */
uint32_t intern_find(const struct intern *t, const char *s);

/* Returns the string of a number that intern_add() returned. */
const char *intern_name(const struct intern *t, uint32_t id);

#endif
