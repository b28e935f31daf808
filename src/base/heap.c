/* SPDX-License-Identifier: MIT */
#include "base/heap.h"

#include "base/arena.h"
#include "base/bug.h"

void
heap_push(struct heap *h, int64_t key, uint64_t value)
{
	size_t i = h->n++;

	if (h->n > h->cap) {
		h->cap = h->cap > 0 ? h->cap * 2 : 16;
		h->item = mem_resize(h->item, h->cap, sizeof *h->item);
	}
	for (; i > 0 && key < h->item[(i - 1) / 2].key; i = (i - 1) / 2)
		h->item[i] = h->item[(i - 1) / 2];
	h->item[i] = (struct heap_item){ key, value };
}

const struct heap_item *
heap_top(const struct heap *h)
{
	BUG_ON(h->n == 0);
	return &h->item[0];
}

/* Moves the last item to the root and down until no child is strictly smaller.
 * Of two equal children the left one moves up. */
struct heap_item
heap_pop(struct heap *h)
{
	struct heap_item top = *heap_top(h), last = h->item[--h->n];
	size_t i = 0, child;

	while ((child = 2 * i + 1) < h->n) {
		child += child + 1 < h->n &&
			h->item[child + 1].key < h->item[child].key;
		if (h->item[child].key >= last.key)
			break;
		h->item[i] = h->item[child];
		i = child;
	}
	h->item[i] = last;
	return top;
}

void
heap_fini(struct heap *h)
{
	mem_free(h->item);
	*h = (struct heap){ 0 };
}
