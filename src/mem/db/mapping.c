/* SPDX-License-Identifier: MIT */
#include "mem/db/mapping.h"

#include <string.h>

#include "base/arena.h"

enum mem_area
mapping_area(const char *name, bool is_shared)
{
	static const struct {
		const char *prefix;
		enum mem_area area;
	} names[] = { { "[heap]", MEM_AREA_ANON }, { "[stack", MEM_AREA_STACK },
		{ "[v", MEM_AREA_VDSO }, { "/dev/shm/", MEM_AREA_SHARED },
		{ "/SYSV", MEM_AREA_SHARED }, { "/memfd:", MEM_AREA_SHARED },
		{ "/dev/zero", MEM_AREA_SHARED }, { "[anon", MEM_AREA_ANON },
		{ "//anon", MEM_AREA_ANON }, { "/", MEM_AREA_FILE } };

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strncmp(name, names[i].prefix, strlen(names[i].prefix)) ==
			0)
			return names[i].area;
	return is_shared ? MEM_AREA_SHARED : MEM_AREA_ANON;
}

/* Returns the index of the first mapping that ends above an address. */
static int
first_above(const struct mappings *m, uint64_t address)
{
	int lo = 0, hi = m->list.n;

	while (lo < hi) {
		int mid = lo + (hi - lo) / 2;

		if (m->list.at[mid].hi <= address)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static void
insert(struct mappings *m, struct arena *a, int i, struct mapping new)
{
	VEC_ADD(&m->list, a);
	memmove(&m->list.at[i + 1], &m->list.at[i],
		(size_t)(m->list.n - 1 - i) * sizeof new);
	m->list.at[i] = new;
}

static void
move_begin(struct mapping *m, uint64_t lo)
{
	m->offset += lo - m->lo;
	m->lo = lo;
}

void
mappings_add(struct mappings *m, struct arena *a, const struct mapping *new)
{
	int i = first_above(m, new->lo), n;

	if (new->lo >= new->hi)
		return;
	if (i < m->list.n && m->list.at[i].lo < new->lo) {
		struct mapping front = m->list.at[i];

		front.hi = new->lo;
		move_begin(&m->list.at[i], new->lo);
		insert(m, a, i++, front);
	}
	for (n = i; n < m->list.n && m->list.at[n].hi <= new->hi;)
		n++;
	if (n > i)
		memmove(&m->list.at[i], &m->list.at[n],
			(size_t)(m->list.n - n) * sizeof *m->list.at);
	m->list.n -= n - i;
	if (i < m->list.n && m->list.at[i].lo < new->hi)
		move_begin(&m->list.at[i], new->hi);
	insert(m, a, i, *new);
}

struct mapping *
mappings_above(const struct mappings *m, uint64_t address)
{
	int i = first_above(m, address);

	return i < m->list.n ? &m->list.at[i] : NULL;
}
