/* SPDX-License-Identifier: MIT */
/*
 * module_dwarf.h - what the files that read a module with libdw share: its
 * state, and questions about the entries (DIEs) of DWARF.
 */
#ifndef WEFT_MEM_STRUCTURE_MODULE_DWARF_H
#define WEFT_MEM_STRUCTURE_MODULE_DWARF_H

#include <elfutils/libdwfl.h>

#include "mem/structure/locals.h"
#include "mem/structure/module_sort.h"
#include "mem/structure/units.h"

#define MODULE_DEPTH 64 /* most nested scopes in a function */

struct module_dwfl {
	Dwfl *dwfl;
	Dwfl_Module *module;
	bool declared;
	/* The file's image of thread-local storage. */
	uint64_t local_from, local_bytes;
	struct units units; /* used if the file has no table of units */
};

/* Returns the functions at an address, from DWARF and symbols. */
struct frames module_dwarf_code(struct module *m, uint64_t address);

/* Returns the file named by an attribute of the DIE, DW_AT_decl_file or
 * DW_AT_call_file, in the arena; NULL: unknown. */
const char *module_die_file(
	struct arena *a, Dwarf_Die *die, unsigned attribute);

/* Returns the number in an attribute of the DIE; 0: none. */
int module_die_number(Dwarf_Die *die, unsigned attribute);

/* Returns the demangled name of a function's DIE; NULL: it has none. */
const char *module_die_name(struct arena *a, Dwarf_Die *die);

/* Returns the unit of an address, or NULL; *bias receives the difference to the
 * addresses in DWARF. A skeleton is returned as such. */
Dwarf_Die *module_unit_at(struct module *m, uint64_t address, Dwarf_Addr *bias);

/* Lists the scopes around an address, the innermost first, up to the unit.
 * Returns their number; the caller frees *chain with mem_free(). */
int module_scopes_at(struct module *m, uint64_t address, Dwarf_Die **chain);

/* Lists the variables in the frame of the function at an address. */
struct locals module_dwarf_locals(struct module *m, uint64_t address);

/* A position of a variable that is the same during the whole run. */
struct fixed {
	uint64_t address; /* in the file; thread-local: offset in the module's
	                   * block */
	bool is_local;    /* thread-local */
};

/* Reads the position of a variable or common block. Returns false if it has
 * none: it lies in a frame or in a register, or was optimised out. */
bool module_die_fixed(const struct module *m, Dwarf_Die *die, struct fixed *to);

/* Does the same for a Fortran common block. gfortran gives no position of the
 * block, only those of its members. */
bool module_common_fixed(
	const struct module *m, Dwarf_Die *block, struct fixed *to);

#endif
