/* SPDX-License-Identifier: MIT */
#include "emu/ctf/lock.h"

#include "base/arena.h"
#include "emu/ctf/ctf.h"
#include "emu/state.h"
#include "export/sink.h"

#define SERVED 1 /* kind of the links: Paraver's tag */

/* Which thread gave a task away, until the task arrives. */
struct assigned {
	int64_t time;
	uint32_t thread_row, cpu_row;
};

static uint64_t
key(const struct emu *emu, uint32_t id)
{
	const struct process *p = emu->system.process_of[emu->event->stream];

	return (uint64_t)(p - emu->system.processes) << 32 | id;
}

void
ctf_lock_assign(struct emu *emu, const struct event *ev)
{
	struct ctf *c = ctf_of(emu);
	uint64_t *at = map_put(&c->assigned, key(emu, emu_arg_u32(emu, 0)));
	struct assigned *by = (struct assigned *)(uintptr_t)*at;

	(void)ev;
	if (c->pool.arena == NULL)
		pool_init(&c->pool, emu->arena, sizeof *by);
	if (by == NULL)
		by = pool_get(&c->pool);
	by->time = emu->now;
	by->thread_row = emu->thread->has.row;
	by->cpu_row =
		emu->thread->cpu == NULL ? ROW_NONE : emu->thread->cpu->row;
	*at = (uint64_t)(uintptr_t)by;
}

/* Tells sinks what the links mean, before the first one. */
static void
put_kind(struct emu *emu)
{
	static const struct link_kind served = { SERVED,
		"scheduler: task served", LINK_MESSAGE };

	if (!ctf_of(emu)->has_link_kind)
		sink_link_kind(emu->sink, &served);
	ctf_of(emu)->has_link_kind = true;
}

void
ctf_lock_client(struct emu *emu, const struct event *ev)
{
	struct map *assigned = &ctf_of(emu)->assigned;
	uint64_t k = key(emu, emu_arg_u32(emu, 1));
	uint64_t *at = map_get(assigned, k);
	struct assigned *by;
	struct link link = { .to_time = emu->now, .kind = SERVED, .id = 1 };

	(void)ev;
	if (at == NULL || emu->thread->cpu == NULL)
		return;
	by = (struct assigned *)(uintptr_t)*at;
	put_kind(emu);
	link.from_time = by->time;
	link.from_row = by->thread_row;
	link.to_row = emu->thread->has.row;
	if (emu->thread->state == THREAD_RUNNING)
		sink_link(emu->sink, &link);
	link.from_row = by->cpu_row;
	link.to_row = emu->thread->cpu->row;
	if (link.from_row != ROW_NONE)
		sink_link(emu->sink, &link);
	map_remove(assigned, k);
	pool_put(&ctf_of(emu)->pool, by);
}
