/* SPDX-License-Identifier: MIT */
#include "emu/breakdown_order.h"

#include <string.h>

#include "base/arena.h"
#include "base/bug.h"

void
breakdown_order_init(struct breakdown_order *o, struct arena *a, int n)
{
	*o = (struct breakdown_order){
		.value = ARENA_ARRAY(a, int64_t, (size_t)n),
		.run = ARENA_ARRAY(a, struct breakdown_run, (size_t)n + 2),
		.changed = ARENA_ARRAY(a, struct breakdown_change, (size_t)n),
		.is_changed = ARENA_ARRAY(a, bool, (size_t)n),
		.nruns = 1,
		.n = n,
	};
	o->run[1].first = n;
}

/* Returns the last run of equal values whose value is at most v, or the first
 * run. The number of steps depends only on the number of runs, so that no
 * branch is mispredicted. */
static int
find_run(const struct breakdown_order *o, int64_t v)
{
	int at = 0;

	for (int n = o->nruns, half; n > 1; n -= half) {
		half = n / 2;
		at = o->run[at + half].value <= v ? at + half : at;
	}
	return at;
}

static void
set(struct breakdown_order *o, int at, int64_t value)
{
	if (!o->is_changed[at]) {
		o->is_changed[at] = true;
		o->changed[o->nchanged++] =
			(struct breakdown_change){ at, o->value[at] };
	}
	o->value[at] = value;
}

/* Moves the runs from `from` on, including the end marker, by `by`
 * positions. */
static void
shift_runs(struct breakdown_order *o, int from, int by)
{
	memmove(o->run + from + by, o->run + from,
		(size_t)(o->nruns + 1 - from) * sizeof *o->run);
	o->nruns += by;
}

static void
insert_run(struct breakdown_order *o, int at, int first, int64_t value)
{
	shift_runs(o, at, 1);
	o->run[at] = (struct breakdown_run){ value, first };
	set(o, first, value);
}

/* Moves one position from `run` to the larger value: each run up to there
 * begins one position earlier. */
static void
raise_value(struct breakdown_order *o, int run, int64_t to)
{
	int i = run + 1;

	for (; i < o->nruns && o->run[i].value <= to; i++)
		set(o, --o->run[i].first, o->run[i].value);
	if (o->run[i - 1].value != to)
		insert_run(o, i, o->run[i].first - 1, to);
}

/* Moves one position from `run` to the smaller value: each run down to there
 * begins one position later. */
static void
lower_value(struct breakdown_order *o, int run, int64_t to)
{
	int i = run;

	for (; i > 0 && o->run[i - 1].value >= to; i--)
		set(o, o->run[i].first++, o->run[i - 1].value);
	if (o->run[i].value != to)
		insert_run(o, i, o->run[i].first++, to);
}

/* Returns true if a run of one position only has to change its value, because
 * it stays between its neighbours. */
static bool
stays(const struct breakdown_order *o, int run, int64_t to)
{
	const struct breakdown_run *r = &o->run[run];

	return r[1].first - r->first == 1 && (run == 0 || r[-1].value < to) &&
		(run + 1 == o->nruns || to < r[1].value);
}

void
breakdown_order_replace(struct breakdown_order *o, int64_t from, int64_t to)
{
	int run, before = o->nruns;

	if (from == to)
		return;
	run = find_run(o, from);
	BUG_ON(o->run[run].value != from);
	if (stays(o, run, to)) {
		o->run[run].value = to;
		set(o, o->run[run].first, to);
		return;
	}
	if (from < to)
		raise_value(o, run, to);
	else
		lower_value(o, run, to);
	if (from > to)
		run += o->nruns - before;
	if (o->run[run].first == o->run[run + 1].first)
		shift_runs(o, run + 1, -1);
}

void
breakdown_order_seen(struct breakdown_order *o)
{
	for (int i = 0; i < o->nchanged; i++)
		o->is_changed[o->changed[i].at] = false;
	o->nchanged = 0;
}

/* If several values were replaced, a position may have returned to its old
 * value. */
static void
pass_changed(struct breakdown_order *o,
	void (*fn)(void *arg, int at, int64_t value), void *arg)
{
	const struct breakdown_change *c = o->changed;
	int n = o->nchanged, step = 1;

	if (c->at > c[n - 1].at) {
		c += n - 1;
		step = -1;
	}
	for (; n > 0; n--, c += step)
		if (o->value[c->at] != c->before)
			fn(arg, c->at, o->value[c->at]);
}

void
breakdown_order_pass(struct breakdown_order *o,
	void (*fn)(void *arg, int at, int64_t value), void *arg)
{
	if (o->nchanged == 0)
		return;
	if (o->begun)
		pass_changed(o, fn, arg);
	for (int at = 0; at < o->n && !o->begun; at++)
		fn(arg, at, o->value[at]);
	o->begun = true;
	breakdown_order_seen(o);
}
