/* SPDX-License-Identifier: MIT */
/* Sums one row for each column. */
#include <string.h>

#include "base/arena.h"
#include "export/index/sums.h"
#include "export/index/sweep.h"

struct single {
	struct index_query *q;
	struct sweep sweep;
	struct sweep_columns next;
	struct shares *shares;
	struct index_column *out;
	int n;
	uint32_t series;
	bool bad; /* shares of a column exceed its length */
};

static index_uwide
sum_widely(const struct index_share *share, size_t n)
{
	index_uwide sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (uint64_t)share[i].time;
	return sum;
}

/* Sets the shares of a column to what the sweep added. */
static void
share_out(struct single *s, struct index_column *c)
{
	struct sweep *w = &s->sweep;
	unsigned ranks = w->nranks;
	struct index_share *share = shares_room(s->shares, ranks);
	uint64_t sum = 0, bits = 0;
	size_t n = 0;

	for (unsigned first = 0; first < ranks; first += SWEEP_BITS) {
		uint64_t left = sweep_changed(w, first);

		for (; left != 0; left &= left - 1) {
			unsigned rank = first + (unsigned)__builtin_ctzll(left);
			uint64_t time = sweep_part(w, rank);

			/* A class without time is overwritten by the next: a
			 * branch could not be predicted. */
			share[n] = (struct index_share){ (int64_t)time,
				w->class [rank], { 0 } };
			n += time != 0;
			sum += time;
			bits |= time;
		}
	}
	sweep_end(w);
	/* 256 times of up to 56 bits have a sum of 64 bits. */
	s->bad |= !shares_end(s->shares, c, n,
		w->point ? 0 : (index_uwide)(uint64_t)(c->to - c->from),
		bits >> 56 == 0 ? sum : sum_widely(share, n));
}

/* Returns true if a column shows no record, and the one before shows the same.
 */
static bool
is_quiet(const struct single *s, const struct index_column *c)
{
	return c->to <= s->sweep.next && c > s->out && c[-1].changes == 0 &&
		c->to - c->from == c[-1].to - c[-1].from;
}

static bool
set_column(struct single *s, struct index_column *c)
{
	uint64_t before;

	/* Passes the columns that were quiet. */
	if (!sweep_skip(&s->sweep, c->from))
		return false;
	before = s->sweep.number;
	if (!sweep_to(&s->sweep, c->to))
		return false;
	share_out(s, c);
	c->changes = s->sweep.number - before;
	return true;
}

static bool
add(void *arg)
{
	struct single *s = arg;
	struct index_column *c = s->out, *last = c + s->n;

	if (!sweep_open(&s->sweep, s->q, s->series))
		return false;
	for (; c < last; c++) {
		*c = (struct index_column){ 0 };
		sweep_column(&s->next, &c->from, &c->to);
		if (c->from >= c->to)
			continue;
		if (is_quiet(s, c)) {
			c->nshares = c[-1].nshares;
			c->share = c[-1].share;
		} else if (!set_column(s, c)) {
			return false;
		}
	}
	return walk_pay(s->q, s->n);
}

bool
index_columns(struct index_query *q, struct arena *a, uint32_t series,
	struct index_range range, struct index_column **out)
{
	struct sums *sums = sums_of(q, a, range.n);
	struct single s;

	s.q = q;
	*out = s.out = sums->column;
	s.n = range.n;
	s.series = series;
	s.shares = &sums->shares;
	shares_begin(s.shares);
	s.next = (struct sweep_columns){ range.from, range.width,
		q->ix->meta.end };
	s.bad = false;
	if (!reader_query(q, add, &s))
		return false;
	return !s.bad || reader_damaged(q, q->ix->series.at + series);
}
