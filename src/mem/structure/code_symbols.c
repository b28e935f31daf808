/* SPDX-License-Identifier: MIT */
#include "mem/structure/code_symbols.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/vec.h"

void
code_symbols_add(
	struct code_symbols *f, struct arena *a, const struct code_symbol *one)
{
	*VEC_ADD(f, a) = *one;
}

static int
by_address(const void *pa, const void *pb)
{
	const struct code_symbol *a = pa, *b = pb;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return strcmp(a->name, b->name);
}

void
code_symbols_sort(struct code_symbols *f)
{
	uint64_t reach = 0;
	int n = 0;

	if (f->n == 0)
		return;
	qsort(f->at, (size_t)f->n, sizeof(*f->at), by_address);
	for (int i = 0; i < f->n; i++) {
		if (n > 0 && f->at[n - 1].address == f->at[i].address)
			continue;
		f->at[n] = f->at[i];
		if (f->at[n].end > reach)
			reach = f->at[n].end;
		f->at[n++].reach = reach;
	}
	f->n = n;
}

struct code_symbol *
code_symbols_at(const struct code_symbols *f, uint64_t address)
{
	int lo = 0, hi = f->n;

	while (lo < hi) {
		int middle = lo + (hi - lo) / 2;

		if (f->at[middle].address <= address)
			lo = middle + 1;
		else
			hi = middle;
	}
	for (int i = lo - 1; i >= 0 && f->at[i].reach > address; i--)
		if (f->at[i].end > address)
			return &f->at[i];
	if (lo == 0 || f->at[lo - 1].end != f->at[lo - 1].address)
		return NULL;
	return &f->at[lo - 1];
}
