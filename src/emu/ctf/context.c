/* SPDX-License-Identifier: MIT */
#include "emu/ctf/context.h"

#include <string.h>

#include "base/arena.h"
#include "emu/add.h"
#include "emu/ctf/ctf.h"
#include "emu/ctf/kernel.h"
#include "emu/placement.h"
#include "emu/state.h"

struct context_fields
context_fields_find(const struct event_class *c)
{
	struct context_fields f = { .known = true };
	int own = trace_class_field(c, "event.fields");

	if (own < 0)
		own = c->nfields;
	for (int i = own - 1; i >= 0; i--) {
		const char *name = c->field[i].name;

		if (name == NULL)
			continue;
		if (strcmp(name, "vtid") == 0 && c->field[i].type <= FIELD_I64)
			f.vtid = i + 1;
		if (strcmp(name, "vpid") == 0 && c->field[i].type <= FIELD_I64)
			f.vpid = i + 1;
		if (strcmp(name, "procname") == 0 &&
			c->field[i].type == FIELD_STR)
			f.procname = i + 1;
	}
	return f;
}

static const struct context_fields *
fields_of(struct emu *emu, struct contexts *c, uint32_t class)
{
	while ((uint32_t)c->fields.n <= class)
		(void)VEC_ADD(&c->fields, emu->arena);
	if (!c->fields.at[class].known)
		c->fields.at[class] =
			context_fields_find(&emu->trace->classes.at[class]);
	return &c->fields.at[class];
}

static struct context_last *
last_of(struct emu *emu, struct contexts *c, uint32_t stream)
{
	const struct stream *s = &emu->trace->streams.at[stream];
	struct context_last *last;

	while ((uint32_t)c->last.n <= stream)
		(void)VEC_ADD(&c->last, emu->arena);
	last = &c->last.at[stream];
	if (last->cpu == NULL && s->cpu >= 0)
		last->cpu = system_phys(
			emu->system.process_of[stream]->node, s->cpu);
	return last;
}

static struct thread *
make(struct emu *emu, const struct event *ev, const struct context_fields *f,
	struct process *process, int64_t vtid)
{
	const char *name =
		f->procname > 0 ? ev->value[f->procname - 1].s : NULL;
	const struct kernel_known *known =
		kernel_known(emu, process->node, vtid);

	if (name == NULL && known != NULL)
		name = known->name;
	return emu_add_thread(emu, process, vtid,
		ctf_thread_name(emu, name == NULL ? "TH" : name, vtid));
}

static struct thread *
find(struct emu *emu, const struct event *ev, const struct context_fields *f,
	struct context_last *last)
{
	int64_t vtid = ev->value[f->vtid - 1].i;
	int64_t vpid = f->vpid > 0 ? ev->value[f->vpid - 1].i : 0;
	struct process *process = emu->system.process_of[ev->stream];

	if (last->thread != NULL && last->vtid == vtid && last->vpid == vpid)
		return last->thread;
	if (vpid > 0)
		process = system_process(
			&emu->system, emu->arena, process->node, vpid);
	last->vtid = vtid;
	last->vpid = vpid;
	last->process = process;
	add_process(emu, process);
	last->thread = system_thread(process, vtid);
	if (last->thread == NULL)
		last->thread = make(emu, ev, f, process, vtid);
	last->thread->met = true;
	return last->thread;
}

/* Puts the thread on the node's virtual CPU: the real one is not known. */
static void
place_anywhere(struct emu *emu, struct thread *th)
{
	struct node *node = th->process->node;

	if (node->any == NULL)
		node->any = emu_add_cpu(emu, node,
			arena_printf(emu->arena, "vCPU %d.*", node->index));
	placement_set(emu, th, THREAD_RUNNING, node->any);
}

bool
context_has_switches(const struct emu *emu)
{
	return emu->ctf != NULL && emu->ctf->kernel != NULL &&
		emu->ctf->kernel->rows;
}

static void
place(struct emu *emu, struct thread *th, struct cpu *cpu)
{
	struct thread *other = cpu == NULL ? NULL : cpu->running.only;

	if (other == th || (th->cpu != NULL && context_has_switches(emu)))
		return;
	if (cpu == NULL || (other != NULL && context_has_switches(emu))) {
		place_anywhere(emu, th);
		return;
	}
	if (other != NULL)
		place_anywhere(emu, other);
	placement_set(emu, th, THREAD_RUNNING, cpu);
}

struct process *
context_process(struct emu *emu, uint32_t stream)
{
	return last_of(emu, &ctf_of(emu)->contexts, stream)->process;
}

struct thread *
context_sender(struct emu *emu, const struct event *ev)
{
	struct contexts *c = &ctf_of(emu)->contexts;
	const struct context_fields *f = fields_of(emu, c, ev->class);
	struct context_last *last;
	struct thread *th;

	if (f->vtid == 0 || ev->value == NULL)
		return NULL;
	last = last_of(emu, c, ev->stream);
	th = find(emu, ev, f, last);
	place(emu, th, last->cpu);
	return th;
}
