/* SPDX-License-Identifier: MIT */
/*
 * code_symbols.h - the sorted function symbols of a file, to find the symbol at
 * an address.
 *
 *	code_symbols_add(f, a, &symbol);     any order, any number
 *	code_symbols_sort(f, a);
 *	const struct code_symbol *at = code_symbols_at(f, address);
 *
 * A look-up takes log2(n) steps, whereas libdwfl reads every symbol of the
 * file.
 */
#ifndef WEFT_MEM_STRUCTURE_CODE_SYMBOLS_H
#define WEFT_MEM_STRUCTURE_CODE_SYMBOLS_H

#include <stdint.h>

struct arena;

struct code_symbol {
	uint64_t address;
	uint64_t end;       /* equal to address: the symbol has no size */
	uint64_t reach;     /* the largest end of this symbol and of all symbols
	                     * before it */
	const char *name;   /* as in the file; lives as long as the file is
	                     * open */
	const char *pretty; /* demangled; NULL until requested */
	int rank;           /* among symbols of one address the lowest is
	                     * best */
};

struct code_symbols {
	struct code_symbol *at;
	int n, cap;
};

void code_symbols_add(
	struct code_symbols *f, struct arena *a, const struct code_symbol *one);

void code_symbols_sort(struct code_symbols *f);

/*
 * Returns the function that contains an address, or NULL. If several functions
 * contain the address, the last of them to begin is returned. A symbol without
 * a size reaches up to the next symbol, but one with a size is preferred.
 */
struct code_symbol *code_symbols_at(
	const struct code_symbols *f, uint64_t address);

#endif
