/* SPDX-License-Identifier: MIT */
#include "sim/queue.h"

#include "base/arena.h"

#define FIRST_ITEMS 64

void
queue_grow(struct queue *q)
{
	q->cap = q->cap == 0 ? FIRST_ITEMS : 2 * q->cap;
	q->item = mem_resize(q->item, q->cap, sizeof *q->item);
}

void
queue_fini(struct queue *q)
{
	mem_free(q->item);
	*q = (struct queue){ 0 };
}
