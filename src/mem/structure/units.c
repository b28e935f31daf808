/* SPDX-License-Identifier: MIT */
#include "mem/structure/units.h"

#include <dwarf.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/file.h"
#include "mem/structure/module.h"
#include "mem/structure/module_sort.h"

static void
add_ranges(struct units *u, Dwarf_Die *unit)
{
	Dwarf_Addr base, lo, hi;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(unit, at, &base, &lo, &hi)) > 0)
		if (lo < hi)
			VEC_PUSH(&u->range, u->arena,
				((struct unit_range){ lo, hi, *unit }));
}

static int
by_address(const void *pa, const void *pb)
{
	const struct unit_range *a = pa, *b = pb;

	return (a->lo > b->lo) - (a->lo < b->lo);
}

static void
read_all(struct units *u, Dwfl_Module *module)
{
	Dwarf_Die *unit = NULL;

	u->is_read = true;
	while ((unit = dwfl_module_nextcu(module, unit, &u->bias)) != NULL)
		add_ranges(u, unit);
	if (u->range.n > 0)
		qsort(u->range.at, (size_t)u->range.n, sizeof *u->range.at,
			by_address);
}

Dwarf_Die *
units_at(struct units *u, Dwfl_Module *module, Dwarf_Addr address)
{
	int lo = 0, hi;

	if (!u->is_read)
		read_all(u, module);
	address -= u->bias;
	hi = u->range.n;
	while (lo < hi) { /* find the first range that begins above the
		           * address */
		int middle = lo + (hi - lo) / 2;

		if (u->range.at[middle].lo <= address)
			lo = middle + 1;
		else
			hi = middle;
	}
	if (lo == 0 || address >= u->range.at[lo - 1].hi)
		return NULL;
	return &u->range.at[lo - 1].unit;
}

/* Returns true for a unit whose debug information is in another file. split
 * receives that unit; its addr is NULL if the file cannot be read. */
static bool
is_skeleton(Dwarf_Die *unit, Dwarf_Die *split)
{
	uint8_t type;

	return dwarf_cu_info(unit->cu, NULL, &type, NULL, split, NULL, NULL,
		       NULL) == 0 &&
		type == DW_UT_skeleton;
}

bool
units_split(Dwarf_Die *unit, Dwarf_Die *split)
{
	return is_skeleton(unit, split) && split->addr != NULL;
}

void
units_say_missing(struct module *m, Dwarf_Die *unit)
{
	const char *name = NULL, *packed;
	Dwarf_Attribute attr;
	Dwarf_Die split;

	if (!is_skeleton(unit, &split) || split.addr != NULL)
		return;
	if (dwarf_attr(unit, DW_AT_dwo_name, &attr) != NULL ||
		dwarf_attr(unit, DW_AT_GNU_dwo_name, &attr) != NULL)
		name = dwarf_formstring(&attr);
	if (name == NULL)
		name = "a .dwo file";
	packed = arena_printf(m->arena, "%s.dwp", m->path);
	if (file_is_regular(packed))
		module_finding(m,
			"%s is missing or does not match, and %s cannot be "
			"read: keep the .dwo files where the compiler wrote "
			"them; without them, variables and functions are known "
			"only from symbols",
			name, packed);
	else
		module_finding(m,
			"%s is missing or does not match: its variables and "
			"functions are known only from symbols",
			name);
}
