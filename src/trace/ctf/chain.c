/* SPDX-License-Identifier: MIT */
#include "trace/ctf/chain.h"

#include <stdlib.h>

#include "base/arena.h"

/* A file with its sort keys. */
struct link {
	int index;
	bool alone; /* belongs to no other file */
	uintptr_t part;
	uint64_t class, instance;
	int64_t begin;
};

static int
compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* Returns 0 for files of the same stream. */
static int
by_owner(const struct link *a, const struct link *b)
{
	int order = compare(a->alone, b->alone);

	if (order == 0 && a->alone)
		return compare((uint64_t)a->index, (uint64_t)b->index);
	if (order == 0)
		order = compare(a->part, b->part);
	if (order == 0)
		order = compare(a->class, b->class);
	return order != 0 ? order : compare(a->instance, b->instance);
}

static int
by_time(const void *pa, const void *pb)
{
	const struct link *a = pa, *b = pb;
	int order = by_owner(a, b);

	if (order == 0)
		order = (a->begin > b->begin) - (a->begin < b->begin);
	return order != 0 ? order
			  : (a->index > b->index) - (a->index < b->index);
}

static struct link
make_link(const struct ctf_owner *o, int index)
{
	const struct ctf_stream *s = o->stream;
	struct link l = { .index = index, .alone = true };

	if (!o->open || s->foreign || s->class->instance == CTF_NO_SLOT)
		return l;
	l.alone = false;
	l.part = (uintptr_t)o->part;
	l.class = s->class->id;
	l.instance = s->header[s->class->instance].u;
	l.begin = s->sofar.begin;
	return l;
}

static int
by_first(const void *pa, const void *pb)
{
	const struct ctf_chain *a = pa, *b = pb;

	return a->stream[0] - b->stream[0];
}

void
ctf_chains_find(struct ctf_chains *to, struct arena *a,
	const struct ctf_owner *owner, int n)
{
	struct link *l = ARENA_ARRAY(a, struct link, n);
	int *order = ARENA_ARRAY(a, int, n);

	for (int i = 0; i < n; i++)
		l[i] = make_link(&owner[i], i);
	qsort(l, (size_t)n, sizeof *l, by_time);
	for (int i = 0; i < n; i++) {
		order[i] = l[i].index;
		if (i == 0 || by_owner(&l[i - 1], &l[i]) != 0)
			VEC_PUSH(&to->at, a,
				((struct ctf_chain){ .stream = &order[i] }));
		to->at.at[to->at.n - 1].n++;
	}
	if (n > 0)
		qsort(to->at.at, (size_t)to->at.n, sizeof *to->at.at, by_first);
}
