/* SPDX-License-Identifier: MIT */
/*
 * custom.h - allocators of libraries, by the names that a user lists in a file.
 *
 *	# WEFT_MEM_ALLOCATORS names the file: arguments are counted from 1
 *	alloc pool_get 2       its second argument is the size
 *	alloc pool_array 2 3   the product of two
 *	free  pool_put 1
 *
 * The loader's tables (GOT) of all modules are made to lead to us wherever they
 * lead to such a function. So calls within the module that has the function,
 * which need no table, are not seen.
 */
#ifndef WEFT_INPROC_MEM_CUSTOM_H
#define WEFT_INPROC_MEM_CUSTOM_H

/* Reads the list; NULL: there is none. */
void custom_load(const char *path);

/* Leads the tables of all modules to us, new ones too. */
void custom_hook(void);

#endif
