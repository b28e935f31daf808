/* SPDX-License-Identifier: MIT */

#include "emu/emu.h"

#include <inttypes.h>

#include "base/arena.h"
#include "emu/add.h"
#include "emu/breakdown.h"
#include "emu/ctf/thread.h"
#include "emu/enable.h"
#include "emu/first_event.h"
#include "emu/gap.h"
#include "emu/hooks.h"
#include "emu/mend.h"
#include "emu/panel.h"
#include "emu/part.h"
#include "emu/state.h"
#include "emu/view.h"

#define ROWS_BYTES (40u << 20)

/*
 * Returns false with err if the channels of all rows would take too much
 * memory. Every row has room for every channel, and a few bytes of metadata can
 * declare many of both; so the limit depends on the size of the trace.
 */
static bool
fits_memory(struct emu *emu, struct err *err)
{
	const struct trace *t = emu->trace;
	uint64_t done, total, need, rows = (uint64_t)t->threads.n;
	uint64_t chans = (uint64_t)emu->chans.n;
	uint64_t holders = 1 + (uint64_t)add_has_chans(emu, CHAN_OF_CPU) +
		(uint64_t)t->by_cpu;

	if (add_has_chans(emu, CHAN_OF_PROCESS))
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
		" MiB, more than is allowed for a trace of this size",
		t->path, rows, chans, need >> 20);
}

static void
start_values(struct emu *emu)
{
	struct system *sys = &emu->system;

	for (int i = 0; i < sys->nthreads; i++)
		add_start_values(emu, &sys->threads[i].has);
	for (int i = 0; i < sys->ncpus; i++) {
		if (sys->cpus[i].own != NULL)
			add_start_values(emu, sys->cpus[i].own);
		if (sys->cpus[i].nobody != NULL)
			add_start_values(emu, &sys->cpus[i].nobody->has);
	}
	for (int i = 0; i < sys->nprocesses; i++)
		if (sys->processes[i].own != NULL)
			add_start_values(emu, sys->processes[i].own);
	if (sys->own != NULL)
		add_start_values(emu, sys->own);
}

static bool
build_system(struct emu *emu, struct err *err)
{
	struct system *sys = &emu->system;

	if (!fits_memory(emu, err))
		return false;
	system_init(sys, emu->arena, emu->trace, emu->chans.n,
		emu->enabled.model.n);
	if (add_has_chans(emu, CHAN_OF_CPU))
		system_own_cpus(sys, emu->arena);
	if (add_has_chans(emu, CHAN_OF_PROCESS))
		system_own_processes(sys, emu->arena, emu->trace);
	if (add_has_chans(emu, CHAN_OF_SYSTEM))
		system_own(sys, emu->arena);
	start_values(emu);
	system_place_streams(sys, emu->trace);
	return true;
}

bool
emu_writes_past(const struct model *m)
{
	for (int i = 0; i < m->nrows; i++)
		if (m->rows[i].since != SINCE_NOW)
			return true;
	return false;
}

/* Returns true if showing rows may produce findings or labels in a particular
 * order: the finding that a CPU cannot show a channel, because its thread does
 * not show it (view.c). */
static bool
rows_tell(const struct emu *emu)
{
	for (int i = 0; i < emu->chans.n; i++) {
		const struct chan_def *def = emu->chans.at[i].def;

		if (def->off || def->cpu_active)
			return true;
	}
	for (int i = 0; i < emu->enabled.model.n; i++) {
		const struct model *m = emu->enabled.model.at[i];

		for (int j = 0; j < m->nrows; j++)
			if (m->rows[j].action == ROW_DISABLE)
				return true;
	}
	return emu->past;
}

struct emu *
emu_open(struct arena *a, struct source *source, struct sink *sink,
	const struct emu_options *options, struct err *err)
{
	struct emu *emu = ARENA_NEW(a, struct emu);

	emu->arena = a;
	emu->source = source;
	emu->trace = &source->trace;
	emu->findings = source->trace.findings;
	emu->sink = sink;
	emu->stop = options->stop;
	emu->strict = emu->findings->strict;
	emu->lint = options->lint;
	emu->learn = options->learn;
	emu->known = options->known;
	emu->mends = options->mends;
	emu->names = options->names;
	emu->short_calls = options->short_calls;
	emu->part = options->part;
	/* In strict mode, two threads on a CPU end the emulation. */
	emu->errors = emu->strict ? ERRORS_NULL : options->errors;
	for (int i = 0; i < emu->trace->threads.n && !emu->strict; i++)
		emu->any_cut |= !emu->trace->threads.at[i].finished;
	emu->incomplete |= emu->any_cut;
	for (int i = 0; i < emu->trace->streams.n && !emu->strict; i++)
		emu->incomplete |= emu->trace->streams.at[i].overwritten > 0;
	emu->incomplete |= emu->trace->damaged && !emu->strict;
	emu->tellers = &ctf_tellers;
	enable_models(emu, options);
	if (emu->part != NULL)
		emu->part->was_cut = emu->any_cut;
	if (!build_system(emu, err))
		return NULL;
	emu->first = ARENA_ARRAY(a, struct first_event, emu->trace->streams.n);
	if (emu->part != NULL)
		emu->absent = -1;
	gap_open(emu);
	mends_open(emu);
	view_declare(emu);
	panel_declare(emu);
	hooks_start(emu);
	emu->quiet = options->quiet && !rows_tell(emu);
	if (options->breakdown)
		emu->breakdowns = breakdown_open(emu);
	if (emu->part != NULL)
		emu->part->nopened = emu->findings->list.n;
	return emu;
}

void
emu_close(struct emu *emu)
{
	system_fini(&emu->system);
	gap_fini(emu);
	hooks_fini(emu);
	map_fini(&emu->type_labels);
	map_fini(&emu->told_labels);
	map_fini(&emu->strangers);
	map_fini(&emu->models_off);
}

int
emu_threads(const struct emu *emu)
{
	return emu->system.nthreads + emu->system.added.n;
}

int
emu_processes(const struct emu *emu)
{
	int n = emu->system.told.n;

	for (int i = 0; i < emu->system.nprocesses; i++) {
		const struct process *p = &emu->system.processes[i];

		n += p->pid != 0 || map_count(&p->threads) > 0;
	}
	return n;
}
