/* SPDX-License-Identifier: MIT */
/*
 * module_sort.h - what the makers of a struct module share: module_dwarf.c
 * fills it from an ELF file, struct_read.c from a structure file.
 */
#ifndef WEFT_MEM_STRUCTURE_MODULE_SORT_H
#define WEFT_MEM_STRUCTURE_MODULE_SORT_H

#include "mem/structure/module.h"

/* Sorts the variables by address and keeps one for each address, under its most
 * readable name. */
void module_sort(struct module *m);

/* Returns the variable that starts at an address, or NULL. */
struct variable *module_variable_at(struct variables *list, uint64_t address);

/* Returns true if the address lies in a section of code. */
bool module_is_code(const struct module *m, uint64_t address);

/* Returns the demangled name of the function symbol at an address, or NULL. */
const char *module_symbol_name(struct module *m, uint64_t address);

/* Adds a finding: what is wrong with the file, in a sentence. */
void module_finding(struct module *m, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
