/* SPDX-License-Identifier: MIT */
#include "task/book.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "sim/hook.h"

#define OPEN_ROOM 192 /* 4 KiB: that a few dozen open tasks do not collide */

static void
book_fini(struct task_book *b)
{
	map_fini(&b->open);
}

struct task_book *
book_open(struct weft_sim_engine *e)
{
	struct task_book *b = ARENA_NEW(sim_arena(e), struct task_book);

	b->engine = e;
	map_reserve(&b->open, OPEN_ROOM);
	pool_init(&b->pool, sim_arena(e), sizeof(struct task_entry));
	sim_core(e)->book = b;
	sim_core(e)->book_fini = book_fini;
	weft_sim_at_end(e, tracers_finish, b);
	return b;
}

static int
by_start(const void *pa, const void *pb)
{
	const struct weft_task *a = *(struct weft_task *const *)pa,
			       *b = *(struct weft_task *const *)pb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->id < b->id ? -1 : a->id > b->id;
}

void
book_each(struct task_book *b, uint64_t bits, bool given,
	void (*fn)(void *arg, struct task_entry *entry), void *arg)
{
	struct task_entry **list =
		mem_resize(NULL, map_count(&b->open) + 1, sizeof *list);
	size_t pos = 0, n = 0;
	uint64_t id, value;

	while (map_next(&b->open, &pos, &id, &value)) {
		struct task_entry *entry = (void *)(uintptr_t)value;

		if (((given ? entry->given : entry->seen) & bits) != 0)
			list[n++] = entry;
	}
	qsort(list, n, sizeof *list, by_start);
	for (size_t i = 0; i < n; i++)
		fn(arg, list[i]);
	mem_free(list);
}

const struct weft_task *
weft_task_find(struct weft_sim_engine *e, uint64_t id)
{
	struct task_entry *entry = book_find(book_of(e), id);

	return entry == NULL ? NULL : &entry->task;
}
