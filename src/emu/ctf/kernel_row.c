/* SPDX-License-Identifier: MIT */
/* Rows of threads in traces of LTTng's kernel tracer, and the facts that such a
 * trace has about threads before they run. */
#include "emu/ctf/kernel.h"

#include <string.h>

#include "base/arena.h"
#include "emu/add.h"
#include "emu/ctf/ctf.h"
#include "emu/placement.h"
#include "emu/state.h"

static uint64_t
key_of(const struct node *node, int64_t tid)
{
	return (uint64_t)(uint32_t)node->index << 32 | (uint32_t)tid;
}

const struct kernel_known *
kernel_known(struct emu *emu, const struct node *node, int64_t tid)
{
	const struct kernel *k = ctf_of(emu)->kernel;
	const uint64_t *at =
		k == NULL ? NULL : map_get(&k->known, key_of(node, tid));

	return at == NULL ? NULL : (struct kernel_known *)(uintptr_t)*at;
}

/* Stores what an event tells about a thread. pid 0, name NULL: nothing new. */
static void
learn(struct emu *emu, int64_t tid, int64_t pid, const char *name)
{
	struct kernel *k = kernel_of(emu);
	const struct process *from = emu->system.process_of[emu->event->stream];
	uint64_t *at = map_put(&k->known, key_of(from->node, tid));
	struct kernel_known *known = (struct kernel_known *)(uintptr_t)*at;

	if (known == NULL) {
		known = ARENA_NEW(emu->arena, struct kernel_known);
		*at = (uint64_t)(uintptr_t)known;
	}
	if (pid != 0)
		known->pid = pid;
	if (name != NULL &&
		(known->name == NULL || strcmp(known->name, name) != 0))
		known->name = intern_name(
			&k->commands, intern_add(&k->commands, name));
}

void
kernel_dumps(struct emu *emu, const struct event *ev)
{
	learn(emu, emu_arg(emu, 0), emu_arg(emu, 1),
		bind_str(emu->binding, ev, 2));
}

void
kernel_forks(struct emu *emu, const struct event *ev)
{
	kernel_dumps(emu, ev);
}

/* Learns the name of a thread that has not run: no other event may tell it. */
void
kernel_wakes(struct emu *emu, const struct event *ev)
{
	int64_t tid = emu_arg(emu, 0);
	const struct process *from = emu->system.process_of[ev->stream];

	if (kernel_known(emu, from->node, tid) == NULL)
		learn(emu, tid, 0, bind_str(emu->binding, ev, 1));
}

/* The thread still runs until the CPU switches to another thread. */
void
kernel_exits(struct emu *emu, const struct event *ev)
{
	const struct cpu *cpu = emu->thread->cpu;
	struct kernel_thread *th = cpu == NULL
		? NULL
		: kernel_running(kernel_of(emu), (uint32_t)cpu->index);

	(void)ev;
	if (th != NULL && th->tid == emu_arg(emu, 0))
		th->dies = true;
}

static struct thread *
row_of(struct emu *emu, const struct kernel_thread *th, const char *command)
{
	struct process *from = emu->system.process_of[emu->event->stream];
	struct thread *row = system_thread(from, th->tid);
	const struct kernel_known *known;

	if (row != NULL)
		return row;
	known = kernel_known(emu, from->node, th->tid);
	if (known != NULL && known->pid > 0)
		from = system_process(
			&emu->system, emu->arena, from->node, known->pid);
	return emu_add_thread(emu, from, th->tid,
		ctf_thread_name(
			emu, command == NULL ? "TH" : command, th->tid));
}

void
kernel_show_rows(struct emu *emu, struct kernel_thread *before,
	struct kernel_thread *after, const char *command)
{
	struct cpu *cpu = emu->thread->cpu;
	bool dies = before != NULL && before->dies;
	/* At the first switch, the CPU is taken from the thread that other
	 * events showed there. After lost events, that thread may be
	 * elsewhere. */
	struct thread *from = before != NULL ? before->row : cpu->running.only;

	if (before == after)
		return;
	if (from != NULL && from->cpu == cpu)
		placement_set(emu, from, dies ? THREAD_DEAD : THREAD_PAUSED,
			dies ? NULL : cpu);
	if (after->tid == 0)
		return;
	if (after->row == NULL)
		after->row = row_of(emu, after, command);
	after->dies = false; /* the kernel reuses tids */
	placement_set(emu, after->row, THREAD_RUNNING, cpu);
}
