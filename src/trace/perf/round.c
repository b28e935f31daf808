/* SPDX-License-Identifier: MIT */
#include "trace/perf/round.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

#define BYTES_MAX (24u << 20)

void
perf_round_add(struct perf_round *r, const void *record, uint32_t size,
	struct perf_entry entry)
{
	if (r->n + size > r->cap) {
		r->cap = r->cap * 2 + size + 65536;
		r->bytes = mem_resize(r->bytes, r->cap, 1);
	}
	if (r->nentries == r->room) {
		r->room = r->room * 2 + 1024;
		r->entry = mem_resize(r->entry, r->room, sizeof *r->entry);
	}
	memcpy(r->bytes + r->n, record, size);
	entry.at = r->n;
	entry.size = size;
	r->entry[r->nentries++] = entry;
	r->n += size;
	if (entry.time > r->latest)
		r->latest = entry.time;
}

const struct perf_entry *
perf_round_next(struct perf_round *r)
{
	return r->next < r->ready ? &r->entry[r->next++] : NULL;
}

static int
by_time(const void *pa, const void *pb)
{
	const struct perf_entry *a = pa, *b = pb;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return (a->at > b->at) - (a->at < b->at);
}

static bool
is_sorted(const struct perf_round *r)
{
	for (size_t i = 1; i < r->nentries; i++)
		if (r->entry[i].time < r->entry[i - 1].time)
			return false;
	return true;
}

/* Frees what was passed on: moves the other records to the front, in the order
 * of their bytes. Entries are sorted by time, so the bytes go through a
 * copy. */
static void
drop(struct perf_round *r)
{
	size_t left = r->nentries - r->next, n = 0;
	uint8_t *bytes;

	if (r->next == 0)
		return;
	if (left == 0) {
		r->n = r->nentries = r->next = r->ready = 0;
		return;
	}
	bytes = mem_resize(NULL, r->cap, 1);
	for (size_t i = 0; i < left; i++) {
		struct perf_entry e = r->entry[r->next + i];

		memcpy(bytes + n, r->bytes + e.at, e.size);
		e.at = n;
		n += e.size;
		r->entry[i] = e;
	}
	mem_free(r->bytes);
	r->bytes = bytes;
	r->n = n;
	r->nentries = left;
	r->next = r->ready = 0;
}

/* Sorts, and sets how many entries are not later than the limit. */
static void
sort_until(struct perf_round *r, uint64_t limit)
{
	size_t low = 0, high = r->nentries;

	if (!is_sorted(r))
		qsort(r->entry, r->nentries, sizeof *r->entry, by_time);
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (r->entry[middle].time <= limit)
			low = middle + 1;
		else
			high = middle;
	}
	r->ready = low;
}

void
perf_round_end(struct perf_round *r, bool all)
{
	drop(r);
	sort_until(r, all ? UINT64_MAX : r->limit);
	r->limit = r->latest;
}

bool
perf_round_is_full(const struct perf_round *r)
{
	return r->n > BYTES_MAX || r->nentries > BYTES_MAX / sizeof *r->entry;
}

void
perf_round_force(struct perf_round *r)
{
	drop(r);
	sort_until(r, UINT64_MAX);
	r->ready = (r->nentries + 1) / 2;
}

void
perf_round_fini(struct perf_round *r)
{
	mem_free(r->bytes);
	mem_free(r->entry);
	*r = (struct perf_round){ 0 };
}
