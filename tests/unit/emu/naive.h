/* SPDX-License-Identifier: MIT */
/*
 * naive.h - computes what rows show by looking at every thread each time: the
 * rules' tables, word by word, to compare view.c with.
 */
#ifndef WEFT_TEST_NAIVE_H
#define WEFT_TEST_NAIVE_H

#include "emu/emu.h"
#include "emu/state.h"

#define NAIVE_TOO_MANY INT32_MAX /* threads on a CPU */
#define NAIVE_BAD (INT32_MAX - 1)

static inline int64_t
naive_or_nothing(int64_t value)
{
	return value == 0 ? VALUE_NONE : value;
}

static inline bool
naive_is_tracked(const struct thread *th, enum track track)
{
	bool runs = th->state == THREAD_RUNNING;

	if (track == TRACK_RUNNING)
		return runs;
	if (track == TRACK_ALIVE && th->state == THREAD_PAUSED)
		return true;
	return track == TRACK_NONE || runs || th->state == THREAD_COOLING ||
		th->state == THREAD_WARMING;
}

static inline bool
naive_is_on(const struct emu *emu, const struct thread *th, int chan)
{
	return naive_is_tracked(th, emu->chans.at[chan].def->thread) &&
		!th->has.chan[chan].disabled;
}

/* Returns what the thread's row shows. */
static inline int64_t
naive_thread(const struct emu *emu, const struct thread *th, int chan)
{
	if (naive_is_on(emu, th, chan))
		return th->has.chan[chan].value;
	return naive_or_nothing(emu->chans.at[chan].def->disabled);
}

/* Counts the threads of a CPU that are in these states. If there is exactly
 * one, sets *only to it. */
static inline int
naive_count(const struct emu *emu, const struct cpu *cpu, enum track track,
	const struct thread **only)
{
	int n = 0;

	*only = NULL;
	for (int i = 0; i < emu->system.nthreads; i++) {
		const struct thread *th = &emu->system.threads[i];

		if (th->cpu != cpu || !naive_is_tracked(th, track))
			continue;
		*only = n == 0 ? th : NULL;
		n++;
	}
	return n;
}

/* Returns what the CPU's row shows. */
static inline int64_t
naive_cpu(const struct emu *emu, const struct cpu *cpu, int chan)
{
	const struct chan_def *def = emu->chans.at[chan].def;
	enum track track = def->cpu_active ? TRACK_ACTIVE : TRACK_RUNNING;
	const struct thread *only;
	int n = naive_count(emu, cpu, track, &only);

	if (n == 1 && naive_is_on(emu, only, chan))
		return only->has.chan[chan].value;
	if (n == 0 || emu->errors == ERRORS_NULL)
		return naive_or_nothing(def->idle);
	if (n == 1)
		return NAIVE_BAD;
	return cpu->phyid >= 0 || emu->errors == ERRORS_ALL
		? NAIVE_TOO_MANY
		: naive_or_nothing(def->idle);
}

#endif
