/* SPDX-License-Identifier: MIT */
/*
 * demangle.h - demangles names of C++, Rust and Fortran modules.
 *
 * "_ZN3foo3barEi" becomes foo::bar: parameters are omitted, template arguments
 * are not. "__shop_MOD_stock" becomes shop::stock. Names of other languages
 * stay unchanged, and so do those of C++ and Rust in a build without libiberty.
 */
#ifndef WEFT_MEM_STRUCTURE_DEMANGLE_H
#define WEFT_MEM_STRUCTURE_DEMANGLE_H

#include <stdbool.h>

struct arena;

/* Returns the demangled name in the arena, or the name itself. */
const char *names_demangle(struct arena *a, const char *name);

/* Returns true if this build has libiberty. */
bool names_can_demangle(void);

#endif
