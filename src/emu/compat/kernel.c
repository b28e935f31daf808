/* SPDX-License-Identifier: MIT */
#include "emu/ctf/kernel.h"

#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "emu/compat/state.h"
#include "emu/models/models.h"
#include "export/sink.h"

#define DEFS "nanos6_kerneldefs.json"
#define DEFS_MAX (16u << 20) /* bytes; the file has 1.5 million */

/* Numbers the system calls by the order of all tracepoints, which the file
 * lists in lines of "sys_enter_NAME": {. */
static void
number_calls(struct compat *c, const char *file)
{
	static const char begin[] = "\"sys_enter_";
	struct arena scratch = { 0 };
	size_t size;
	char *at =
		file_read(&scratch, file, DEFS_MAX, &size, &(struct err){ 0 });

	while (at != NULL && (at = strstr(at, begin)) != NULL) {
		size_t n = strcspn(at += sizeof begin - 1, "\"");

		if (strncmp(at + n, "\": {", 4) == 0)
			kernel_call(c->kernel, arena_strndup(c->arena, at, n));
		at += n;
	}
	arena_fini(&scratch);
}

void
compat_kernel_open(struct compat *c)
{
	c->kernel = ARENA_NEW(c->arena, struct kernel);
	kernel_init(c->kernel, c->arena);
	for (int i = 0; i < c->ranks.n; i++)
		number_calls(c,
			arena_printf(c->arena, "%s/../../" DEFS,
				c->ranks.at[i]->part->path));
	c->kernel_type = compat_declare(c, &model_linux);
}

static void
put(struct compat *c, int chan, int64_t value)
{
	compat_put(c, c->time, c->kernel_type + (uint32_t)chan, value);
}

static void
switches(struct compat *c)
{
	const struct trace_env *e =
		trace_env(c->stream->rank->part, "binary_name");
	const char *command = bind_str(c->class->call, c->event, 1);
	const struct kernel_thread *th = kernel_run(c->kernel,
		&(struct kernel_switch){ .cpu = c->row,
			.tid = compat_arg(c, 0),
			.command = command == NULL ? "" : command,
			.traced = e == NULL ? NULL : e->text });
	int64_t whose = th->preempted.at[0];

	put(c, KERNEL_TID, th->tid);
	put(c, KERNEL_PREEMPTIONS, th->preempted.at[th->preempted.n - 1]);
	put(c, KERNEL_SYSCALLS, th->calls.at[th->calls.n - 1]);
	if (whose != KERNEL_IDLE && command != NULL)
		sink_label(c->sink, c->kernel_type + KERNEL_PREEMPTIONS, whose,
			command, MEANS_OVERHEAD);
}

static void
begin_preempt(struct compat *c, struct kernel_thread *th, int64_t value)
{
	VEC_PUSH(&th->preempted, c->arena, value);
	put(c, KERNEL_PREEMPTIONS, value);
}

static void
end_preempt(struct compat *c, struct kernel_thread *th, int64_t value)
{
	if (th->preempted.at[th->preempted.n - 1] != value)
		return;
	th->preempted.n--;
	put(c, KERNEL_PREEMPTIONS, th->preempted.at[th->preempted.n - 1]);
}

static void
call(struct compat *c, struct kernel_thread *th, bool begins)
{
	const char *name =
		kernel_call_name(&c->source->trace.classes.at[c->event->class]);
	int64_t value = kernel_call(c->kernel, name);

	if (begins) {
		sink_label(c->sink, c->kernel_type + KERNEL_SYSCALLS, value,
			name, MEANS_IO);
		VEC_PUSH(&th->calls, c->arena, value);
	} else if (th->calls.at[th->calls.n - 1] == value) {
		th->calls.n--;
	} else {
		return;
	}
	put(c, KERNEL_SYSCALLS, th->calls.at[th->calls.n - 1]);
}

void
compat_kernel_event(struct compat *c)
{
	event_fn *what = c->class->call->call;
	struct kernel_thread *th = kernel_running(c->kernel, c->row);

	if (what == kernel_switches)
		switches(c);
	else if (th == NULL)
		return;
	else if (what == kernel_irq_begin)
		begin_preempt(c, th, KERNEL_IRQ);
	else if (what == kernel_irq_end)
		end_preempt(c, th, KERNEL_IRQ);
	else if (what == kernel_soft_begin)
		begin_preempt(c, th, KERNEL_SOFT_IRQ);
	else if (what == kernel_soft_end)
		end_preempt(c, th, KERNEL_SOFT_IRQ);
	else
		call(c, th, what == kernel_call_begin);
}

void
compat_kernel_close(struct compat *c)
{
	if (c->kernel != NULL)
		kernel_fini(c->kernel);
}
