/* SPDX-License-Identifier: MIT */
/*
 * module_dwarf.h - between module.c, which keeps variables, and module_dwarf.c,
 * which asks libdw for them.
 */
#ifndef WEFT_MEM_STRUCTURE_MODULE_DWARF_H
#define WEFT_MEM_STRUCTURE_MODULE_DWARF_H

#include "mem/structure/module.h"

/* Puts the variables in order, one an address, with the names of people. */
void module_sort(struct module *m);

/* The variable that starts at an address, or NULL. */
struct variable *module_variable_at(struct variables *list, uint64_t address);

/* Does the address lie in a section of code? */
bool module_is_code(const struct module *m, uint64_t address);

#endif
