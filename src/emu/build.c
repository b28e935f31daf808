/* SPDX-License-Identifier: MIT */
#include "emu/build.h"

#include <inttypes.h>

#include "emu/state.h"

#define ROWS_BYTES (40u << 20)

static bool
has_chans_of(const struct emu *emu, enum chan_owner of)
{
	for (int i = 0; i < emu->chans.n; i++)
		if (emu->chans.at[i].def->of == of)
			return true;
	return false;
}

/*
 * Every row has a place for every channel. A few bytes of metadata can ask for
 * many of both: what that may take is bounded by the size of the trace.
 */
static bool
fits_memory(struct emu *emu, struct err *err)
{
	const struct trace *t = emu->trace;
	uint64_t done, total, need, rows = (uint64_t)t->threads.n;
	uint64_t chans = (uint64_t)emu->chans.n;
	bool own = has_chans_of(emu, CHAN_OF_CPU) || t->by_cpu;
	uint64_t holders = own ? 2 : 1;

	if (has_chans_of(emu, CHAN_OF_PROCESS))
		rows += (uint64_t)(t->processes.n + t->parts.n);
	for (int i = 0; i < t->nodes.n; i++)
		rows += ((uint64_t)t->nodes.at[i].cpus.n + 1) * holders;
	need = rows * chans * (sizeof(struct chan) + sizeof(struct shown));
	source_progress(emu->source, &done, &total);
	if (need <= ROWS_BYTES + total * 2)
		return true;
	return err_set(err, ERR_LIMIT,
		"%s: %" PRIu64 " threads and CPUs with %" PRIu64
		" channels each would take %" PRIu64
		" MiB, more than a trace of this size may",
		t->path, rows, chans, need >> 20);
}

void
build_thread(const struct emu *emu, struct thread *th)
{
	for (int i = 0; i < emu->chans.n; i++)
		chan_init(&th->chan[i], emu->chans.at[i].def);
}

static void
start_values(struct emu *emu)
{
	struct system *sys = &emu->system;

	for (int i = 0; i < sys->nthreads; i++)
		build_thread(emu, &sys->threads[i]);
	for (int i = 0; i < sys->ncpus && sys->cpus[i].self != NULL; i++)
		build_thread(emu, sys->cpus[i].self);
	for (int i = 0; i < sys->nprocesses; i++)
		if (sys->processes[i].self != NULL)
			build_thread(emu, sys->processes[i].self);
	if (sys->self != NULL)
		build_thread(emu, sys->self);
}

bool
build_system(struct emu *emu, struct err *err)
{
	struct system *sys = &emu->system;

	if (!fits_memory(emu, err))
		return false;
	system_init(sys, emu->arena, emu->trace, emu->chans.n,
		emu->enabled.model.n);
	if (has_chans_of(emu, CHAN_OF_CPU) || emu->trace->by_cpu)
		system_own_cpus(sys, emu->arena);
	if (has_chans_of(emu, CHAN_OF_PROCESS))
		system_own_processes(sys, emu->arena);
	if (has_chans_of(emu, CHAN_OF_SYSTEM))
		system_own(sys, emu->arena);
	start_values(emu);
	system_place_streams(sys, emu->trace);
	return true;
}

int
emu_threads(const struct emu *emu)
{
	return emu->system.nthreads + emu->system.added.n;
}

int
emu_processes(const struct emu *emu)
{
	int n = 0;

	for (int i = 0; i < emu->system.nprocesses; i++) {
		const struct process *p = &emu->system.processes[i];

		n += p->pid != 0 || map_count(&p->threads) > 0;
	}
	return n;
}
