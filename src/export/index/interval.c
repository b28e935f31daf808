/* SPDX-License-Identifier: MIT */
/* Finds single intervals: the interval at a time, the next interval of a value,
 * all intervals of a window. */
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "export/index/walk.h"

static int64_t
clip(int64_t x, int64_t end)
{
	return x < 0 ? 0 : x > end ? end : x;
}

/* Sets the interval of the record that the walk has passed last; before the
 * first record, sets the interval up to that record. */
static bool
interval(struct walk *w, struct index_interval *out)
{
	int64_t end = w->q->ix->meta.end, next;

	if (!walk_peek(w, &next))
		return false;
	if (next > end)
		next = end;
	out->from = w->any ? w->t : 0;
	out->to = next < out->from ? out->from : next;
	out->value = w->any ? w->value : VALUE_NONE;
	out->number = w->any ? walk_number(w) - 1 : UINT64_MAX;
	return true;
}

struct lengths {
	struct index_query *q;
	struct arena *arena;
	uint32_t series;
	struct index_length *out;
	int n;
};

static bool
lengths(void *arg)
{
	struct lengths *l = arg;
	const struct index *ix = l->q->ix;
	uint64_t low = 0, high = ix->lengths.n;

	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		if (ix->lengths.at[middle].series < l->series)
			low = middle + 1;
		else
			high = middle;
	}
	while (high < ix->lengths.n && high - low <= INDEX_CLASSES &&
		ix->lengths.at[high].series == l->series)
		high++;
	l->out = ARENA_ARRAY(l->arena, struct index_length, high - low);
	for (l->n = 0; low < high; low++) {
		const struct widx_length *from = &ix->lengths.at[low];

		l->out[l->n++] = (struct index_length){ from->value,
			from->count, from->min, from->max };
	}
	return true;
}

bool
index_lengths(struct index_query *q, struct arena *a, uint32_t series,
	const struct index_length **out, int *n)
{
	struct lengths l = { .q = q, .arena = a, .series = series };
	bool ok = reader_query(q, lengths, &l);

	*out = l.out;
	*n = l.n;
	return ok;
}

struct at {
	struct index_query *q;
	uint32_t series;
	int64_t t;
	struct index_interval *out;
};

static bool
at(void *arg)
{
	struct at *a = arg;
	struct walk w;

	return walk_open(&w, a->q, a->series) && walk_seek(&w, a->t + 1) &&
		interval(&w, a->out);
}

bool
index_at(struct index_query *q, uint32_t series, int64_t t,
	struct index_interval *out)
{
	int64_t end = q->ix->meta.end;
	struct at a = { q, series, clip(t, end > 0 ? end - 1 : 0), out };

	return reader_query(q, at, &a);
}

bool
index_stack(struct index_query *q, uint32_t row, uint32_t type, int64_t t,
	int64_t value[INDEX_LANES], int *depth)
{
	for (*depth = 0; *depth < INDEX_LANES; ++*depth) {
		struct index_interval iv = { 0 };
		uint32_t series =
			index_series(q->ix, row, type, (uint32_t)*depth + 1);

		if (series == INDEX_NONE)
			return true;
		if (!index_at(q, series, t, &iv))
			return false;
		if (iv.value == VALUE_NONE)
			return true;
		value[*depth] = iv.value;
	}
	return true;
}

struct step {
	struct index_query *q;
	uint32_t series;
	int64_t t;
	bool forward;
	const int64_t *value;
	int64_t least, most; /* length of the interval */
	struct index_interval *out;
	int class; /* class of the value that is searched */
};

/* Returns true if the chunk may contain the value that is searched. */
static bool
may_have(const struct walk *w, const struct step *s)
{
	if (s->value == NULL || w->v.head.nlocal == 0)
		return true;
	for (unsigned j = 0; j < w->v.head.nlocal; j++)
		if (view_class(&w->v, w->v.local[j]) == s->class)
			return true;
	return false;
}

/* Sets *fits to whether the interval of the last record is one that is
 * searched.
 */
static bool
check(struct walk *w, const struct step *s, bool *fits)
{
	int64_t end = s->q->ix->meta.end, next, length;

	*fits = s->value == NULL || w->value == *s->value;
	if (!*fits || (s->least <= 0 && s->most == INT64_MAX))
		return true;
	if (!walk_peek(w, &next))
		return false;
	if (next > end)
		next = end;
	length = next < w->t ? 0 : (int64_t)((uint64_t)next - (uint64_t)w->t);
	*fits = length >= s->least && length <= s->most;
	return true;
}

/* Takes the next record, if there is one, and checks it. */
static bool
next_checked(struct walk *w, const struct step *s, bool *some, bool *fits)
{
	*fits = false;
	return walk_next(w, some) && (!*some || check(w, s, fits));
}

static bool
step_forward(struct step *s)
{
	struct walk w;
	bool some, fits;

	if (!walk_open(&w, s->q, s->series) || !walk_seek(&w, s->t + 1))
		return false;
	for (;;) {
		/* Skip chunks that do not have the value. */
		if (!next_checked(&w, s, &some, &fits))
			return false;
		if (!some)
			return true;
		if (fits)
			return interval(&w, s->out);
		if (w.i == 1 && !may_have(&w, s) && !walk_pay(s->q, 1))
			return false;
		if (w.i == 1 && !may_have(&w, s))
			w.i = w.v.head.n;
	}
}

/* Finds the last record with time < t in a chunk that matches. Sets its number
 * + 1, or 0. */
static bool
last_in_chunk(struct walk *w, const struct step *s, uint64_t *found)
{
	bool some = true, fits;

	*found = 0;
	if (!walk_enter(w, 0))
		return false;
	while (w->i < w->v.head.n) {
		if (!walk_next(w, &some))
			return false;
		if (w->t >= s->t)
			return true;
		if (!check(w, s, &fits))
			return false;
		if (fits)
			*found = walk_number(w);
	}
	return true;
}

static bool
step_back(struct step *s)
{
	struct walk w;
	uint64_t chunk, found = 0;

	if (!walk_open(&w, s->q, s->series))
		return false;
	if (!walk_find_chunk(&w, s->t, &chunk))
		return true;
	for (uint64_t i = chunk + 1; i-- > 0 && found == 0;) {
		if (!walk_load(&w, i))
			return false;
		if (may_have(&w, s) && !last_in_chunk(&w, s, &found))
			return false;
	}
	return found == 0 || (walk_to(&w, found - 1) && interval(&w, s->out));
}

static bool
step(void *arg)
{
	struct step *s = arg;

	return s->forward ? step_forward(s) : step_back(s);
}

bool
index_step(struct index_query *q, uint32_t series, int64_t t, bool forward,
	const struct index_sought *sought, struct index_interval *out)
{
	const int64_t *value = sought == NULL ? NULL : sought->value;
	struct step s = { q, series, t, forward, value, 0, INT64_MAX, out, 0 };
	uint32_t row, type, lane;

	*out = (struct index_interval){ .number = UINT64_MAX,
		.value = VALUE_NONE };
	if (sought != NULL) {
		s.least = sought->least;
		s.most = sought->most;
	}
	if (forward && t == INT64_MAX)
		return q->state == INDEX_OK;
	if (index_series_of(q->ix, series, &row, &type, &lane) && value != NULL)
		s.class = index_class(&q->ix->meta.type[type], *value);
	return reader_query(q, step, &s);
}

struct each {
	struct index_query *q;
	uint32_t series;
	int64_t from, to;
	bool (*fn)(void *arg, const struct index_interval *iv);
	void *arg;
};

static bool
tell(struct each *e, struct walk *w)
{
	struct index_interval iv;

	if (!interval(w, &iv))
		return false;
	if (e->fn(e->arg, &iv))
		return true;
	e->q->state = INDEX_STOPPED;
	return false;
}

static bool
each(void *arg)
{
	struct each *e = arg;
	struct walk w;
	int64_t next;
	bool some = true;

	if (!walk_open(&w, e->q, e->series) || !walk_seek(&w, e->from) ||
		!walk_peek(&w, &next))
		return false;
	if (next > e->from &&
		!tell(e, &w)) /* this interval reaches into the window */
		return false;
	while (next < e->to) {
		if (!walk_next(&w, &some) || !some || !tell(e, &w))
			return !some;
		if (!walk_peek(&w, &next))
			return false;
	}
	return true;
}

bool
index_intervals(struct index_query *q, uint32_t series, int64_t from,
	int64_t to, bool (*fn)(void *arg, const struct index_interval *iv),
	void *arg)
{
	int64_t end = q->ix->meta.end;
	struct each e = { q, series, clip(from, end), to > end ? end : to, fn,
		arg };

	return e.from >= e.to ? q->state == INDEX_OK
			      : reader_query(q, each, &e);
}
