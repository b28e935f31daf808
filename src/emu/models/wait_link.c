/* SPDX-License-Identifier: MIT */
#include "emu/models/wait_link.h"

#include "export/sink.h"

struct moment
wait_moment(const struct emu *emu)
{
	const struct cpu *cpu = emu->thread->cpu;

	return (struct moment){ emu->now, emu->thread->has.row,
		cpu == NULL ? ROW_NONE : cpu->row };
}

/* Tells sinks what the links mean, before the first one of the kind. */
static void
put_kind(struct emu *emu, int kind)
{
	static const struct link_kind kinds[LINK_KINDS] = {
		[LINK_LOCK] = { 1, "wait: lock handed over", LINK_UNLOCK },
		[LINK_CONDITION] = { 2, "wait: condition signalled",
			LINK_WAKEUP },
		[LINK_SEMAPHORE] = { 3, "wait: semaphore posted", LINK_WAKEUP },
		[LINK_BARRIER] = { 4, "wait: last thread at the barrier",
			LINK_WAKEUP },
		[LINK_END] = { 5, "wait: end of the thread", LINK_WAKEUP },
		[LINK_MADE] = { 6, "wait: thread or process made",
			LINK_CREATE },
		[LINK_WOKEN] = { 9, "kernel: thread woken", LINK_WAKEUP },
		[LINK_FORK] = { 10, "openmp: parallel region begins",
			LINK_CREATE },
		[LINK_TASK] = { 11, "openmp: task created", LINK_CREATE },
		[LINK_FUTEX] = { 12, "wait: futex woken", LINK_WAKEUP },
		[LINK_OWNER] = { 13, "wait: still held at the end", LINK_HOLD },
	};

	if (!wait_state(emu)->has_kind[kind])
		sink_link_kind(emu->sink, &kinds[kind]);
	emu->wait->has_kind[kind] = true;
}

void
wait_link(struct emu *emu, struct moment from, int kind, int64_t id)
{
	struct moment to = wait_moment(emu);
	struct link link = { .from_time = from.time,
		.to_time = to.time,
		.from_row = from.thread_row,
		.to_row = to.thread_row,
		.kind = kind,
		.id = id };

	put_kind(emu, kind);
	sink_link(emu->sink, &link);
	link.from_row = from.cpu_row;
	link.to_row = to.cpu_row;
	if (from.cpu_row != ROW_NONE && to.cpu_row != ROW_NONE)
		sink_link(emu->sink, &link);
}

void
wait_link_between(struct emu *emu, int64_t from, uint32_t from_row, int64_t to,
	const struct thread *th, int kind)
{
	struct link link = { .from_time = from,
		.to_time = to,
		.from_row = from_row,
		.to_row = th->has.row,
		.kind = kind,
		.id = th->tid };

	put_kind(emu, kind);
	sink_link(emu->sink, &link);
}

void
wait_link_keep(struct emu *emu, uint32_t id)
{
	struct wait *w = emu->wait;
	struct moment *m;

	if (w == NULL || w->regions == NULL)
		return;
	if (w->moment.arena == NULL)
		pool_init(&w->moment, emu->arena, sizeof *m);
	m = pool_get(&w->moment);
	*m = wait_moment(emu);
	*map_put(&w->made, wait_key(emu, id)) = (uint64_t)(uintptr_t)m;
}

void
wait_link_kept(struct emu *emu, uint32_t id, int kind)
{
	struct wait *w = emu->wait;
	const uint64_t *at =
		w == NULL ? NULL : map_get(&w->made, wait_key(emu, id));
	struct moment *m;

	if (at == NULL)
		return;
	m = (struct moment *)(uintptr_t)*at;
	wait_link(emu, *m, kind, id);
	map_remove(&w->made, wait_key(emu, id));
	pool_put(&w->moment, m);
}
