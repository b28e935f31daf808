/* SPDX-License-Identifier: MIT */
#include "emu/ctf/kernel.h"

#include <string.h>

#include "base/arena.h"
#include "emu/change.h"
#include "emu/ctf/ctf.h"
#include "emu/state.h"
#include "emu/view.h"

#define COMMAND_BYTES 15 /* length of a name in the kernel */

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
	map_fini(&k->known);
}

static struct kernel_thread *
find(struct kernel *k, const struct kernel_switch *to)
{
	/* Each CPU has its own idle thread, and all of them have tid 0. */
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

/* Returns the number of the command that the thread runs, which is usually
 * unchanged. */
static int64_t
command_of(struct kernel *k, struct kernel_thread *th, const char *command)
{
	if (th->command == NULL || strcmp(th->command, command) != 0) {
		th->number = intern_add(&k->commands, command);
		th->command = intern_name(&k->commands, th->number);
	}
	return KERNEL_COMMANDS + th->number;
}

struct kernel_thread *
kernel_run(struct kernel *k, const struct kernel_switch *to)
{
	struct kernel_thread *th = find(k, to);

	while ((uint32_t)k->running.n <= to->cpu)
		VEC_PUSH(&k->running, k->arena, NULL);
	k->running.at[to->cpu] = th;
	if (to->tid == 0)
		return th;
	if (to->traced != NULL &&
		strncmp(to->command, to->traced, COMMAND_BYTES) == 0) {
		th->preempted.at[0] = th->calls.at[0] = KERNEL_TRACED;
	} else {
		th->preempted.at[0] = command_of(k, th, to->command);
		th->calls.at[0] = k->rows ? KERNEL_TRACED : KERNEL_OTHER;
	}
	return th;
}

struct kernel_thread *
kernel_running(const struct kernel *k, uint32_t cpu)
{
	return cpu < (uint32_t)k->running.n ? k->running.at[cpu] : NULL;
}

void
kernel_lose(struct kernel *k, uint32_t cpu)
{
	if (cpu < (uint32_t)k->running.n)
		k->running.at[cpu] = NULL;
}

int64_t
kernel_call(struct kernel *k, const char *name)
{
	return KERNEL_CALLS + (int64_t)intern_add(&k->calls, name);
}

const char *
kernel_call_name(const struct event_class *class)
{
	const char *name = class->name;
	int skip = strncmp(name, "compat_", 7) == 0 ? 3 : 2;

	for (; skip > 0 && name != NULL; skip--) {
		name = strchr(name, '_');
		name = name == NULL ? NULL : name + 1;
	}
	return name == NULL ? class->name : name;
}

/* Returns true if switches name threads as LTTng does, not as perf does for
 * Nanos6, whose trace has only its own threads. */
static bool
has_rows(const struct trace *t)
{
	if (t->whole_system)
		return true;
	for (int i = 0; i < t->classes.n; i++)
		if (strcmp(t->classes.at[i].name, "sched_switch") == 0)
			return trace_class_field(
				       &t->classes.at[i], "next_tid") >= 0;
	return false;
}

static struct kernel *__attribute__((noinline, cold))
make_kernel(struct emu *emu)
{
	struct ctf *c = ctf_of(emu);

	c->kernel = ARENA_NEW(emu->arena, struct kernel);
	kernel_init(c->kernel, emu->arena);
	c->kernel->rows = has_rows(emu->trace);
	return c->kernel;
}

struct kernel *
kernel_of(struct emu *emu)
{
	struct ctf *c = emu->ctf;

	if (__builtin_expect(c == NULL || c->kernel == NULL, 0))
		return make_kernel(emu);
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

/* Returns the name of the traced program; NULL for LTTng, which traces all. */
static const char *
traced(struct emu *emu)
{
	const struct trace_part *part =
		emu->trace->streams.at[emu->event->stream].part;
	const struct trace_env *e =
		kernel_of(emu)->rows ? NULL : trace_env(part, "binary_name");

	return e == NULL ? NULL : e->text;
}

/* Sets a channel of the CPU, if its rows are shown. */
static void
show(struct emu *emu, int chan, int64_t value)
{
	struct holder *own = emu->thread->cpu->own;

	if (!emu->quiet && own != NULL)
		emu_set_of(emu, own, ctf_chan(emu, chan),
			value == 0 ? VALUE_NONE : value);
}

/* Labels the thread's value, unless it is the idle thread. */
static void
label(struct emu *emu, const struct kernel_thread *th, const char *command)
{
	int64_t whose = th->preempted.at[0];

	if (whose == KERNEL_TRACED) {
		view_label(emu, ctf_chan(emu, KERNEL_PREEMPTIONS), whose,
			traced(emu));
		view_label(emu, ctf_chan(emu, KERNEL_SYSCALLS), whose,
			traced(emu));
	} else if (whose >= KERNEL_COMMANDS) {
		view_label(
			emu, ctf_chan(emu, KERNEL_PREEMPTIONS), whose, command);
	}
}

/* Switches the CPU to a thread, and labels it if its name is new. */
static struct kernel_thread *
run(struct emu *emu, const struct cpu *cpu, const char *command)
{
	struct kernel *k = kernel_of(emu);
	struct kernel_thread *th = kernel_run(k,
		&(struct kernel_switch){ .cpu = (uint32_t)cpu->index,
			.node = (uint32_t)cpu->node->index,
			.tid = emu_arg(emu, 0),
			.command = command == NULL ? "" : command,
			.traced = traced(emu) });

	if (th->labelled != th->preempted.at[0])
		label(emu, th, command);
	th->labelled = th->preempted.at[0];
	return th;
}

void
kernel_switches(struct emu *emu, const struct event *ev)
{
	const char *command = bind_str(emu->binding, ev, 1);
	const struct cpu *cpu = emu->thread->cpu;
	struct kernel_thread *th, *before;

	if (cpu == NULL)
		return;
	before = kernel_running(kernel_of(emu), (uint32_t)cpu->index);
	th = run(emu, cpu, command);
	if (kernel_of(emu)->rows)
		kernel_show_rows(emu, before, th, command);
	show(emu, KERNEL_TID, th->tid);
	show(emu, KERNEL_PREEMPTIONS, th->preempted.at[th->preempted.n - 1]);
	show(emu, KERNEL_SYSCALLS, th->calls.at[th->calls.n - 1]);
}

/* Drops an interrupt of the same kind whose end LTTng may have lost: interrupts
 * of one kind do not nest. */
static void
leave_stale(const struct kernel *k, struct kernel_thread *th, int64_t value)
{
	for (int i = 1; i < th->preempted.n && k->rows; i++)
		if (th->preempted.at[i] == value)
			th->preempted.n = i;
}

static void
begin_preempt(struct emu *emu, int64_t value)
{
	struct kernel_thread *th = running(emu);

	if (th == NULL)
		return;
	leave_stale(kernel_of(emu), th, value);
	VEC_PUSH(&th->preempted, emu->arena, value);
	show(emu, KERNEL_PREEMPTIONS, value);
}

/* Ends an interrupt, if it is on top: one that began before the trace is
 * not. */
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

/* Returns the number of the system call of an event class; labels it the first
 * time. */
static int64_t
call_of(struct emu *emu, const struct event *ev)
{
	struct kernel *k = kernel_of(emu);
	const char *name;
	int64_t call;

	if (__builtin_expect(ev->class < (uint32_t)k->call_of.n, 1) &&
		k->call_of.at[ev->class] != 0)
		return k->call_of.at[ev->class];
	name = kernel_call_name(&emu->trace->classes.at[ev->class]);
	call = kernel_call(k, name);
	while ((uint32_t)k->call_of.n <= ev->class)
		VEC_PUSH(&k->call_of, emu->arena, 0);
	k->call_of.at[ev->class] = call;
	view_label(emu, ctf_chan(emu, KERNEL_SYSCALLS), call, name);
	if (k->rows)
		view_label(emu, ctf_chan(emu, KERNEL_SYSCALLS), KERNEL_TRACED,
			"No system call");
	return call;
}

void
kernel_call_begin(struct emu *emu, const struct event *ev)
{
	struct kernel_thread *th = running(emu);
	int64_t call = call_of(emu, ev);

	if (th == NULL)
		return;
	/* A thread is in one system call at a time. If an earlier one is still
	 * open, LTTng has lost its end, or the call has no end (exit). */
	if (kernel_of(emu)->rows)
		th->calls.n = 1;
	VEC_PUSH(&th->calls, emu->arena, call);
	show(emu, KERNEL_SYSCALLS, call);
}

void
kernel_call_end(struct emu *emu, const struct event *ev)
{
	struct kernel_thread *th = running(emu);
	int64_t call = call_of(emu, ev);

	if (th == NULL || th->calls.at[th->calls.n - 1] != call)
		return;
	th->calls.n--;
	show(emu, KERNEL_SYSCALLS, th->calls.at[th->calls.n - 1]);
}
