/* SPDX-License-Identifier: MIT */
#include "emu/view.h"

#include "base/arena.h"
#include "emu/breakdown.h"
#include "emu/state.h"
#include "export/sink.h"

static const char class_thread[] = "thread";
static const char class_cpu[] = "cpu";
static const char class_system[] = "system";

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

/* True if threads have it, in their rows and those of CPUs. The old names
 * know no rows of punctual events. */
static bool
is_of_threads(const struct emu *emu, int chan)
{
	const struct chan_def *def = emu->chans.at[chan].def;

	return def->of == CHAN_OF_THREAD && !(emu->strict && def->punctual);
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
		if (sys->cpus[i].self != NULL)
			sys->cpus[i].self->row = sys->cpus[i].row;
	}
	if (sys->self == NULL)
		return;
	sys->self->row = emu->nrows++;
	sink_row(emu->sink,
		&(struct row){
			sys->self->row, ROW_NONE, class_system, "System" });
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
	if (c->cpu_type != c->thread_type)
		sink_label(emu->sink, c->cpu_type, value, label);
}

void
view_label_errors(struct emu *emu, uint32_t type)
{
	if (emu->errors == ERRORS_NULL)
		return;
	sink_label(emu->sink, type, VIEW_BAD,
		"Bad: the running thread's channel is disabled");
	sink_label(emu->sink, type, VIEW_TOO_MANY,
		"Bad: too many running threads");
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

	if (def->of != CHAN_OF_THREAD) {
		c->thread_type = c->cpu_type = declare_type(emu, type,
			def->of == CHAN_OF_CPU ? class_cpu : class_system);
	} else {
		c->thread_type = declare_type(emu, type, class_thread);
		type.title = type_title(emu, def,
			def->cpu_active ? TRACK_ACTIVE : TRACK_RUNNING);
		c->cpu_type = declare_type(emu, type, class_cpu);
		view_label_errors(emu, c->cpu_type);
	}
	if (c->local >= 0)
		declare_labels(emu, c);
}

void
view_declare(struct emu *emu)
{
	declare_rows(emu);
	declare_core(emu);
	for (int i = 0; i < emu->chans.n; i++)
		if (is_of_threads(emu, i) ||
			emu->chans.at[i].def->of != CHAN_OF_THREAD)
			declare_chan(emu, &emu->chans.at[i]);
}

/* Writes a value that a row shows now, unless its emission says no. `from` is
 * the channel it comes from, or NULL. */
static inline void
show(struct emu *emu, struct shown *shown, enum emission emission,
	struct record *r, const struct chan *from)
{
	if (shown->begun != 0 && shown->value == r->value &&
		(emission == SKIPDUP ||
			(emission == SKIPDUPNULL && r->value == VALUE_NONE)))
		return;
	shown->begun = (uint64_t)emu->now + 1;
	shown->value = r->value;
	r->time = emu->written = emu->now;
	r->depth = from == NULL ? 0 : from->depth;
	r->stack = from == NULL ? NULL : from->stack;
	sink_state(emu->sink, r);
}

/* True if the state of the thread enables a channel with this tracking. */
static inline bool
is_tracked(const struct thread *th, enum track track)
{
	static const uint8_t mask[] = {
		[TRACK_NONE] = 0,
		[TRACK_RUNNING] = ACTIVE_RUNNING,
		[TRACK_ACTIVE] = ACTIVE_ACTIVE,
	};

	return track == TRACK_NONE || (th->active & mask[track]) != 0;
}

/* True if the thread's channel is shown: neither its state nor an event
 * disables it. */
static inline bool
is_shown(const struct thread *th, int chan, const struct chan_def *def)
{
	return !th->chan[chan].disabled && is_tracked(th, def->thread);
}

static inline int64_t
or_nothing(int64_t value)
{
	return value != 0 ? value : VALUE_NONE;
}

static inline void
show_thread(struct emu *emu, struct thread *th, int chan)
{
	const struct emu_chan *c = &emu->chans.at[chan];
	const struct chan *ch = &th->chan[chan];
	bool on = is_shown(th, chan, c->def);
	struct record r = {
		.row = th->row,
		.type = c->thread_type,
		.value = on ? ch->value : or_nothing(c->def->disabled),
	};

	show(emu, &th->shown[chan], c->def->emission, &r, on ? ch : NULL);
}

/* The threads that the CPU's row of a channel looks at. */
static inline struct crew *
crew_of(struct cpu *cpu, const struct chan_def *def)
{
	return def->cpu_active ? &cpu->active : &cpu->running;
}

static void
say_bad(struct emu *emu, const struct cpu *cpu, struct emu_chan *c)
{
	if (!c->bad_said)
		emu_finding(emu, FINDING_WARNING,
			"%s: the channel of the one thread on%s is disabled, "
			"so the CPU cannot show it; said once",
			c->def->title, cpu->name);
	c->bad_said = true;
}

/* What a CPU shows if it does not show the channel of one thread. */
static __attribute__((noinline)) int64_t
value_without_thread(struct emu *emu, struct cpu *cpu, int chan)
{
	struct emu_chan *c = &emu->chans.at[chan];
	const struct crew *crew = crew_of(cpu, c->def);
	bool quiet = emu->errors == ERRORS_NULL ||
		(cpu->virtual && crew->n > 1 && emu->errors != ERRORS_ALL);

	if (crew->n == 1)
		say_bad(emu, cpu, c);
	if (crew->n == 0 || quiet)
		return or_nothing(c->def->idle);
	return crew->n == 1 ? VIEW_BAD : VIEW_TOO_MANY;
}

static inline void
show_cpu(struct emu *emu, struct cpu *cpu, int chan)
{
	const struct emu_chan *c = &emu->chans.at[chan];
	const struct thread *only = crew_of(cpu, c->def)->only;
	bool on = only != NULL && is_shown(only, chan, c->def);
	const struct chan *ch = on ? &only->chan[chan] : NULL;
	struct record r = {
		.row = cpu->row,
		.type = c->cpu_type,
		.value = on ? ch->value : value_without_thread(emu, cpu, chan),
	};

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
			is_of_threads(emu, i))
			show_thread(emu, th, i);
}

/* True if the CPU's row of a channel looks again, whatever was written. The
 * one active thread may stay and no longer show the channel. */
static inline bool
is_renewed(const struct cpu *cpu, const struct chan_def *def)
{
	const struct crew *crew = &cpu->active;

	if (!def->cpu_active)
		return cpu->running.changed;
	return crew->changed || (crew->only != NULL && crew->only->changed);
}

static void
emit_cpu(struct emu *emu, struct cpu *cpu)
{
	const uint32_t *type = emu->core_cpu_type;
	const struct thread *only = cpu->running.only;

	show_core(emu, &cpu->core[CPU_RUNNING], cpu->row, type[CPU_RUNNING],
		cpu->running.n);
	if (cpu->running.changed) {
		show_core(emu, &cpu->core[CPU_PID], cpu->row, type[CPU_PID],
			only == NULL ? VALUE_NONE : only->process->pid);
		show_core(emu, &cpu->core[CPU_TID], cpu->row, type[CPU_TID],
			only == NULL ? VALUE_NONE : only->tid);
	}
	for (int i = 0; i < emu->chans.n; i++)
		if (is_renewed(cpu, emu->chans.at[i].def) &&
			is_of_threads(emu, i))
			show_cpu(emu, cpu, i);
}

/* A channel that was written and that no change of state has shown already. */
static inline void
emit_dirty(struct emu *emu, struct dirty d)
{
	const struct chan_def *def = emu->chans.at[d.chan].def;
	struct thread *th = d.thread;

	if (!is_shown(th, d.chan, def) &&
		!(d.switched && is_tracked(th, def->thread)))
		return;
	if (!th->changed || def->thread == TRACK_NONE)
		show_thread(emu, th, d.chan);
	if (th->cpu != NULL && crew_of(th->cpu, def)->only == th &&
		!is_renewed(th->cpu, def))
		show_cpu(emu, th->cpu, d.chan);
}

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

	if (!is_shown(th, chan, c->def))
		return 0;
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

static void
put_value(struct emu *emu, const struct showing *s, int64_t time, int64_t value)
{
	sink_state(emu->sink,
		&(struct record){ .time = time,
			.row = s->row,
			.type = s->type,
			.value = value });
}

/* What the channel holds, at the end of a value that was not written in it. */
static void
put_back(struct emu *emu, const struct showing *s, const struct chan *ch)
{
	s->shown->begun = (uint64_t)emu->now + 1;
	s->shown->value = ch->value;
	sink_state(emu->sink,
		&(struct record){ .time = emu->now,
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
		put_value(emu, &to[i], free ? emu->now - 1 : emu->now, value);
	for (int i = 0; i < n; i++)
		put_back(emu, &to[i], &emu->thread->chan[chan]);
	if (n > 0)
		emu->written = emu->now;
}

static void
cpu_seen(struct cpu *cpu)
{
	cpu->running.changed = cpu->active.changed = cpu->touched = false;
}

void
view_span(struct emu *emu, int chan, int64_t value, int64_t since)
{
	struct showing to[2];
	int n = find_showing(emu, chan, to);

	for (int i = 0; i < n; i++) {
		put_value(emu, &to[i], since_in(&to[i], since), value);
		put_back(emu, &to[i], &emu->thread->chan[chan]);
	}
	emu->written = emu->now;
}

void
view_since(struct emu *emu, int chan, int64_t since)
{
	const struct chan *ch = &emu->thread->chan[chan];
	struct showing to[2];
	int n = find_showing(emu, chan, to);
	int64_t now = emu->now;

	for (int i = 0; i < n; i++) {
		emu->now = since_in(&to[i], since);
		show(emu, to[i].shown, emu->chans.at[chan].def->emission,
			&(struct record){ .row = to[i].row,
				.type = to[i].type,
				.value = ch->value },
			ch);
	}
	emu->now = emu->written = now;
	emu->dirty.n = 0;
}

void
view_again(struct emu *emu, int chan)
{
	struct showing to[2];
	int n = find_showing(emu, chan, to);

	for (int i = 0; i < n; i++)
		to[i].shown->value = ~emu->thread->chan[chan].value;
}

static void
begin_self(struct emu *emu, struct thread *self, enum chan_owner of)
{
	for (int i = 0; i < emu->chans.n && self != NULL; i++)
		if (emu->chans.at[i].def->of == of)
			show_thread(emu, self, i);
}

void
view_begin(struct emu *emu)
{
	for (int i = 0; i < emu->system.ncpus; i++)
		begin_self(emu, emu->system.cpus[i].self, CHAN_OF_CPU);
	begin_self(emu, emu->system.self, CHAN_OF_SYSTEM);
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
		cpu_seen(emu->touched_cpus.at[i]);
	emu->changed_threads.n = emu->touched_cpus.n = emu->dirty.n = 0;
}
