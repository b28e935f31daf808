/* SPDX-License-Identifier: MIT */
#include "emu/view.h"

#include "base/arena.h"
#include "emu/breakdown.h"
#include "emu/state.h"
#include "export/sink.h"

/* A physical CPU that two threads run on: at the top of what a label file of
 * Paraver holds, so that it meets no id, rank or hash of a label. */
#define TOO_MANY_THREADS INT64_C(2147483647)

static const char class_thread[] = "thread";
static const char class_cpu[] = "cpu";

const struct type view_core_thread[THREAD_CORE] = {
	[THREAD_TID] = { .key = "ovni.tid",
		.title = "Thread: TID of the ACTIVE thread",
		.number = 2,
		.kind = TYPE_NUMBER },
	[THREAD_STATE] = { .key = "ovni.state",
		.title = "Thread: thread state",
		.number = 4 },
	[THREAD_CPU] = { .key = "ovni.cpu",
		.title = "Thread: CPU affinity",
		.number = 6 },
};

const struct type view_core_cpu[CPU_CORE] = {
	[CPU_PID] = { .key = "ovni.pid",
		.title = "CPU: PID of the RUNNING thread",
		.number = 1,
		.kind = TYPE_NUMBER },
	[CPU_TID] = { .key = "ovni.tid",
		.title = "CPU: TID of the RUNNING thread",
		.number = 2,
		.kind = TYPE_NUMBER },
	[CPU_RUNNING] = { .key = "ovni.running",
		.title = "CPU: number of RUNNING threads",
		.number = 3,
		.kind = TYPE_NUMBER },
};

/* The old names know no rows of punctual events. */
static bool
is_hidden(const struct emu *emu, int chan)
{
	return emu->strict && emu->chans.at[chan].def->punctual;
}

static uint32_t
declare_type(struct emu *emu, struct type type, const char *class)
{
	type.id = emu->ntypes++;
	type.class = class;
	sink_type(emu->sink, &type);
	return type.id;
}

static void
declare_rows(struct emu *emu)
{
	struct system *sys = &emu->system;

	for (int i = 0; i < sys->nthreads; i++) {
		sys->threads[i].row = emu->nrows++;
		sink_row(emu->sink,
			&(struct row){ sys->threads[i].row, ROW_NONE,
				class_thread, sys->threads[i].name });
	}
	for (int i = 0; i < sys->ncpus; i++) {
		sys->cpus[i].row = emu->nrows++;
		sink_row(emu->sink,
			&(struct row){ sys->cpus[i].row, ROW_NONE, class_cpu,
				sys->cpus[i].name });
	}
}

/* A CPU is known in values by its row's position, counted from 1. */
static int64_t
cpu_number(const struct emu *emu, const struct cpu *cpu)
{
	return cpu == NULL ? VALUE_NONE : cpu - emu->system.cpus + 1;
}

static void
declare_core(struct emu *emu)
{
	for (int i = 0; i < THREAD_CORE; i++)
		emu->core_thread_type[i] =
			declare_type(emu, view_core_thread[i], class_thread);
	for (int i = 0; i < CPU_CORE; i++) {
		struct type type = view_core_cpu[i];

		if (emu->strict)
			type.title = NULL; /* the ovni tools do not name it */
		emu->core_cpu_type[i] = declare_type(emu, type, class_cpu);
	}
	for (int i = THREAD_UNKNOWN; i <= THREAD_WARMING; i++)
		sink_label(emu->sink, emu->core_thread_type[THREAD_STATE], i,
			thread_state_name((enum thread_state)i));
	for (int i = 0; i < emu->system.ncpus; i++)
		sink_label(emu->sink, emu->core_thread_type[THREAD_CPU], i + 1,
			emu->system.cpus[i].name);
}

static const char *
type_title(struct emu *emu, const struct chan_def *def, enum track track)
{
	static const char *const of[] = {
		[TRACK_RUNNING] = " of the RUNNING thread",
		[TRACK_ACTIVE] = " of the ACTIVE thread",
	};

	if (def->plain)
		return def->title;
	if (track == TRACK_NONE) /* the ovni tools leave a blank */
		return emu->strict ? arena_printf(emu->arena, "%s ", def->title)
				   : def->title;
	return arena_printf(emu->arena, "%s%s", def->title, of[track]);
}

static void
label_both(struct emu *emu, const struct emu_chan *c, int64_t value,
	const char *label)
{
	sink_label(emu->sink, c->thread_type, value, label);
	sink_label(emu->sink, c->cpu_type, value, label);
}

static void
declare_labels(struct emu *emu, const struct emu_chan *c)
{
	struct label_def l;

	for (int pos = 0; model_next_label(c->model, &pos, &l);)
		if (l.chan == c->local)
			label_both(emu, c, l.value, l.label);
}

static void
declare_chan(struct emu *emu, struct emu_chan *c)
{
	const struct chan_def *def = c->def;
	struct type type = {
		.key = arena_printf(
			emu->arena, "%s.%s", c->model->name, def->key),
		.title = type_title(emu, def, def->thread),
		.none = emu->strict ? NULL : def->none,
		.number = def->number,
		.kind = def->shows,
	};

	c->thread_type = declare_type(emu, type, class_thread);
	type.title = type_title(emu, def, TRACK_RUNNING);
	c->cpu_type = declare_type(emu, type, class_cpu);
	if (!emu->strict)
		sink_label(emu->sink, c->cpu_type, TOO_MANY_THREADS,
			"Bad: too many running threads");
	if (c->local >= 0)
		declare_labels(emu, c);
}

void
view_declare(struct emu *emu)
{
	declare_rows(emu);
	declare_core(emu);
	for (int i = 0; i < emu->chans.n; i++)
		if (!is_hidden(emu, i))
			declare_chan(emu, &emu->chans.at[i]);
}

/* Writes a value that a row shows now, unless its emission says no. `from` is
 * the channel it comes from, or NULL. */
static inline void
show(struct emu *emu, struct shown *shown, enum emission emission,
	struct record *r, const struct chan *from)
{
	if (shown->written && shown->value == r->value &&
		(emission == SKIPDUP ||
			(emission == SKIPDUPNULL && r->value == VALUE_NONE)))
		return;
	shown->written = true;
	shown->value = r->value;
	r->time = emu->written = emu->now;
	r->depth = from == NULL ? 0 : from->depth;
	r->stack = from == NULL ? NULL : from->stack;
	sink_state(emu->sink, r);
}

/* True if the thread's own row shows a channel with this tracking. */
static inline bool
is_shown(const struct thread *th, enum track track)
{
	static const uint8_t mask[] = {
		[TRACK_NONE] = 0,
		[TRACK_RUNNING] = ACTIVE_RUNNING,
		[TRACK_ACTIVE] = ACTIVE_ACTIVE,
	};

	return track == TRACK_NONE || (th->active & mask[track]) != 0;
}

static inline void
show_thread(struct emu *emu, struct thread *th, int chan)
{
	const struct emu_chan *c = &emu->chans.at[chan];
	const struct chan *ch = &th->chan[chan];
	bool on = is_shown(th, c->def->thread);
	struct record r = {
		.row = th->row,
		.type = c->thread_type,
		.value = on ? ch->value : VALUE_NONE,
	};

	show(emu, &th->shown[chan], c->def->emission, &r, on ? ch : NULL);
}

/* True if the CPU shows that more than one thread runs there. */
static bool
is_error(const struct emu *emu, const struct cpu *cpu)
{
	return cpu->nrunning > 1 &&
		(cpu->virtual ? emu->errors == ERRORS_ALL
			      : emu->errors != ERRORS_NULL);
}

static inline void
show_cpu(struct emu *emu, struct cpu *cpu, int chan)
{
	const struct emu_chan *c = &emu->chans.at[chan];
	const struct chan *ch =
		cpu->only == NULL ? NULL : &cpu->only->chan[chan];
	struct record r = { .row = cpu->row, .type = c->cpu_type };

	if (ch != NULL)
		r.value = ch->value;
	else if (is_error(emu, cpu))
		r.value = TOO_MANY_THREADS;
	else
		r.value = c->def->idle != 0 ? c->def->idle : VALUE_NONE;
	show(emu, &cpu->shown[chan], c->def->emission, &r, ch);
	if (emu->breakdowns != NULL)
		breakdown_see(emu, cpu, chan, r.value);
}

static void
show_core(struct emu *emu, struct shown *shown, uint32_t row, uint32_t type,
	int64_t value)
{
	struct record r = { .row = row, .type = type, .value = value };

	show(emu, shown, SKIPDUP, &r, NULL);
}

static void
emit_thread(struct emu *emu, struct thread *th)
{
	const uint32_t *type = emu->core_thread_type;

	show_core(emu, &th->core[THREAD_TID], th->row, type[THREAD_TID],
		th->active != 0 ? th->tid : VALUE_NONE);
	show_core(emu, &th->core[THREAD_STATE], th->row, type[THREAD_STATE],
		th->state);
	show_core(emu, &th->core[THREAD_CPU], th->row, type[THREAD_CPU],
		cpu_number(emu, th->cpu));
	for (int i = 0; i < emu->chans.n && th->changed; i++)
		if (emu->chans.at[i].def->thread != TRACK_NONE &&
			!is_hidden(emu, i))
			show_thread(emu, th, i);
}

static void
emit_cpu(struct emu *emu, struct cpu *cpu)
{
	const uint32_t *type = emu->core_cpu_type;
	const struct thread *only = cpu->only;

	show_core(emu, &cpu->core[CPU_RUNNING], cpu->row, type[CPU_RUNNING],
		cpu->nrunning);
	if (!cpu->changed)
		return;
	show_core(emu, &cpu->core[CPU_PID], cpu->row, type[CPU_PID],
		only == NULL ? VALUE_NONE : only->process->pid);
	show_core(emu, &cpu->core[CPU_TID], cpu->row, type[CPU_TID],
		only == NULL ? VALUE_NONE : only->tid);
	for (int i = 0; i < emu->chans.n; i++)
		if (!is_hidden(emu, i))
			show_cpu(emu, cpu, i);
}

/* A channel that was written and that no change of state has shown already. */
static inline void
emit_dirty(struct emu *emu, struct dirty d)
{
	struct thread *th = d.thread;
	enum track track = emu->chans.at[d.chan].def->thread;

	if (is_shown(th, track) && !(th->changed && track != TRACK_NONE))
		show_thread(emu, th, d.chan);
	if (th->cpu != NULL && th->cpu->only == th && !th->cpu->changed)
		show_cpu(emu, th->cpu, d.chan);
}

/* One half of a punctual value in all rows that show the channel. */
static void
put_point(struct emu *emu, int chan, struct record r)
{
	const struct emu_chan *c = &emu->chans.at[chan];
	const struct thread *th = emu->thread;

	if (is_shown(th, c->def->thread)) {
		r.row = th->row;
		r.type = c->thread_type;
		sink_state(emu->sink, &r);
	}
	if (th->cpu != NULL && th->cpu->only == th) {
		r.row = th->cpu->row;
		r.type = c->cpu_type;
		sink_state(emu->sink, &r);
	}
}

void
view_point(struct emu *emu, int chan, int64_t value)
{
	const struct chan *ch = &emu->thread->chan[chan];
	int64_t before = emu->now - 1;
	bool free = emu->now > 0 && emu->written <= before;

	put_point(emu, chan,
		(struct record){
			.time = free ? before : emu->now, .value = value });
	put_point(emu, chan,
		(struct record){ .time = emu->now,
			.value = ch->value,
			.depth = ch->depth,
			.stack = ch->stack });
	emu->written = emu->now;
}

void
view_emit(struct emu *emu)
{
	for (int i = 0; i < emu->changed_threads.n; i++)
		emit_thread(emu, emu->changed_threads.at[i]);
	for (int i = 0; i < emu->touched_cpus.n; i++)
		emit_cpu(emu, emu->touched_cpus.at[i]);
	for (int i = 0; i < emu->dirty.n; i++)
		emit_dirty(emu, emu->dirty.at[i]);
	if (emu->breakdowns != NULL)
		breakdown_emit(emu);
	for (int i = 0; i < emu->changed_threads.n; i++)
		emu->changed_threads.at[i]->changed = false;
	for (int i = 0; i < emu->touched_cpus.n; i++)
		emu->touched_cpus.at[i]->changed =
			emu->touched_cpus.at[i]->touched = false;
	emu->changed_threads.n = emu->touched_cpus.n = emu->dirty.n = 0;
}
