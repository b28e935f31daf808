/* SPDX-License-Identifier: MIT */
#include "emu/task_table.h"

#include <string.h>

#include "base/arena.h"
#include "base/bug.h"

#define FIRST_HEADS 16
#define AHEAD 16 /* chains whose first task is fetched before its turn */
#define NEAR 9   /* ids that differ only in these bits are a group */

/* Places groups of ids by a multiplication, as map.c does, and the heads of a
 * group side by side: ids are mostly sequential, so the heads of new tasks lie
 * one behind the other in memory, as the tasks do. Each group begins elsewhere
 * in its part of the heads, so that ids that are multiples of a power of two
 * spread as well. */
static size_t
hash(uint16_t slot, uint32_t id)
{
	uint64_t group = (uint64_t)slot << 32 | id >> NEAR;
	uint64_t spread = group * UINT64_C(0x9e3779b97f4a7c15);
	uint64_t near = (id + (spread >> 20)) & ((1 << NEAR) - 1);

	return (size_t)(spread >> 32 << NEAR | near);
}

static struct task **
head_of(const struct task_table *t, uint16_t slot, uint32_t id)
{
	return &t->head[hash(slot, id) & (t->nheads - 1)];
}

/* Distributes chain i of n to chains i and i + n of 2 n. */
static void
split(struct task_table *t, size_t i, size_t n)
{
	struct task *next, *task = t->head[i];

	t->head[i] = NULL;
	for (; task != NULL; task = next) {
		struct task **head =
			&t->head[i + (hash(task->slot, task->id) & n)];

		next = task->next;
		task->next = *head;
		*head = task;
	}
}

static void
grow(struct task_table *t)
{
	size_t n = t->nheads, more = n == 0 ? FIRST_HEADS : n;

	t->head = mem_resize(t->head, n + more, sizeof *t->head);
	memset(t->head + n, 0, more * sizeof *t->head);
	t->nheads = n + more;
	for (size_t i = 0; i < n; i++) {
		if (i + AHEAD < n)
			__builtin_prefetch(t->head[i + AHEAD], 1);
		split(t, i, n);
	}
}

struct task *
task_table_get(const struct task_table *t, uint16_t slot, uint32_t id)
{
	struct task *task = t->n == 0 ? NULL : *head_of(t, slot, id);

	while (task != NULL && (task->id != id || task->slot != slot))
		task = task->next;
	return task;
}

uint32_t
task_body_key(uint32_t id, uint32_t body)
{
	return id ^ body * UINT32_C(0x85ebca6b);
}

struct task *
task_table_body(
	const struct task_table *t, uint16_t slot, uint32_t id, uint32_t body)
{
	uint32_t want = task_body_key(id, body);
	uint16_t in = slot | TASK_BODY;
	struct task *task = t->n == 0 ? NULL : *head_of(t, in, want);

	for (; task != NULL; task = task->next) {
		const struct task_body *b = (const struct task_body *)task;

		if (task->id == want && task->slot == in && b->of == id &&
			b->body == body)
			break;
	}
	return task;
}

void
task_table_add(struct task_table *t, struct task *task)
{
	struct task **head;

	if (t->n == t->nheads)
		grow(t);
	if ((task->slot & TASK_BODY) == 0 && task->id > t->top)
		t->top = task->id;
	head = head_of(t, task->slot, task->id);
	task->next = *head;
	*head = task;
	t->n++;
}

void
task_table_remove(struct task_table *t, struct task *task)
{
	struct task **at = head_of(t, task->slot, task->id);

	while (*at != task) {
		BUG_ON(*at == NULL);
		at = &(*at)->next;
	}
	*at = task->next;
	t->n--;
}

void
task_table_fini(struct task_table *t)
{
	mem_free(t->head);
	*t = (struct task_table){ 0 };
}

static uint64_t
key_of(const struct task *task)
{
	return (uint64_t)task->slot << 32 | task->id;
}

void
task_ended_add(struct task_ended *e, struct task *of, uint32_t body)
{
	uint64_t *number;

	if (body == 0)
		return;
	if (body <= TASK_ENDED) {
		of->ended |= UINT64_C(1) << (body - 1);
		return;
	}
	number = map_put(&e->number, key_of(of));
	if (*number == 0)
		*number = map_count(&e->number);
	idset_add(&e->bodies, *number << 32 | body);
}

bool
task_ended_has(const struct task_ended *e, const struct task *of, uint32_t body)
{
	const uint64_t *number;

	if (body == 0)
		return false;
	if (body <= TASK_ENDED)
		return (of->ended >> (body - 1) & 1) != 0;
	number = map_get(&e->number, key_of(of));
	return number != NULL && idset_has(&e->bodies, *number << 32 | body);
}

void
task_ended_fini(struct task_ended *e)
{
	map_fini(&e->number);
	idset_fini(&e->bodies);
}
