/* SPDX-License-Identifier: MIT */
/*
 * struct_unit.h - writes the functions and variables of one DWARF unit into a
 * structure file.
 */
#ifndef WEFT_MEM_STRUCTURE_STRUCT_UNIT_H
#define WEFT_MEM_STRUCTURE_STRUCT_UNIT_H

#include <elfutils/libdw.h>

#include "base/map.h"
#include "mem/structure/struct_out.h"

struct arena;

/* The code from an address up to the next one. */
struct struct_line {
	uint64_t address;
	const char *file; /* NULL: no code */
	int line;
};

struct struct_unit {
	struct module *module;
	struct struct_out out;
	struct arena *arena; /* memory for one unit */
	/* Addresses of variables that were written. */
	struct map fixed, thread;
	VEC(struct struct_line) line; /* lines of the unit, sorted by address */
};

/* Reads the lines of a unit. */
void struct_unit_lines(struct struct_unit *u, Dwarf_Die *unit);

/* Writes the loops and lines of a function. */
void struct_unit_code(
	struct struct_unit *u, const struct struct_ranges *function);

/* Writes a function with all that is in it. */
void struct_unit_function(struct struct_unit *u, Dwarf_Die *function);

/* Writes a variable with a fixed position, unless it was written before. */
void struct_unit_static(struct struct_unit *u, Dwarf_Die *variable);

/* Writes a variable that is known from its symbol only, unless it was written
 * before. */
void struct_unit_symbol(
	struct struct_unit *u, const struct variable *v, bool is_thread_local);

#endif
