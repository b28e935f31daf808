/* SPDX-License-Identifier: MIT */
/* Looks series up by row, type and lane. */
#include "base/compare.h"
#include "export/index/reader.h"

struct key {
	const struct index *ix;
	uint32_t row, type, lane; /* what to look for, or what was found */
	uint32_t series;
	uint64_t n;
};

static int
compare(const struct widx_series *s, const struct key *k)
{
	COMPARE(s->row, k->row);
	COMPARE(s->lane, k->lane);
	return 0;
}

/* Guesses where the series is, at or after `low`: rows that have one series
 * each lie side by side. */
static uint64_t
guess(const struct key *k, uint64_t low, uint64_t high)
{
	uint32_t first = k->ix->series.at[low].row;
	uint64_t at = low + k->row - first;

	return k->row >= first && at < high ? at : low + (high - low) / 2;
}

static bool
look_up(void *arg)
{
	struct key *k = arg;
	uint64_t low = k->ix->type_at[k->type];
	uint64_t high = k->ix->type_at[k->type + 1];
	uint64_t mid = low < high ? guess(k, low, high) : low;

	for (; low < high; mid = low + (high - low) / 2) {
		int order = compare(&k->ix->series.at[mid], k);

		if (order == 0) {
			k->series = (uint32_t)mid;
			return true;
		}
		if (order < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return false;
}

uint32_t
index_series(const struct index *ix, uint32_t row, uint32_t type, uint32_t lane)
{
	struct key k = { .ix = ix, .row = row, .type = type, .lane = lane };
	bool gone;

	if (type >= ix->meta.ntypes ||
		!guard_call(&ix->map, look_up, &k, &gone))
		return INDEX_NONE;
	return k.series;
}

static bool
look_at(void *arg)
{
	struct key *k = arg;
	const struct widx_series *s = &k->ix->series.at[k->series];

	k->row = s->row;
	k->type = s->type;
	k->lane = s->lane;
	k->n = s->nrecords;
	return true;
}

bool
index_series_of(const struct index *ix, uint32_t series, uint32_t *row,
	uint32_t *type, uint32_t *lane)
{
	struct key k = { .ix = ix, .series = series };
	bool gone;

	if (series >= ix->series.n || !guard_call(&ix->map, look_at, &k, &gone))
		return false;
	*row = k.row;
	*type = k.type;
	*lane = k.lane;
	return k.row < ix->meta.nrows && k.type < ix->meta.ntypes;
}

uint64_t
index_series_records(const struct index *ix, uint32_t series)
{
	struct key k = { .ix = ix, .series = series };
	bool gone;

	if (series >= ix->series.n || !guard_call(&ix->map, look_at, &k, &gone))
		return 0;
	return k.n;
}
