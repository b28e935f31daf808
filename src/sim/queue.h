/* SPDX-License-Identifier: MIT */
/*
 * queue.h - pending events, earliest first.
 *
 * The queue is a heap with four children per node: half as deep as a binary
 * heap, and the four keys fit in two cache lines. The order is time, then
 * primary before secondary, then order of pushing: a total order, first in
 * first out at equal times.
 *
 * Taking the earliest item leaves a hole at the top. Most events schedule
 * another event, which fills the hole: one walk through the heap instead of
 * two.
 */
#ifndef WEFT_SIM_QUEUE_H
#define WEFT_SIM_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "weft/sim.h"

#define QUEUE_SECONDARY (UINT64_C(1) << 63)

struct queue_item {
	int64_t time;
	uint64_t order; /* number of the push; bit 63 is set for secondary
	                 * events */
	struct weft_sim_handler *handler;
	void *data;
};

/* {0} is an empty queue; it owns a heap block. */
struct queue {
	struct queue_item *item;
	size_t n, cap; /* n includes the hole */
	uint64_t pushes;
	bool hole; /* item[0] was taken */
};

/* Makes room for at least one more item. */
void queue_grow(struct queue *q);
void queue_fini(struct queue *q);

__extension__ typedef unsigned __int128 queue_key;

/* Compares time and order as one number, without a branch. */
static inline bool
queue_before(const struct queue_item *a, const struct queue_item *b)
{
	return ((queue_key)(uint64_t)a->time << 64 | a->order) <
		((queue_key)(uint64_t)b->time << 64 | b->order);
}

/* Returns the index of the earliest of up to four children, the first of which
 * is `first`. */
static inline size_t
queue_child(const struct queue *q, size_t first)
{
	const struct queue_item *item = q->item;
	size_t a = first, b = first + 2;

	if (__builtin_expect(first + 4 > q->n, 0)) {
		for (size_t i = first + 1; i < q->n; i++)
			a = queue_before(&item[i], &item[a]) ? i : a;
		return a;
	}
	a += queue_before(&item[a + 1], &item[a]);
	b += queue_before(&item[b + 1], &item[b]);
	return a + (b - a) * queue_before(&item[b], &item[a]);
}

/* Puts an item at the top and moves it down to its position. */
static inline void
queue_sink(struct queue *q, struct queue_item new)
{
	size_t i = 0, first;

	while ((first = 4 * i + 1) < q->n) {
		size_t child = queue_child(q, first);

		if (!queue_before(&q->item[child], &new))
			break;
		q->item[i] = q->item[child];
		i = child;
	}
	q->item[i] = new;
}

/* Appends an item and moves it up to its position. */
static inline void
queue_rise(struct queue *q, struct queue_item new)
{
	size_t i = q->n;

	if (__builtin_expect(i == q->cap, 0))
		queue_grow(q);
	q->n++;
	while (i > 0 && queue_before(&new, &q->item[(i - 1) / 4])) {
		q->item[i] = q->item[(i - 1) / 4];
		i = (i - 1) / 4;
	}
	q->item[i] = new;
}

static inline void
queue_push(
	struct queue *q, int64_t time, struct weft_sim_handler *h, void *data)
{
	struct queue_item new = { time, q->pushes++, h, data };

	if (h->secondary)
		new.order |= QUEUE_SECONDARY;
	if (q->hole) {
		q->hole = false;
		queue_sink(q, new);
	} else {
		queue_rise(q, new);
	}
}

/* Returns the earliest item, or NULL. The pointer is valid until the next
 * push. */
static inline const struct queue_item *
queue_top(struct queue *q)
{
	if (q->hole) {
		q->hole = false;
		q->n--;
		if (q->n > 0)
			queue_sink(q, q->item[q->n]);
	}
	return q->n == 0 ? NULL : &q->item[0];
}

/* Takes the item that queue_top() returned. */
static inline struct queue_item
queue_take(struct queue *q)
{
	q->hole = true;
	return q->item[0];
}

#endif
