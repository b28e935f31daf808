/* SPDX-License-Identifier: MIT */
/*
 * outline.h - the code of a module by address: functions, the calls inlined
 * into them, lines and local variables, as a structure file lists them. Loops
 * are left out: the file has one of an inlined function beside it, not in it.
 * It answers what DWARF answers for a module whose file still exists.
 *
 *	outline_add(o, a, &scope);               parents first
 *	outline_range(o, a, scope, lo, hi);
 *	outline_sort(o, a);                      before the first question
 *	int scope = outline_at(o, address);      the innermost one, or -1
 */
#ifndef WEFT_MEM_STRUCTURE_OUTLINE_H
#define WEFT_MEM_STRUCTURE_OUTLINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "mem/structure/locals.h"

struct arena;

enum outline_kind { OUTLINE_FUNCTION, OUTLINE_INLINED };

struct outline_scope {
	enum outline_kind kind;
	int parent;       /* index; -1: none */
	const char *name; /* name of the function; NULL: unknown */
	const char *file; /* file of a function's declaration, or of an inlined
	                   * call; NULL: unknown */
	int line;
};

struct outline_range {
	uint64_t lo, hi;
	uint64_t reach; /* the largest hi of this range and all before it */
	int scope;
};

struct outline_line {
	uint64_t lo, hi;
	const char *file;
	int line;
};

/* A local variable of a scope, in memory while the code is in [lo, hi). */
struct outline_local {
	int scope;
	uint64_t lo, hi;
	struct local local;
};

struct outline {
	VEC(struct outline_scope) scope;
	VEC(struct outline_range) range;
	VEC(struct outline_line) line;
	VEC(struct outline_local) local;
};

/* Adds a scope. Returns its index. */
int outline_add(
	struct outline *o, struct arena *a, const struct outline_scope *scope);

/* Adds a range of a scope; an empty range is ignored. */
void outline_range(struct outline *o, struct arena *a, int scope, uint64_t lo,
	uint64_t hi);

void outline_sort(struct outline *o);

/* Returns the innermost scope that contains an address, or -1. */
int outline_at(const struct outline *o, uint64_t address);

/* Returns the line at an address, or NULL. */
const struct outline_line *outline_line_at(
	const struct outline *o, uint64_t address);

/* Lists the local variables that lie in memory while the code is at an
 * address. */
struct locals outline_locals(
	const struct outline *o, struct arena *a, uint64_t address);

#endif
