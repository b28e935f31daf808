/* SPDX-License-Identifier: MIT */
#include "emu/ctf/kernel.h"

#include <string.h>

#include "base/arena.h"
#include "emu/ctf/thread.h"
#include "emu/state.h"
#include "emu/view.h"

#define COMMAND_BYTES 15 /* what the kernel keeps of a name */

void
kernel_init(struct kernel *k, struct arena *a)
{
	*k = (struct kernel){ .arena = a };
	intern_init(&k->commands, a);
	intern_init(&k->calls, a);
}

void
kernel_fini(struct kernel *k)
{
	map_fini(&k->threads);
	map_fini(&k->running);
}

static struct kernel_thread *
find(struct kernel *k, const struct kernel_switch *to)
{
	/* Each CPU has an idle thread, and all of them are number 0. */
	uint64_t owner = to->tid == 0 ? UINT64_C(1) << 31 | to->cpu : to->node;
	uint64_t *at = map_put(&k->threads, owner << 32 | (uint32_t)to->tid);
	struct kernel_thread *th = (struct kernel_thread *)(uintptr_t)*at;

	if (th != NULL)
		return th;
	th = ARENA_NEW(k->arena, struct kernel_thread);
	th->tid = to->tid;
	VEC_PUSH(&th->preempted, k->arena, KERNEL_IDLE);
	VEC_PUSH(&th->calls, k->arena, KERNEL_IDLE);
	*at = (uint64_t)(uintptr_t)th;
	return th;
}

struct kernel_thread *
kernel_run(struct kernel *k, const struct kernel_switch *to)
{
	struct kernel_thread *th = find(k, to);

	*map_put(&k->running, to->cpu) = (uint64_t)(uintptr_t)th;
	if (to->tid == 0)
		return th;
	if (to->traced != NULL &&
		strncmp(to->command, to->traced, COMMAND_BYTES) == 0) {
		th->preempted.at[0] = th->calls.at[0] = KERNEL_TRACED;
	} else {
		th->preempted.at[0] =
			KERNEL_COMMANDS + intern_add(&k->commands, to->command);
		th->calls.at[0] = KERNEL_OTHER;
	}
	return th;
}

struct kernel_thread *
kernel_running(const struct kernel *k, uint32_t cpu)
{
	const uint64_t *at = map_get(&k->running, cpu);

	return at == NULL ? NULL : (struct kernel_thread *)(uintptr_t)*at;
}

int64_t
kernel_call(struct kernel *k, const char *name)
{
	return KERNEL_CALLS + (int64_t)intern_add(&k->calls, name);
}

const char *
kernel_call_name(const struct event_class *class)
{
	const char *name = strchr(class->name, '_');

	name = name == NULL ? NULL : strchr(name + 1, '_');
	return name == NULL ? class->name : name + 1;
}

static struct kernel *
kernel_of(struct emu *emu)
{
	struct ctf *c = ctf_of(emu);

	if (c->kernel == NULL) {
		c->kernel = ARENA_NEW(emu->arena, struct kernel);
		kernel_init(c->kernel, emu->arena);
	}
	return c->kernel;
}

static struct kernel_thread *
running(struct emu *emu)
{
	const struct cpu *cpu = emu->thread->cpu;

	return cpu == NULL
		? NULL
		: kernel_running(kernel_of(emu), (uint32_t)cpu->index);
}

static const char *
traced(const struct emu *emu)
{
	const struct trace_part *part =
		emu->trace->streams.at[emu->event->stream].part;
	const struct trace_env *e = trace_env(part, "binary_name");

	return e == NULL ? NULL : e->text;
}

static void
show(struct emu *emu, int chan, int64_t value)
{
	emu_set(emu, ctf_chan(emu, chan), value == 0 ? VALUE_NONE : value);
}

void
kernel_switches(struct emu *emu, const struct event *ev)
{
	const char *command = bind_str(emu->binding, ev, 1);
	const struct cpu *cpu = emu->thread->cpu;
	const struct kernel_thread *th;
	int64_t whose;

	if (cpu == NULL)
		return;
	th = kernel_run(kernel_of(emu),
		&(struct kernel_switch){ .cpu = (uint32_t)cpu->index,
			.node = (uint32_t)cpu->node->index,
			.tid = emu_arg(emu, 0),
			.command = command == NULL ? "" : command,
			.traced = traced(emu) });
	whose = th->preempted.at[0];
	if (whose == KERNEL_TRACED) {
		view_label(emu, ctf_chan(emu, KERNEL_PREEMPTIONS), whose,
			traced(emu));
		view_label(emu, ctf_chan(emu, KERNEL_SYSCALLS), whose,
			traced(emu));
	} else if (whose >= KERNEL_COMMANDS) {
		view_label(
			emu, ctf_chan(emu, KERNEL_PREEMPTIONS), whose, command);
	}
	show(emu, KERNEL_TID, th->tid);
	show(emu, KERNEL_PREEMPTIONS, th->preempted.at[th->preempted.n - 1]);
	show(emu, KERNEL_SYSCALLS, th->calls.at[th->calls.n - 1]);
}

static void
begin_preempt(struct emu *emu, int64_t value)
{
	struct kernel_thread *th = running(emu);

	if (th == NULL)
		return;
	VEC_PUSH(&th->preempted, emu->arena, value);
	show(emu, KERNEL_PREEMPTIONS, value);
}

/* What began before the trace did is not on top. */
static void
end_preempt(struct emu *emu, int64_t value)
{
	struct kernel_thread *th = running(emu);

	if (th == NULL || th->preempted.at[th->preempted.n - 1] != value)
		return;
	th->preempted.n--;
	show(emu, KERNEL_PREEMPTIONS, th->preempted.at[th->preempted.n - 1]);
}

void
kernel_irq_begin(struct emu *emu, const struct event *ev)
{
	(void)ev;
	begin_preempt(emu, KERNEL_IRQ);
}

void
kernel_irq_end(struct emu *emu, const struct event *ev)
{
	(void)ev;
	end_preempt(emu, KERNEL_IRQ);
}

void
kernel_soft_begin(struct emu *emu, const struct event *ev)
{
	(void)ev;
	begin_preempt(emu, KERNEL_SOFT_IRQ);
}

void
kernel_soft_end(struct emu *emu, const struct event *ev)
{
	(void)ev;
	end_preempt(emu, KERNEL_SOFT_IRQ);
}

static int64_t
call_of(struct emu *emu, const struct event *ev, const char **name)
{
	*name = kernel_call_name(&emu->trace->classes.at[ev->class]);
	return kernel_call(kernel_of(emu), *name);
}

void
kernel_call_begin(struct emu *emu, const struct event *ev)
{
	struct kernel_thread *th = running(emu);
	const char *name;
	int64_t call = call_of(emu, ev, &name);

	if (th == NULL)
		return;
	view_label(emu, ctf_chan(emu, KERNEL_SYSCALLS), call, name);
	VEC_PUSH(&th->calls, emu->arena, call);
	show(emu, KERNEL_SYSCALLS, call);
}

void
kernel_call_end(struct emu *emu, const struct event *ev)
{
	struct kernel_thread *th = running(emu);
	const char *name;
	int64_t call = call_of(emu, ev, &name);

	if (th == NULL || th->calls.at[th->calls.n - 1] != call)
		return;
	th->calls.n--;
	show(emu, KERNEL_SYSCALLS, th->calls.at[th->calls.n - 1]);
}
