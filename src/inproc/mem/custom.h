/* SPDX-License-Identifier: MIT */
/*
 * custom.h - tracks allocators of libraries, which a file of the user names.
 *
 *	# WEFT_MEM_ALLOCATORS names the file: arguments are counted from 1
 *	alloc pool_get 2       argument 2 is the size
 *	alloc pool_array 2 3   the product of two
 *	free  pool_put 1
 *
 * In all modules the loader's table (GOT) entries of such a function are
 * redirected to the recorder. Calls within the module that defines the function
 * do not use the table and are not seen.
 */
#ifndef WEFT_INPROC_MEM_CUSTOM_H
#define WEFT_INPROC_MEM_CUSTOM_H

/* Reads the list; path NULL: no list. */
void custom_load(const char *path);

/* Redirects the tables of all modules, also new ones. */
void custom_hook(void);

#endif
