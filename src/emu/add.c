/* SPDX-License-Identifier: MIT */
#include "emu/add.h"

#include "emu/state.h"
#include "emu/view.h"

bool
add_has_chans(const struct emu *emu, enum chan_owner of)
{
	for (int i = 0; i < emu->chans.n; i++)
		if (emu->chans.at[i].def->of == of)
			return true;
	return false;
}

void
add_start_values(const struct emu *emu, struct holder *of)
{
	for (int i = 0; i < emu->chans.n; i++)
		chan_init(&of->chan[i], emu->chans.at[i].def);
}

struct thread *
emu_add_thread(
	struct emu *emu, struct process *process, int64_t tid, const char *name)
{
	struct thread *th =
		system_add_thread(&emu->system, emu->arena, process, tid, name);

	add_start_values(emu, &th->has);
	view_add_thread(emu, th);
	return th;
}

struct cpu *
emu_add_cpu(struct emu *emu, struct node *node, const char *name)
{
	struct cpu *cpu = system_add_cpu(&emu->system, emu->arena, node, name);

	view_add_cpu(emu, cpu);
	return cpu;
}

void
add_process(struct emu *emu, struct process *p)
{
	if (p->own != NULL || !add_has_chans(emu, CHAN_OF_PROCESS))
		return;
	system_own_process(&emu->system, emu->arena, p);
	add_start_values(emu, p->own);
	view_add_process(emu, p);
}
