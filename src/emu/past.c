/* SPDX-License-Identifier: MIT */
/* Records before the event: points, and values that hold since earlier. */
#include "emu/showing.h"
#include "emu/state.h"
#include "emu/view.h"
#include "export/sink.h"

/* A row that shows the current thread's channel now. */
struct showing {
	struct shown *shown;
	int64_t since; /* when it came to show this thread */
	uint32_t row, type;
};

/* All of them, two at most; their number. */
static int
find_showing(struct emu *emu, int chan, struct showing to[2])
{
	const struct emu_chan *c = &emu->chans.at[chan];
	struct thread *th = emu->thread;
	struct cpu *cpu = th->cpu;
	int64_t since = th->since[c->def->thread];
	int n = 0;

	if (th->lost || !is_shown(th, chan, c->def))
		return 0;
	if (c->def->fresh && since < th->last)
		since = th->last;
	to[n++] = (struct showing){ &th->shown[chan], since, th->row,
		c->thread_type };
	if (cpu == NULL || crew_of(cpu, c->def)->only != th)
		return n;
	if (since < crew_of(cpu, c->def)->since)
		since = crew_of(cpu, c->def)->since;
	to[n++] = (struct showing){ &cpu->shown[chan], since, cpu->row,
		c->cpu_type };
	return n;
}

/* The time from which the row may show what holds since then. */
static int64_t
since_in(const struct showing *s, int64_t since)
{
	int64_t last = (int64_t)(s->shown->begun - 1);

	if (since < s->since)
		since = s->since;
	return since < last ? last : since;
}

/* A value that lies on what the channel holds. */
static void
put_value(struct emu *emu, const struct showing *s, const struct chan *ch,
	int64_t time, int64_t value)
{
	sink_state(emu->sink,
		&(struct record){ .time = time,
			.row = s->row,
			.type = s->type,
			.value = value,
			.depth = ch->depth > 0 ? ch->depth + 1 : 0 });
}

/* What the channel holds, at the end of a value that was not written in it. */
static void
put_back(struct emu *emu, const struct showing *s, const struct chan *ch,
	int64_t time)
{
	s->shown->begun = (uint64_t)time + 1;
	s->shown->value = ch->value;
	sink_state(emu->sink,
		&(struct record){ .time = time,
			.row = s->row,
			.type = s->type,
			.value = ch->value,
			.depth = ch->depth,
			.stack = ch->stack });
}

void
view_point(struct emu *emu, int chan, int64_t value)
{
	struct showing to[2];
	int n = find_showing(emu, chan, to);
	bool free = emu->written < emu->now;

	for (int i = 0; i < n; i++)
		put_value(emu, &to[i], &emu->thread->chan[chan],
			free ? emu->now - 1 : emu->now, value);
	for (int i = 0; i < n; i++)
		put_back(emu, &to[i], &emu->thread->chan[chan], emu->now);
	if (n > 0)
		emu->written = emu->now;
}

void
view_span(
	struct emu *emu, int chan, int64_t value, int64_t since, int64_t until)
{
	struct showing to[2];
	int n = find_showing(emu, chan, to);

	for (int i = 0; i < n; i++) {
		int64_t begin = since_in(&to[i], since);

		put_value(emu, &to[i], &emu->thread->chan[chan], begin, value);
		put_back(emu, &to[i], &emu->thread->chan[chan],
			until < begin ? begin : until);
	}
	emu->written = emu->now;
}

void
view_since(struct emu *emu, int chan, int64_t since)
{
	struct record r;
	struct showing to[2];
	int n = find_showing(emu, chan, to);
	int64_t now = emu->now;

	hold(&r, &emu->thread->chan[chan]);
	for (int i = 0; i < n; i++) {
		emu->now = since_in(&to[i], since);
		r.row = to[i].row;
		r.type = to[i].type;
		show(emu, to[i].shown, emu->chans.at[chan].def->emission, &r);
	}
	emu->now = emu->written = now;
	emu->dirty.n = 0;
}

/* How far back a row that shows this thread could still go. */
static int64_t
oldest(const struct emu *emu, const struct thread *th,
	const struct shown *shown, int64_t since, int64_t promise)
{
	for (int i = 0; i < emu->chans.n; i++) {
		int64_t last = (int64_t)(shown[i].begun - 1);

		if (!emu->chans.at[i].past)
			continue;
		if (last < since)
			last = since;
		if (emu->chans.at[i].def->fresh && last < th->last)
			last = th->last;
		if (last < promise)
			promise = last;
	}
	return promise;
}

/* Only a thread that runs has something to tell: none of its rows may go back
 * behind its last record, and what begins to run begins now. */
int64_t
view_promise(const struct emu *emu)
{
	const struct system *sys = &emu->system;
	int64_t promise = emu->now;

	for (int i = 0; i < sys->nthreads; i++)
		promise = oldest(emu, &sys->threads[i], sys->threads[i].shown,
			0, promise);
	for (int i = 0; i < sys->added.n; i++) {
		const struct thread *th = sys->added.at[i];

		if (th->active != 0)
			promise = oldest(emu, th, th->shown,
				th->since[TRACK_ACTIVE], promise);
	}
	for (int i = 0; i < sys->ncpus; i++) {
		const struct crew *crew = &sys->cpus[i].running;

		if (crew->only != NULL)
			promise = oldest(emu, crew->only, sys->cpus[i].shown,
				crew->since, promise);
	}
	return promise;
}

void
view_again(struct emu *emu, int chan)
{
	struct showing to[2];
	int n = find_showing(emu, chan, to);

	for (int i = 0; i < n; i++)
		to[i].shown->value = ~emu->thread->chan[chan].value;
}
