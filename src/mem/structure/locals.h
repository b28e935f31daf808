/* SPDX-License-Identifier: MIT */
/*
 * locals.h - the local variables that lie in the stack frame of a function.
 *
 * A position is the distance from the frame's canonical frame address (CFA),
 * the value of the stack pointer before the call that made the frame: the
 * return address lies below it, and so do all variables of the function;
 * arguments that did not fit into registers lie above it.
 */
#ifndef WEFT_MEM_STRUCTURE_LOCALS_H
#define WEFT_MEM_STRUCTURE_LOCALS_H

#include <stdbool.h>
#include <stdint.h>

struct module;

struct local {
	const char *name;     /* in the source */
	const char *function; /* function that declares it, demangled */
	const char *type;     /* NULL: unknown */
	const char *file;     /* file of the declaration; NULL: unknown */
	int line;             /* 0: unknown */
	int64_t offset;       /* bytes from the CFA to its first byte */
	uint64_t size;        /* bytes, at least 1 */
	bool is_parameter;
};

struct locals {
	const struct local *at;
	int n;
};

/* Lists the variables that lie in the frame while its code is at an address,
 * the innermost scope first. */
struct locals module_locals(struct module *m, uint64_t address);

/* Returns the variable at a distance from the CFA, or NULL. */
const struct local *locals_at(const struct locals *l, int64_t offset);

#endif
