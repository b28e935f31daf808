/* SPDX-License-Identifier: MIT */
/*
 * module_dwarf.h - the interface between module.c, which keeps variables, and
 * module_dwarf.c, which reads them with libdw.
 */
#ifndef WEFT_MEM_STRUCTURE_MODULE_DWARF_H
#define WEFT_MEM_STRUCTURE_MODULE_DWARF_H

#include "mem/structure/module.h"

/* Sorts the variables by address and keeps one for each address, under its most
 * readable name. */
void module_sort(struct module *m);

/* Returns the variable that starts at an address, or NULL. */
struct variable *module_variable_at(struct variables *list, uint64_t address);

/* Returns true if the address lies in a section of code. */
bool module_is_code(const struct module *m, uint64_t address);

#endif
