/* SPDX-License-Identifier: MIT */
/* Records before the event: punctual values, and values with a beginning in the
 * past. */
#include "emu/part.h"
#include "emu/showing.h"
#include "emu/state.h"
#include "emu/view.h"
#include "export/sink.h"

/* A row that shows the channel now. */
struct showing {
	struct shown *shown;
	int64_t since; /* the time since which the row shows this thread */
	uint32_t row, type;
};

/* Finds the rows that show the channel; there are two at most. Returns their
 * number. */
static int
find_showing(const struct emu *emu, const struct holder *of, int chan,
	struct showing to[2])
{
	const struct emu_chan *c = &emu->chans.at[chan];
	const struct thread *th = of->thread;
	const struct crew *crew;
	int64_t since;

	to[0] = (struct showing){ &of->shown[chan], 0, of->row,
		c->thread_type };
	if (th == NULL)
		return !of->chan[chan].disabled;
	if (th->lost || !is_shown(th, chan, c->def))
		return 0;
	since = th->since[c->def->thread];
	if (c->def->fresh && since < th->last)
		since = th->last;
	to[0].since = since;
	crew = th->cpu == NULL ? NULL : crew_of(th->cpu, c->def);
	if (crew == NULL || crew->only != th)
		return 1;
	to[1] = (struct showing){ &th->cpu->shown[chan],
		since < crew->since ? crew->since : since, th->cpu->row,
		c->cpu_type };
	return 2;
}

/* Returns the earliest time, from `since` on, at which the row may show a
 * value. */
static int64_t
since_in(const struct showing *s, int64_t since)
{
	int64_t last = (int64_t)(s->shown->begun - 1);

	if (since < s->since)
		since = s->since;
	return since < last ? last : since;
}

/* Writes a value that hides the channel's own value. */
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

/* Writes the channel's own value again, when a value that hid it ends. */
static void
put_back(struct emu *emu, const struct showing *s, const struct chan *ch,
	int64_t time)
{
	struct record r = { .time = time, .row = s->row, .type = s->type };

	hold(&r, ch);
	s->shown->begun = (uint64_t)time + 1;
	s->shown->value = ch->value;
	sink_state(emu->sink, &r);
}

void
view_point(struct emu *emu, const struct holder *of, int chan, int64_t value)
{
	struct showing to[2];
	int n = find_showing(emu, of, chan, to);
	bool marked = emu->part != NULL && emu->part->marks_points;
	bool free = emu->written < emu->now && !marked;

	if (marked)
		emu->part->stream |= PART_POINT;
	for (int i = 0; i < n; i++)
		put_value(emu, &to[i], &of->chan[chan],
			free ? emu->now - 1 : emu->now, value);
	if (marked)
		emu->part->stream &= ~PART_POINT;
	for (int i = 0; i < n; i++)
		put_back(emu, &to[i], &of->chan[chan], emu->now);
	if (n > 0)
		emu->written = emu->now;
}

void
view_span(struct emu *emu, const struct holder *of, int chan, int64_t value,
	struct period in)
{
	struct showing to[2];
	int n = find_showing(emu, of, chan, to);

	for (int i = 0; i < n; i++) {
		int64_t begin = since_in(&to[i], in.since);

		put_value(emu, &to[i], &of->chan[chan], begin, value);
		put_back(emu, &to[i], &of->chan[chan],
			in.until < begin ? begin : in.until);
	}
	emu->written = emu->now;
}

void
view_since(struct emu *emu, const struct holder *of, int chan, int64_t since)
{
	struct record r;
	struct showing to[2];
	int n = find_showing(emu, of, chan, to);
	int64_t now = emu->now;

	hold(&r, &of->chan[chan]);
	for (int i = 0; i < n; i++) {
		emu->now = since_in(&to[i], since);
		r.row = to[i].row;
		r.type = to[i].type;
		show(emu, to[i].shown, emu->chans.at[chan].def->emission, &r);
	}
	emu->now = emu->written = now;
	for (int i = 0; i < emu->dirty.n; i++)
		emu->dirty.at[i].of->chan[emu->dirty.at[i].chan].noted = false;
	emu->dirty.n = 0;
}

/* Returns the earliest time to which a row of this thread could still go back,
 * or `promise` if that is earlier. */
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

/* Only threads that run can write in the past. Their rows never get a record
 * before their last one; a thread that has just begun to run can write only
 * from now on. */
int64_t
view_promise(const struct emu *emu)
{
	const struct system *sys = &emu->system;
	int64_t promise = emu->now;

	for (int i = 0; i < sys->nthreads; i++)
		promise = oldest(emu, &sys->threads[i],
			sys->threads[i].has.shown, 0, promise);
	for (int i = 0; i < sys->added.n; i++) {
		const struct thread *th = sys->added.at[i];

		if ((th->active & ACTIVE_ACTIVE) != 0)
			promise = oldest(emu, th, th->has.shown,
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
view_again(const struct emu *emu, const struct holder *of, int chan)
{
	struct showing to[2];
	int n = find_showing(emu, of, chan, to);

	for (int i = 0; i < n; i++)
		to[i].shown->value = ~of->chan[chan].value;
}
