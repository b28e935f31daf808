/* SPDX-License-Identifier: MIT */
#include "mem/structure/module.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "mem/structure/demangle.h"
#include "mem/structure/module_dwarf.h"

/* Returns the index of the last entry whose address is not above `address`. */
static int
below(const struct variables *list, uint64_t address)
{
	int lo = 0, hi = list->n;

	while (lo < hi) {
		int mid = lo + (hi - lo) / 2;

		if (list->at[mid].address <= address)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo - 1;
}

static const struct variable *
find(const struct variables *list, uint64_t address)
{
	/* A variable within another one starts after it. */
	for (int i = below(list, address), tries = 0; i >= 0 && tries < 8;
		i--, tries++) {
		const struct variable *v = &list->at[i];

		if (address - v->address < v->size)
			return v;
	}
	return NULL;
}

const struct variable *
module_variable(const struct module *m, uint64_t address)
{
	return find(&m->variable, address);
}

const struct variable *
module_local(const struct module *m, uint64_t offset)
{
	return find(&m->local, offset);
}

static const struct module_section *
section_of(const struct module *m, uint64_t address)
{
	for (int i = 0; i < m->section.n; i++)
		if (address >= m->section.at[i].lo &&
			address < m->section.at[i].hi)
			return &m->section.at[i];
	return NULL;
}

const char *
module_section_name(const struct module *m, uint64_t address)
{
	const struct module_section *s = section_of(m, address);

	return s == NULL ? NULL : s->name;
}

bool
module_is_code(const struct module *m, uint64_t address)
{
	const struct module_section *s = section_of(m, address);

	return s != NULL && s->is_code;
}

static int
underscores(const char *name)
{
	return (int)strspn(name, "_");
}

/* Orders by address. Of several names for one address the best comes first: the
 * largest, then one visible to other files, then one without leading
 * underscores. */
static int
by_address(const void *pa, const void *pb)
{
	const struct variable *a = pa, *b = pb;
	int order;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	if (a->size != b->size)
		return a->size > b->size ? -1 : 1;
	if (a->is_local != b->is_local)
		return a->is_local ? 1 : -1;
	order = underscores(a->name) - underscores(b->name);
	return order != 0 ? order : strcmp(a->name, b->name);
}

static void
sort(struct arena *a, struct variables *list)
{
	int n = 0;

	if (list->n == 0)
		return;
	qsort(list->at, (size_t)list->n, sizeof *list->at, by_address);
	for (int i = 0; i < list->n; i++)
		if (n == 0 || list->at[i].address != list->at[n - 1].address)
			list->at[n++] = list->at[i];
	list->n = n;
	for (int i = 0; i < n; i++)
		list->at[i].name = names_demangle(a, list->at[i].name);
}

void
module_sort(struct module *m)
{
	sort(m->arena, &m->variable);
	sort(m->arena, &m->local);
}

struct variable *
module_variable_at(struct variables *list, uint64_t address)
{
	int i = below(list, address);

	return i >= 0 && list->at[i].address == address ? &list->at[i] : NULL;
}

#if !HAVE_LIBDW

struct module *
module_open(struct arena *a, const char *path, struct err *err)
{
	(void)a;
	err_set(err, ERR_LIMIT,
		"%s: this build has no libdw and cannot read names", path);
	return NULL;
}

struct frames
module_code(struct module *m, uint64_t address)
{
	static const struct frame none;

	(void)m;
	(void)address;
	return (struct frames){ &none, 1 };
}

void
module_declare(struct module *m)
{
	(void)m;
}

void
module_close(struct module *m)
{
	(void)m;
}

const char *
module_library(void)
{
	return "";
}

#endif
