/* SPDX-License-Identifier: MIT */
/*
 * units.h - finds the DWARF unit of an address by the units' own ranges. A file
 * may have a table for that (.debug_aranges), but common compilers, such as
 * clang, leave the table out.
 */
#ifndef WEFT_MEM_STRUCTURE_UNITS_H
#define WEFT_MEM_STRUCTURE_UNITS_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>

#include "base/vec.h"

struct module;

struct unit_range {
	Dwarf_Addr lo, hi; /* without the bias */
	Dwarf_Die unit;
};

struct units {
	struct arena *arena;
	bool is_read;
	Dwarf_Addr bias; /* bias of the addresses in DWARF */
	VEC(struct unit_range) range;
};

/* Returns the unit of an address in the module, or NULL. The first call reads
 * the ranges of all units. */
Dwarf_Die *units_at(struct units *u, Dwfl_Module *module, Dwarf_Addr address);

/* Stores in *split the unit that a skeleton unit stands for: -gsplit-dwarf
 * moves variables and scopes into .dwo files. Returns false if the unit is no
 * skeleton, or if its .dwo file is missing. */
bool units_split(Dwarf_Die *unit, Dwarf_Die *split);

/* Adds a finding if a unit is a skeleton whose .dwo file is missing. */
void units_say_missing(struct module *m, Dwarf_Die *unit);

#endif
