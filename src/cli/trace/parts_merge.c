/* SPDX-License-Identifier: MIT */
#include "cli/trace/parts_merge.h"

#include "base/arena.h"
#include "base/compare.h"
#include "base/err.h"
#include "emu/part.h"
#include "export/share.h"

struct input {
	struct share *share;
	struct share_item item;
};

struct merge {
	const struct parts_merge *what;
	struct input **heap; /* the first one is next */
	int n;
	int64_t written; /* time of the last state */
};

/* Moves to the next item of the window. Returns false at the end. */
static inline bool
next_item(const struct parts_merge *m, struct input *in)
{
	return share_next(in->share, &in->item) && in->item.time < m->to;
}

/* Moves to the first item of the window. Returns false if there is none. */
static bool
first_item(const struct parts_merge *m, struct input *in)
{
	share_read(in->share);
	share_skip(in->share, m->from);
	while (next_item(m, in))
		if (in->item.time >= m->from)
			return true;
	return false;
}

/* At one time, gaps come before states, and links behind them. */
static int
rank(const struct share_item *i)
{
	static const int of[] = {
		[SHARE_GAP] = 0, [SHARE_STATE] = 1, [SHARE_LINK] = 2
	};

	return of[i->kind];
}

static uint32_t
row_of(const struct share_item *i)
{
	if (i->kind == SHARE_GAP)
		return i->gap.row;
	return i->kind == SHARE_LINK ? i->link.from_row : i->record.row;
}

/* Compares as entry_compare() does; states of one row are of one part. */
static int
compare_entries(const struct share_item *a, const struct share_item *b)
{
	COMPARE(a->time, b->time);
	COMPARE(rank(a), rank(b));
	COMPARE(row_of(a), row_of(b));
	if (a->kind != SHARE_LINK)
		return 0;
	COMPARE(a->link.kind, b->link.kind);
	COMPARE(a->link.id, b->link.id);
	COMPARE(a->link.to_time, b->link.to_time);
	COMPARE(a->link.bytes, b->link.bytes);
	COMPARE(a->link.to_row, b->link.to_row);
	return 0;
}

static inline bool
goes_first(const struct merge *m, const struct input *a, const struct input *b)
{
	if (m->what->by_entry)
		return compare_entries(&a->item, &b->item) < 0;
	return a->item.time != b->item.time ? a->item.time < b->item.time
					    : a->item.stream < b->item.stream;
}

static void
sift_down(struct merge *m, int i)
{
	struct input *in = m->heap[i];

	for (int child; (child = 2 * i + 1) < m->n; i = child) {
		if (child + 1 < m->n &&
			goes_first(m, m->heap[child + 1], m->heap[child]))
			child++;
		if (!goes_first(m, m->heap[child], in))
			break;
		m->heap[i] = m->heap[child];
	}
	m->heap[i] = in;
}

/* Passes on a state. A punctual value begins 1 ns before its event, unless a
 * record of that time was written, whichever part wrote it. */
static inline void
pass_state(struct merge *m, struct share_item *i, struct sink *to)
{
	bool is_point = !m->what->by_entry && (i->stream & PART_POINT) != 0;

	if (__builtin_expect(is_point, 0) && m->written < i->time)
		i->record.time--;
	else
		m->written = i->time;
	sink_state(to, &i->record);
}

static inline void
pass(struct merge *m, struct share_item *i, struct sink *to)
{
	if (i->kind == SHARE_STATE)
		pass_state(m, i, to);
	else if (i->kind == SHARE_LINK)
		sink_link(to, &i->link);
	else
		sink_gap(to, &i->gap);
}

/* Passes on the items of the first input until another one goes first. */
static void
pass_run(struct merge *m, struct sink *to)
{
	struct input *first = m->heap[0],
		     *second = m->n > 1 ? m->heap[1] : NULL;

	if (m->n > 2 && goes_first(m, m->heap[2], second))
		second = m->heap[2];
	do {
		pass(m, &first->item, to);
		if (!next_item(m->what, first)) {
			m->heap[0] = m->heap[--m->n];
			break;
		}
	} while (second == NULL || !goes_first(m, second, first));
	if (m->n > 1)
		sift_down(m, 0);
}

void
parts_merge(struct arena *a, const struct parts_merge *what, struct sink *to,
	struct err *err)
{
	struct input *in = ARENA_ARRAY(a, struct input, what->n);
	struct merge m = { .what = what,
		.heap = ARENA_ARRAY(a, struct input *, what->n),
		.written = INT64_MIN };

	for (int i = 0; i < what->n; i++) {
		in[i].share = what->share[i];
		if (first_item(what, &in[i]))
			m.heap[m.n++] = &in[i];
	}
	for (int i = m.n / 2; i-- > 0;)
		sift_down(&m, i);
	while (m.n > 0)
		pass_run(&m, to);
	for (int i = 0; i < what->n && err->kind == ERR_NONE; i++)
		if (share_error(what->share[i]) != NULL)
			*err = *share_error(what->share[i]);
}
