/* SPDX-License-Identifier: MIT */
/*
 * loader.h - what the recorder must know about the program's symbols and files.
 *
 * The preloaded recorder asks the loader (loader.c). The recorder in a static
 * program has the linker's answers (static/loader.c).
 */
#ifndef WEFT_INPROC_MEM_LOADER_H
#define WEFT_INPROC_MEM_LOADER_H

#include <stdbool.h>
#include <stdint.h>

/* Returns the function that the recorder's hook of this name replaces; NULL:
 * there is none. */
void *loader_next(const char *name);

/* Returns the symbol that the program's files export; NULL: none. */
void *loader_find(const char *name);

/* Finds the range of the recorder's own code. */
void loader_own_code(uint64_t *lo, uint64_t *hi);

/* Returns true for the recorder's own static data. */
bool loader_is_own_data(uint64_t address);

#endif
