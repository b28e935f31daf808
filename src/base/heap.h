/* SPDX-License-Identifier: MIT */
/*
 * heap.h - binary min-heap of (key, item).
 *
 * The order of equal keys is part of the contract, because the merge of the
 * ovni tools depends on it. An item moves up only while it is strictly smaller
 * than its parent; on removal the last item moves to the root, and from there
 * down past its smaller child as long as that child is strictly smaller than
 * the item; if both children are equal, past the left one. {0} is an empty
 * heap; it owns a heap block.
 */
#ifndef WEFT_BASE_HEAP_H
#define WEFT_BASE_HEAP_H

#include <stddef.h>
#include <stdint.h>

struct heap_item {
	int64_t key;
	uint64_t value;
};

struct heap {
	struct heap_item *item; /* item[0] is the smallest; owned */
	size_t n, cap;
};

void heap_push(struct heap *h, int64_t key, uint64_t value);

/* Returns the smallest item; the heap may not be empty. */
const struct heap_item *heap_top(const struct heap *h);

/* Removes the smallest item and returns it; the heap may not be empty. */
struct heap_item heap_pop(struct heap *h);

void heap_fini(struct heap *h);

#endif
