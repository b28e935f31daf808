/* SPDX-License-Identifier: MIT */
/*
 * units.h - which unit of DWARF an address belongs to, by the units' own
 * ranges. A file may have a table of that (.debug_aranges), but compilers that
 * leave it away are common: clang does.
 */
#ifndef WEFT_MEM_STRUCTURE_UNITS_H
#define WEFT_MEM_STRUCTURE_UNITS_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>

#include "base/vec.h"

struct unit_range {
	Dwarf_Addr lo, hi; /* as DWARF has them */
	Dwarf_Die unit;
};

struct units {
	struct arena *arena;
	bool is_read;
	Dwarf_Addr bias; /* of DWARF's addresses */
	VEC(struct unit_range) range;
};

/* The unit of an address of the module, or NULL. The first call reads the
 * ranges of all units. */
Dwarf_Die *units_at(struct units *u, Dwfl_Module *module, Dwarf_Addr address);

#endif
