/* SPDX-License-Identifier: MIT */
#include "export/entry.h"

#include <stdbool.h>
#include <string.h>

#include "base/compare.h"

/* Up to this many keys, insertion sort is faster than merging. */
#define INSERTION_MAX 16

void
entry_set_link(struct entry *e, const struct link *l)
{
	e->time = l->from_time;
	e->ids = entry_ids(l->from_row, l->to_row);
	e->depth = 0;
	e->kind = ENTRY_LINK;
	e->word[0] = l->kind;
	e->word[1] = l->id;
	e->word[2] = l->to_time;
	e->word[3] = l->bytes;
}

void
entry_set_gap(struct entry *e, const struct gap *g)
{
	e->time = g->from;
	e->ids = entry_ids(g->row, 0);
	e->depth = 0;
	e->kind = ENTRY_GAP;
	e->word[0] = g->to;
	e->word[1] = (int64_t)g->events;
	e->word[2] = (int64_t)(uintptr_t)g->why;
}

void
entry_pass_other(const struct entry *e, struct sink *to)
{
	if (e->kind == ENTRY_ADVANCE)
		sink_advance(to, e->time);
	else if (e->kind == ENTRY_GAP)
		sink_gap(to,
			&(struct gap){
				.from = e->time,
				.to = e->word[0],
				.row = entry_row(e),
				.events = (uint64_t)e->word[1],
				.why = (const char *)(uintptr_t)e->word[2],
			});
	else
		sink_link(to,
			&(struct link){
				.from_time = e->time,
				.to_time = e->word[2],
				.from_row = entry_row(e),
				.to_row = entry_type(e),
				.kind = e->word[0],
				.id = e->word[1],
				.bytes = e->word[3],
			});
}

/* Returns the order of kinds at one time: gaps, then states, then links. */
static int
rank(const struct entry *e)
{
	if (e->kind == ENTRY_GAP)
		return 0;
	return e->kind == ENTRY_LINK ? 2 : 1;
}

int
entry_compare(const struct entry *a, const struct entry *b)
{
	int words = a->kind == ENTRY_LINK ? 4 : a->kind == ENTRY_GAP ? 2 : 0;

	COMPARE(a->time, b->time);
	COMPARE(rank(a), rank(b));
	COMPARE(entry_row(a), entry_row(b));
	for (int i = 0; i < words; i++)
		COMPARE(a->word[i], b->word[i]);
	COMPARE(entry_type(a), entry_type(b));
	return 0;
}

static inline bool
before(const struct entry_key *a, const struct entry_key *b)
{
	if (a->time != b->time)
		return a->time < b->time;
	return entry_compare(a->entry, b->entry) < 0;
}

static void
insertion_sort(struct entry_key *keys, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		struct entry_key k = keys[i];
		size_t j = i;

		for (; j > 0 && before(&k, &keys[j - 1]); j--)
			keys[j] = keys[j - 1];
		keys[j] = k;
	}
}

/* Merges the two sorted parts keys[0..m-1] and keys[m..n-1]. */
static void
merge_halves(
	struct entry_key *keys, size_t m, size_t n, struct entry_key *scratch)
{
	size_t i = 0, j = m, k = 0;

	if (!before(&keys[m], &keys[m - 1]))
		return;
	memcpy(scratch, keys, m * sizeof *keys);
	while (i < m && j < n) {
		if (before(&keys[j], &scratch[i]))
			keys[k++] = keys[j++];
		else
			keys[k++] = scratch[i++];
	}
	memcpy(keys + k, scratch + i, (m - i) * sizeof *keys);
}

void
entry_sort(struct entry_key *keys, struct entry_key *scratch, size_t n)
{
	for (size_t i = 0; i < n; i += INSERTION_MAX)
		insertion_sort(keys + i,
			n - i < INSERTION_MAX ? n - i : INSERTION_MAX);
	for (size_t m = INSERTION_MAX; m < n; m *= 2)
		for (size_t i = 0; n - i > m; i += 2 * m) {
			size_t two = n - i < 2 * m ? n - i : 2 * m;

			merge_halves(keys + i, m, two, scratch);
			if (two < 2 * m)
				break;
		}
}
