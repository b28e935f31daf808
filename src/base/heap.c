/* SPDX-License-Identifier: MIT */
#include "base/heap.h"

#include "base/arena.h"
#include "base/bug.h"

static void
swap(struct heap_item *a, struct heap_item *b)
{
	struct heap_item t = *a;

	*a = *b;
	*b = t;
}

void
heap_push(struct heap *h, int64_t key, uint64_t value)
{
	size_t i = h->n++;

	if (h->n > h->cap) {
		h->cap = h->cap > 0 ? h->cap * 2 : 16;
		h->item = mem_resize(h->item, h->cap, sizeof *h->item);
	}
	h->item[i] = (struct heap_item){ key, value };
	while (i > 0 && h->item[i].key < h->item[(i - 1) / 2].key) {
		swap(&h->item[i], &h->item[(i - 1) / 2]);
		i = (i - 1) / 2;
	}
}

const struct heap_item *
heap_top(const struct heap *h)
{
	BUG_ON(h->n == 0);
	return &h->item[0];
}

/* The strictly earliest of i and its children, left before right. */
static size_t
earliest(const struct heap *h, size_t i)
{
	size_t best = i, left = 2 * i + 1, right = 2 * i + 2;

	if (left < h->n && h->item[left].key < h->item[best].key)
		best = left;
	if (right < h->n && h->item[right].key < h->item[best].key)
		best = right;
	return best;
}

struct heap_item
heap_pop(struct heap *h)
{
	struct heap_item top = *heap_top(h);
	size_t i = 0, next;

	h->item[0] = h->item[--h->n];
	while ((next = earliest(h, i)) != i) {
		swap(&h->item[i], &h->item[next]);
		i = next;
	}
	return top;
}

void
heap_fini(struct heap *h)
{
	mem_free(h->item);
	*h = (struct heap){ 0 };
}
