/* SPDX-License-Identifier: MIT */
#include "export/stat/slices.h"

#include "base/arena.h"
#include "export/sink.h"

/* Returns the address of the link to the value's piece in a list, or of the
 * last link if there is no such piece. */
static int *
find(struct slices *s, int *list, int64_t value)
{
	while (*list != 0 && s->pieces.at[*list - 1].value != value)
		list = &s->pieces.at[*list - 1].next;
	return list;
}

static int
length(const struct slices *s, int list)
{
	int n = 0;

	for (; list != 0; list = s->pieces.at[list - 1].next)
		n++;
	return n;
}

static int
new_piece(struct slices *s, struct arena *a)
{
	int piece = s->unused;

	if (piece != 0) {
		s->unused = s->pieces.at[piece - 1].next;
		return piece;
	}
	(void)VEC_ADD(&s->pieces, a);
	return s->pieces.n;
}

static void
add(struct slices *s, struct arena *a, int slice, struct slice_piece p)
{
	int *at = find(s, &s->first[slice], p.value);
	int piece;

	if (*at == 0 && length(s, s->first[slice]) >= SLICE_VALUES) {
		p.value = VALUE_OTHER;
		at = find(s, &s->first[slice], p.value);
	}
	if (*at != 0) {
		s->pieces.at[*at - 1].time += p.time;
		return;
	}
	piece = new_piece(s, a); /* may move what `at` points into */
	s->pieces.at[piece - 1] = (struct slice_piece){ p.value, p.time, 0 };
	*find(s, &s->first[slice], p.value) = piece;
}

/* Moves the pieces of a list into a slice. */
static void
move(struct slices *s, struct arena *a, int list, int slice)
{
	while (list != 0) {
		struct slice_piece p = s->pieces.at[list - 1];

		s->pieces.at[list - 1].next = s->unused;
		s->unused = list;
		add(s, a, slice, p);
		list = p.next;
	}
}

/* Merges each two neighbouring slices into one. */
static void
merge(struct slices *s, struct arena *a)
{
	for (int i = 0; i < SLICES_MAX; i++) {
		int list = s->first[i];

		s->first[i] = 0;
		move(s, a, list, i / 2);
	}
	s->width *= 2;
}

void
slices_reach(struct slices *s, struct arena *a, int64_t until)
{
	while ((until - 1 - s->from) / SLICES_MAX >= s->width)
		merge(s, a);
	if (until > s->end)
		s->end = until;
}

void
slices_add(struct slices *s, struct arena *a, int64_t since, int64_t until,
	int64_t value)
{
	slices_reach(s, a, until);
	while (since < until) {
		int slice = (int)((since - s->from) / s->width);
		int64_t left = s->width - (since - s->from) % s->width;

		if (left > until - since)
			left = until - since;
		add(s, a, slice, (struct slice_piece){ value, left, 0 });
		since += left;
	}
}

int
slices_count(const struct slices *s)
{
	return s->end <= s->from ? 0
				 : (int)((s->end - 1 - s->from) / s->width) + 1;
}

void
slices_each(const struct slices *s, int first, int n,
	void (*fn)(void *arg, int64_t value, int64_t time), void *arg)
{
	if (n > SLICES_MAX - first)
		n = SLICES_MAX - first;
	for (int i = first; i < first + n; i++)
		for (int p = s->first[i]; p != 0; p = s->pieces.at[p - 1].next)
			fn(arg, s->pieces.at[p - 1].value,
				s->pieces.at[p - 1].time);
}
