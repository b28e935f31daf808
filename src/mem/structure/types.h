/* SPDX-License-Identifier: MIT */
/*
 * types.h - names and sizes of the types in DWARF, as a programmer writes them:
 * "const struct node *", "double[3][4]", "int (*)()".
 */
#ifndef WEFT_MEM_STRUCTURE_TYPES_H
#define WEFT_MEM_STRUCTURE_TYPES_H

#include <elfutils/libdw.h>
#include <stdint.h>

struct arena;

/* Returns the name of the type of a variable's DIE in the arena; NULL: the DIE
 * has no type. */
const char *type_name(struct arena *a, Dwarf_Die *variable);

/* Returns the size in bytes of a variable's DIE; 0: unknown, or known only
 * while the program runs. */
uint64_t type_size(Dwarf_Die *variable);

#endif
