/* SPDX-License-Identifier: MIT */
#include "export/index/sums.h"

#include <string.h>

#include "base/arena.h"

void
sums_init(struct sums *s, struct arena *a, int n)
{
	memset(s, 0, sizeof *s);
	s->arena = s->shares.arena = a;
	s->room = n;
	s->changes = ARENA_ARRAY(a, uint64_t, n);
	s->column = ARENA_ARRAY(a, struct index_column, n);
}

struct sums *
sums_of(struct index_query *q, struct arena *a, int n)
{
	struct sums *s = q->sums;

	if (s == NULL || s->room < n) {
		s = ARENA_NEW(a, struct sums);
		sums_init(s, a, n);
	}
	return s;
}

void
sums_begin(struct sums *s, struct index_range range, int64_t end)
{
	memset(s->used, 0, sizeof s->used);
	memset(s->changes, 0, (size_t)range.n * sizeof *s->changes);
	s->n = 0;
	s->range = range;
	s->end = end;
}

void
sums_use(struct sums *s, uint8_t class)
{
	if (s->row[class] == NULL)
		s->row[class] = ARENA_ARRAY(
			s->arena, struct sums_cell, (size_t)s->room + 2);
	else
		memset(s->row[class], 0,
			((size_t)s->range.n + 2) * sizeof **s->row);
	s->used[class] = true;
	if (class != INDEX_CLASS_NONE)
		s->class[s->n++] = class;
}

void
sums_sort(struct sums *s)
{
	int n = 0;

	for (int class = 0; n < s->n; class ++)
		if (s->used[class] && class != INDEX_CLASS_NONE)
			s->class[n++] = (uint8_t) class;
}

void
sums_end(struct sums *s)
{
	uint64_t width = (uint64_t)s->range.width;

	sums_sort(s);
	for (int i = 0; i < s->n; i++) {
		struct sums_cell *row = s->row[s->class[i]];
		uint64_t rows = 0;

		for (int column = 0; column < s->range.n; column++) {
			rows += row[column].fills;
			row[column].time += rows * width;
		}
	}
}
