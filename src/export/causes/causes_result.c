/* SPDX-License-Identifier: MIT */
/*
 * causes_result.c - the list of causes.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "export/causes/causes_sink.h"

static int
by_time(const void *a, const void *b)
{
	const struct cause *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? 1 : -1;
	return strcmp(
		x->line == NULL ? "" : x->line, y->line == NULL ? "" : y->line);
}

static const char *
text_of(const struct causes_sink *s, enum slot slot, int64_t value)
{
	const struct label *l =
		value == VALUE_NONE ? NULL : causes_label(s, slot, value);

	return l == NULL ? NULL : l->text;
}

/* Makes the time in which threads were ready a cause. */
static void
count_ready(struct causes_sink *s)
{
	const struct key key = { REASON, 0, VALUE_NONE, VALUE_NONE };
	struct causes *c = &s->result;
	const struct crowd *k = &s->crowd;
	struct sum *sum;

	causes_crowd(&s->crowd, c->end);
	if (k->time > 0) {
		c->running = (double)k->sum[BUSY_RUNS] / (double)k->time;
		c->busy = c->running +
			(double)k->sum[BUSY_READY] / (double)k->time;
	}
	if (c->time[CAUSE_READY] == 0)
		return;
	sum = causes_sum(s, &key);
	sum->cause.class = CAUSE_READY;
	sum->cause.time = c->time[CAUSE_READY];
	sum->cause.times = k->preempted;
}

/* Returns what the kind of wait is called. */
static const char *
what_of(const struct causes_sink *s, const struct key *k)
{
	if (k->slot == SHORT)
		return "Short calls";
	return k->slot == REASON ? "Ready" : text_of(s, k->slot, k->state);
}

/* Returns what was waited for: "200 threads" if the cause holds for several. */
static const char *
object_text(struct causes_sink *s, const struct sum *sum)
{
	if (sum->key.slot == SHORT)
		return causes_short_text(s, sum->key.state);
	if (sum->follows == FOLLOWS_NOTHING)
		return text_of(s, OBJECT, sum->key.object);
	if (sum->nobjects == 1)
		return text_of(s, OBJECT, sum->longest);
	return arena_printf(s->arena, "%d %s", sum->nobjects,
		sum->follows == FOLLOWS_THREAD ? "threads" : "processes");
}

/* The line of a wait in OpenMP may be a region. */
static const char *
line_text(const struct causes_sink *s, const struct key *k)
{
	const char *text = text_of(s, k->slot == WAIT ? LINE : PLACE, k->line);

	if (k->slot == SHORT)
		return causes_short_line(s, k->state);
	return text == NULL && k->slot != WAIT ? text_of(s, REGION, k->line)
					       : text;
}

static void
name_culprits(struct causes_sink *s)
{
	uint64_t key, time;

	for (size_t pos = 0; map_next(&s->culprits, &pos, &key, &time);) {
		struct cause *c = &s->sum.at[key >> 32].cause;

		if ((int64_t)time <= c->culprit_time)
			continue;
		c->culprit_time = (int64_t)time;
		c->culprit = s->row.at[(uint32_t)key].name;
	}
}

/* The row that has what the longest of a cause's open waits is for. */
static void
name_holders(struct causes_sink *s)
{
	int64_t *longest = ARENA_ARRAY(s->arena, int64_t, s->sum.n + 1);

	for (int i = 0; i < s->row.n; i++) {
		const struct thread_row *r = &s->row.at[i];

		if (r->holder == ROW_NONE || r->open_sum == 0 ||
			r->open_time <= longest[r->open_sum])
			continue;
		longest[r->open_sum] = r->open_time;
		s->sum.at[r->open_sum - 1].cause.holder =
			s->row.at[r->holder].name;
	}
}

const struct causes *
causes_result(struct sink *sink)
{
	struct causes_sink *s = (struct causes_sink *)sink;
	struct causes *c = &s->result;
	struct cause *list;

	for (int i = 0; i < s->row.n; i++) {
		struct thread_row *r = &s->row.at[i];

		if (r->name == NULL)
			continue;
		c->nthreads++;
		causes_count(s, r, c->end > r->time ? c->end : r->time);
		causes_end_wait(s, r, true);
		r->wait.slot = LIFE;
	}
	causes_count_short(s);
	count_ready(s);
	name_culprits(s);
	name_holders(s);
	list = ARENA_ARRAY(s->arena, struct cause, s->sum.n + 1);
	for (int i = 0; i < s->sum.n; i++) {
		const struct key *k = &s->sum.at[i].key;
		struct cause *to = &list[c->ncauses];

		*to = s->sum.at[i].cause;
		/* a wait that ended at the moment of its begin */
		if (to->time == 0 && to->times == 0)
			continue;
		to->what = what_of(s, k);
		to->object = object_text(s, &s->sum.at[i]);
		to->follows = s->sum.at[i].follows != FOLLOWS_NOTHING;
		to->line = line_text(s, k);
		c->ncauses++;
	}
	if (c->ncauses > 0)
		qsort(list, (size_t)c->ncauses, sizeof *list, by_time);
	c->cause = list;
	return c;
}
