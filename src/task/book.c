/* SPDX-License-Identifier: MIT */
#include "task/book.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "sim/hook.h"

#define FIRST_SHIFT 55u /* 512 slots: a few dozen tasks rarely collide */
#define SLAB 32u        /* entries allocated at a time */

static void
book_fini(struct task_book *b)
{
	tracers_close(b);
	mem_free(b->slot);
}

static void
set_slots(struct task_book *b, uint32_t shift)
{
	size_t slots = (size_t)1 << (64 - shift);

	b->shift = shift;
	b->most = slots - 1;
	b->slot = mem_resize(NULL, slots, sizeof(struct task_entry *));
	memset(b->slot, 0, slots * sizeof(struct task_entry *));
}

static void
grow(struct task_book *b)
{
	size_t slots = (size_t)1 << (64 - b->shift);
	struct task_entry **old = b->slot;

	set_slots(b, b->shift - 1);
	for (size_t i = 0; i < slots; i++)
		while (old[i] != NULL) {
			struct task_entry *entry = old[i], **slot;

			old[i] = entry->next;
			slot = book_slot(b, entry->task.id);
			entry->next = *slot;
			*slot = entry;
		}
	mem_free(old);
}

__attribute__((noinline, cold)) void
book_refill(struct task_book *b)
{
	struct task_entry *slab =
		ARENA_ARRAY(sim_arena(b->engine), struct task_entry, SLAB);

	for (uint32_t i = SLAB; i-- > 0;) {
		slab[i].next = b->free;
		b->free = &slab[i];
	}
	b->n += SLAB;
	if (b->n > b->most)
		grow(b);
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

/* Returns the wanted entries in the order of start; the caller owns the
 * list. */
static struct task_entry **
sorted(struct task_book *b, size_t *n,
	bool (*wants)(const struct task_entry *entry, uint64_t bits),
	uint64_t bits)
{
	struct task_entry **list = mem_resize(NULL, b->n + 1, sizeof *list);

	*n = 0;
	for (size_t i = 0; i >> (64 - b->shift) == 0; i++)
		for (struct task_entry *entry = b->slot[i]; entry != NULL;
			entry = entry->next)
			if (wants(entry, bits))
				list[(*n)++] = entry;
	qsort(list, *n, sizeof *list, by_start);
	return list;
}

static bool
by_handler(const struct task_entry *entry, uint64_t bits)
{
	(void)bits;
	return (entry->seen & BY_CALLER) == 0;
}

static void
book_open_tasks(struct task_book *b,
	void (*fn)(void *arg, const struct sim_open_task *task), void *arg)
{
	size_t n;
	struct task_entry **list = sorted(b, &n, by_handler, 0);

	for (size_t i = 0; i < n; i++) {
		const struct weft_task *task = &list[i]->task;
		const struct task_entry *parent = book_find(b, task->parent);

		fn(arg,
			&(struct sim_open_task){ .id = task->id,
				.kind = task->kind,
				.what = task->what,
				.domain = task->domain,
				.asker = parent == NULL
					? NULL
					: parent->task.domain });
	}
	mem_free(list);
}

struct task_book *
book_open(struct weft_sim_engine *e)
{
	struct task_book *b = ARENA_NEW(sim_arena(e), struct task_book);

	b->engine = e;
	set_slots(b, FIRST_SHIFT);
	if (sim_core(e)->shared)
		b->maybe = ARENA_ARRAY(sim_arena(e), uint32_t, MAYBE_SLOTS);
	__atomic_store_n(&sim_core(e)->book, b, __ATOMIC_RELEASE);
	sim_core(e)->book_fini = book_fini;
	sim_core(e)->book_open = book_open_tasks;
	weft_sim_at_end(e, tracers_finish, b);
	return b;
}

static bool
is_given(const struct task_entry *entry, uint64_t bits)
{
	return (entry->given & bits) != 0;
}

static bool
is_seen(const struct task_entry *entry, uint64_t bits)
{
	return (entry->seen & bits) != 0;
}

void
book_each(struct task_book *b, uint64_t bits, bool given,
	void (*fn)(void *arg, struct task_entry *entry), void *arg)
{
	size_t n;
	struct task_entry **list =
		sorted(b, &n, given ? is_given : is_seen, bits);

	for (size_t i = 0; i < n; i++)
		fn(arg, list[i]);
	mem_free(list);
}

const struct weft_task *
weft_task_find(struct weft_sim_engine *e, uint64_t id)
{
	struct task_entry *entry;

	sim_take_turn(e);
	entry = book_find(book_of(e), id);
	return entry == NULL ? NULL : &entry->task;
}
