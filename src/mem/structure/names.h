/* SPDX-License-Identifier: MIT */
/*
 * names.h - names of C++ and Rust as their programmer wrote them.
 *
 * "_ZN3foo3barEi" is foo::bar. Parameters are left out, as in C; templates are
 * not. Names of other languages, and all names in a build without libiberty,
 * stay as they are.
 */
#ifndef WEFT_MEM_STRUCTURE_NAMES_H
#define WEFT_MEM_STRUCTURE_NAMES_H

#include <stdbool.h>

struct arena;

/* In the arena, or the name itself. */
const char *names_demangle(struct arena *a, const char *name);

/* Does this build know how? */
bool names_can_demangle(void);

#endif
