/* SPDX-License-Identifier: MIT */
/*
 * code_symbols.h - function symbols of a file, sorted: which one is at an
 *address?
 *
 *	code_symbols_add(f, a, &symbol);     any order, any number
 *	code_symbols_sort(f, a);
 *	const struct code_symbol *at = code_symbols_at(f, address);
 *
 * A look-up takes log2(n) steps; libdwfl looks at every symbol of the file.
 */
#ifndef WEFT_MEM_STRUCTURE_CODE_SYMBOLS_H
#define WEFT_MEM_STRUCTURE_CODE_SYMBOLS_H

#include <stdint.h>

struct arena;

struct code_symbol {
	uint64_t address;
	uint64_t end;       /* address: the symbol has no size */
	uint64_t reach;     /* the largest end of this and all before */
	const char *name;   /* as in the file; lives as long as that */
	const char *pretty; /* demangled; NULL until somebody asks */
	int rank;           /* of several at one address the lowest is best */
};

struct code_symbols {
	struct code_symbol *at;
	int n, cap;
};

void code_symbols_add(
	struct code_symbols *f, struct arena *a, const struct code_symbol *one);

void code_symbols_sort(struct code_symbols *f);

/*
 * The function that an address lies in: of several, the one that begins last.
 * A symbol without a size reaches up to the next one, but gives way to one with
 * a size. NULL: there is none.
 */
struct code_symbol *code_symbols_at(
	const struct code_symbols *f, uint64_t address);

#endif
