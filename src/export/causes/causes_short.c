/* SPDX-License-Identifier: MIT */
/*
 * causes_short.c - the causes of calls that were too short to be recorded one
 * by one.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "export/causes/causes_sink.h"
#include "export/short_calls.h"

enum {
	KINDS_MOST = 3, /* kinds of calls that are named */
	LARGE = 100     /* a place with this part of all time is a cause */
};

__extension__ typedef unsigned __int128 wide;

/* Returns the time of the calls of all places; 0 if it cannot be. */
static uint64_t
total_of(const struct short_calls *all)
{
	wide total = 0;

	for (int i = 0; all != NULL && i < all->sum.n; i++)
		total += all->sum.at[i].time;
	return total > INT64_MAX ? 0 : (uint64_t)total;
}

/* Returns the index of a place as the state of a key; 0: its time is small. */
static int64_t
state_of(const struct causes_sink *s, int i)
{
	const struct short_calls_sum *one = &s->short_calls->sum.at[i];

	return one->line != NULL &&
			one->time >= (uint64_t)s->result.life / LARGE
		? i + 1
		: 0;
}

static void
add(struct causes_sink *s, int64_t state, int64_t time)
{
	const struct key key = { SHORT, state, VALUE_NONE, VALUE_NONE };
	struct sum *sum = causes_sum(s, &key);

	sum->cause.class = CAUSE_IO;
	sum->cause.time += time;
}

void
causes_count_short(struct causes_sink *s)
{
	struct causes *c = &s->result;
	int64_t n = s->quick < c->time[CAUSE_COMPUTE] ? s->quick
						      : c->time[CAUSE_COMPUTE];
	uint64_t total = total_of(s->short_calls), so_far = 0;
	int64_t given = 0;

	if (n <= 0)
		return;
	c->time[CAUSE_COMPUTE] -= n;
	c->time[CAUSE_IO] += n;
	for (int i = 0; total > 0 && i < s->short_calls->sum.n; i++) {
		int64_t until;

		so_far += s->short_calls->sum.at[i].time;
		until = (int64_t)((wide)n * so_far / total);
		if (until > given)
			add(s, state_of(s, i), until - given);
		given = until;
	}
	if (given < n)
		add(s, 0, n - given);
}

static int
by_time(const void *a, const void *b)
{
	const struct short_calls_sum *x = a, *y = b;

	return x->time == y->time ? 0 : x->time < y->time ? 1 : -1;
}

/* Sums up the places with little time by kind. Returns the number of kinds. */
static int
sum_kinds(const struct causes_sink *s, struct short_calls_sum to[SHORT_KINDS])
{
	const struct short_calls *all = s->short_calls;
	int n = 0;

	for (int i = 0; all != NULL && i < all->sum.n; i++) {
		const struct short_calls_sum *one = &all->sum.at[i];
		int k = 0;

		if (state_of(s, i) != 0)
			continue;
		while (k < n && to[k].kind != one->kind)
			k++;
		if (k == SHORT_KINDS)
			continue;
		if (k == n)
			to[n++] = (struct short_calls_sum){ one->kind, NULL, 0,
				0 };
		to[k].calls += one->calls;
		to[k].time += one->time;
	}
	qsort(to, (size_t)n, sizeof *to, by_time);
	return n;
}

static const char *
calls_text(struct causes_sink *s, const struct short_calls_sum *one)
{
	return arena_printf(s->arena, "%" PRIu64 " %s", one->calls,
		one->kind == NULL ? "others" : one->kind);
}

const char *
causes_short_text(struct causes_sink *s, int64_t state)
{
	struct short_calls_sum kind[SHORT_KINDS] = { 0 };
	const char *text = NULL;
	uint64_t others = 0;
	int n;

	if (state != 0)
		return calls_text(s, &s->short_calls->sum.at[state - 1]);
	n = sum_kinds(s, kind);
	for (int i = 0; i < n; i++) {
		if (i >= KINDS_MOST)
			others += kind[i].calls;
		else if (text == NULL)
			text = calls_text(s, &kind[i]);
		else
			text = arena_printf(s->arena, "%s, %s", text,
				calls_text(s, &kind[i]));
	}
	return others == 0 ? text
			   : arena_printf(s->arena, "%s, %" PRIu64 " others",
				     text, others);
}

const char *
causes_short_line(const struct causes_sink *s, int64_t state)
{
	return state == 0 ? NULL : s->short_calls->sum.at[state - 1].line;
}
