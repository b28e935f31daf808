/* SPDX-License-Identifier: MIT */
#include "emu/view.h"

#include "base/arena.h"
#include "emu/breakdown.h"
#include "emu/core.h"
#include "emu/say.h"
#include "emu/showing.h"
#include "emu/state.h"
#include "export/sink.h"

static const char class_thread[] = "thread";
static const char class_cpu[] = "cpu";
static const char class_process[] = "process";
static const char class_system[] = "system";

/* Returns true if the channel belongs to threads and is shown, in their rows
 * and those of CPUs. The imitated ovni tools have no punctual events. */
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

/* Returns the parent of a row. If streams belong to CPUs, rows of a process
 * have its row as parent. */
static uint32_t
parent_row(const struct emu *emu, const struct process *of)
{
	if (of == NULL || of->own == NULL || !emu->trace->by_cpu)
		return ROW_NONE;
	return of->row;
}

static uint32_t
declare_row(struct emu *emu, const char *class, const char *name,
	const struct process *of, const struct row_identity *place)
{
	sink_row(emu->sink,
		&(struct row){
			emu->nrows, parent_row(emu, of), class, name, place });
	return emu->nrows++;
}

/* Returns the row identity of a process, a thread, or both; no tid: -1. */
static struct row_identity
place_of(const struct process *p, int64_t tid)
{
	return (struct row_identity){ .node = p->node->host,
		.pid = p->pid != 0 ? p->pid : -1,
		.tid = tid,
		.cpu = -1 };
}

void
view_add_thread(struct emu *emu, struct thread *th)
{
	struct row_identity place = place_of(th->process, th->tid);

	th->has.row =
		declare_row(emu, class_thread, th->name, th->process, &place);
}

/* Returns the first process of the node; with ranks it is the only one. */
static const struct process *
process_of(const struct emu *emu, const struct node *node)
{
	for (int i = 0; i < emu->system.nprocesses; i++)
		if (emu->system.processes[i].node == node)
			return &emu->system.processes[i];
	return NULL;
}

static void
add_cpu(struct emu *emu, struct cpu *cpu)
{
	struct row_identity place = { cpu->node->host, -1, -1, cpu->phyid };

	cpu->row = declare_row(
		emu, class_cpu, cpu->name, process_of(emu, cpu->node), &place);
	if (cpu->own != NULL)
		cpu->own->row = cpu->row;
	if (cpu->nobody != NULL)
		cpu->nobody->has.row = cpu->row;
}

/* Returns the number of a CPU in values: the position of its row, from 1. */
static int64_t
cpu_number(const struct cpu *cpu)
{
	return cpu == NULL ? VALUE_NONE : cpu->index + 1;
}

void
view_add_cpu(struct emu *emu, struct cpu *cpu)
{
	add_cpu(emu, cpu);
	sink_label(emu->sink, emu->core_thread_type[THREAD_CPU],
		cpu_number(cpu), cpu->name, MEANS_TASK);
}

/* Returns "Process 4242" or "Rank 1". A killed program may have told
 * neither. */
static const char *
process_name(struct emu *emu, const struct process *p)
{
	if (p->rank >= 0)
		return arena_printf(
			emu->arena, "Rank %lld", (long long)p->rank);
	if (p->pid == 0)
		return "Process";
	return arena_printf(emu->arena, "Process %lld", (long long)p->pid);
}

static void
declare_process(struct emu *emu, struct process *p)
{
	struct row_identity place = place_of(p, -1);

	p->own->row = p->row = declare_row(
		emu, class_process, process_name(emu, p), NULL, &place);
}

static void
declare_rows(struct emu *emu)
{
	struct system *sys = &emu->system;

	for (int i = 0; i < sys->nprocesses; i++)
		if (sys->processes[i].own != NULL)
			declare_process(emu, &sys->processes[i]);
	for (int i = 0; i < sys->nthreads; i++)
		view_add_thread(emu, &sys->threads[i]);
	for (int i = 0; i < sys->ncpus; i++)
		add_cpu(emu, &sys->cpus[i]);
	if (sys->own == NULL)
		return;
	sys->own->row = declare_row(emu, class_system, "System", NULL, NULL);
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
			type.title = NULL; /* the ovni tools give these types no
			                    * title */
		emu->core_cpu_type[i] = declare_type(emu, type, class_cpu);
	}
	core_label_states(emu);
	for (int i = 0; i < emu->system.ncpus; i++)
		sink_label(emu->sink, emu->core_thread_type[THREAD_CPU], i + 1,
			emu->system.cpus[i].name, MEANS_TASK);
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
	if (track == TRACK_NONE ||
		track == TRACK_ALIVE) /* the ovni tools leave a blank at the end
	                               */
		return emu->strict ? arena_printf(emu->arena, "%s ", def->title)
				   : def->title;
	return arena_printf(emu->arena, "%s%s", def->title, of[track]);
}

static void
label_both(struct emu *emu, const struct emu_chan *c, int64_t value,
	const char *label, enum meaning means)
{
	sink_label(emu->sink, c->thread_type, value, label, means);
	if (c->cpu_type != c->thread_type)
		sink_label(emu->sink, c->cpu_type, value, label, means);
}

void
view_label(struct emu *emu, int chan, int64_t value, const char *label)
{
	const struct emu_chan *c = &emu->chans.at[chan];

	label_both(emu, c, value, label, c->def->means);
}

static void
declare_labels(struct emu *emu, const struct emu_chan *c)
{
	struct label_def l;

	for (int pos = 0; model_next_label(c->model, &pos, &l);)
		if (l.chan == c->local)
			label_both(emu, c, l.value, l.label, l.means);
}

static void
declare_chan(struct emu *emu, struct emu_chan *c)
{
	static const char *const class_of[] = {
		[CHAN_OF_CPU] = class_cpu,
		[CHAN_OF_PROCESS] = class_process,
		[CHAN_OF_SYSTEM] = class_system,
	};
	const struct chan_def *def = c->def;
	struct type type = {
		.key = arena_printf(
			emu->arena, "%s.%s", c->model->name, def->key),
		.title = type_title(emu, def, def->thread),
		.none = emu->strict ? NULL : def->none,
		.number = def->number,
		.kind = def->shows,
		.stack = def->kind == CHAN_STACK,
		.layered = def->layered,
		.before = def->before,
		.unit = def->unit,
		.none_means = def->none_means,
	};

	if (def->of != CHAN_OF_THREAD) {
		c->thread_type = c->cpu_type =
			declare_type(emu, type, class_of[def->of]);
	} else {
		c->thread_type = declare_type(emu, type, class_thread);
		type.title = type_title(emu, def,
			def->cpu_active ? TRACK_ACTIVE : TRACK_RUNNING);
		c->cpu_type = declare_type(emu, type, class_cpu);
		core_label_errors(emu, c->cpu_type, def->cpu_active);
	}
	if (c->local >= 0)
		declare_labels(emu, c);
}

void
view_label_all(
	struct emu *emu, int64_t value, const char *label, enum meaning means)
{
	for (int i = 0; i < THREAD_CORE; i++)
		sink_label(emu->sink, emu->core_thread_type[i], value, label,
			means);
	sink_label(emu->sink, emu->core_cpu_type[CPU_PID], value, label, means);
	sink_label(emu->sink, emu->core_cpu_type[CPU_TID], value, label, means);
	for (int i = 0; i < emu->chans.n; i++) {
		const struct emu_chan *c = &emu->chans.at[i];

		if (gap_value(c->def) == value &&
			(is_of_threads(emu, i) || c->def->of != CHAN_OF_THREAD))
			label_both(emu, c, value, label, means);
	}
	breakdown_label_all(emu, value, label, means);
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

static inline int64_t
or_nothing(int64_t value)
{
	return value != 0 ? value : VALUE_NONE;
}

static void
show_thread(struct emu *emu, struct thread *th, int chan)
{
	const struct emu_chan *c = &emu->chans.at[chan];
	struct record r = { 0 };

	if (__builtin_expect(th->lost, 0)) {
		r.value = gap_value(c->def);
	} else if (is_shown(th, chan, c->def)) {
		hold(&r, &th->has.chan[chan]);
	} else { /* hidden stack entries remain */
		r.value = or_nothing(c->def->disabled);
		r.depth = th->has.chan[chan].depth;
	}
	r.row = th->has.row;
	r.type = c->thread_type;
	show(emu, &th->has.shown[chan], c->def->emission, &r);
}

/* Shows a channel of a CPU, a process or the system. */
static void
show_own(struct emu *emu, struct holder *own, int chan)
{
	const struct emu_chan *c = &emu->chans.at[chan];
	struct record r = { 0 };

	if (!own->chan[chan].disabled) {
		hold(&r, &own->chan[chan]);
	} else {
		r.value = or_nothing(c->def->disabled);
		r.depth = own->chan[chan].depth;
	}
	r.row = own->row;
	r.type = c->thread_type;
	show(emu, &own->shown[chan], c->def->emission, &r);
}

static void
say_bad(struct emu *emu, const struct cpu *cpu, struct emu_chan *c)
{
	if (!c->bad_said)
		emu_finding(emu, FINDING_WARNING,
			"%s: the channel of the thread on%s is disabled, so "
			"the CPU's row shows Bad; reported once",
			c->def->title, cpu->name);
	c->bad_said = true;
}

/* Reports several active threads on a CPU. Events report several running
 * threads; several active threads appear only when a row must show them. */
static void
say_many(struct emu *emu, struct cpu *cpu, const struct emu_chan *c)
{
	if (cpu->many_said || cpu->virtual || cpu->running.n > 1)
		return;
	emu_finding(emu, FINDING_WARNING,
		"%s: %u threads are active on%s at the same time, so the CPU "
		"cannot show one; reported once per CPU",
		c->def->title, cpu->active.n, cpu->name);
	cpu->many_said = true;
}

/* Returns the value of a CPU's row if it cannot show the channel of a single
 * thread. */
static int64_t
value_without_thread(struct emu *emu, struct cpu *cpu, int chan)
{
	struct emu_chan *c = &emu->chans.at[chan];
	const struct crew *crew = crew_of(cpu, c->def);
	bool quiet = emu->errors == ERRORS_NULL ||
		(cpu->virtual && crew->n > 1 && emu->errors != ERRORS_ALL);

	if (crew->n == 0 && cpu->lost != NULL)
		return gap_value(c->def);
	if (crew->only != NULL && crew->only->lost)
		return gap_value(c->def);
	if (crew->n == 1)
		say_bad(emu, cpu, c);
	if (crew == &cpu->active && crew->n > 1)
		say_many(emu, cpu, c);
	if (crew->n == 0 || quiet)
		return or_nothing(c->def->idle);
	return crew->n == 1 ? VIEW_BAD : VIEW_TOO_MANY;
}

static inline void
show_in_cpu(struct emu *emu, struct cpu *cpu, int chan, struct record *r)
{
	const struct emu_chan *c = &emu->chans.at[chan];

	r->row = cpu->row;
	r->type = c->cpu_type;
	show(emu, &cpu->shown[chan], c->def->emission, r);
	if (emu->breakdowns != NULL)
		breakdown_see(emu, cpu, chan, r->value);
}

static void
show_cpu(struct emu *emu, struct cpu *cpu, int chan)
{
	const struct chan_def *def = emu->chans.at[chan].def;
	const struct thread *only = crew_of(cpu, def)->only;
	struct record r = { 0 };

	if (only != NULL && !only->lost && is_shown(only, chan, def))
		hold(&r, &only->has.chan[chan]);
	else
		r.value = value_without_thread(emu, cpu, chan);
	show_in_cpu(emu, cpu, chan, &r);
}

static void
show_core(struct emu *emu, struct shown *shown, uint32_t row, uint32_t type,
	int64_t value)
{
	struct record r = { .row = row, .type = type, .value = value };

	show(emu, shown, SKIPDUP, &r);
}

static int64_t
shown_state(const struct thread *th)
{
	return th->state == THREAD_PAUSED && th->preempted ? SHOWN_PREEMPTED
							   : th->state;
}

static void
emit_thread(struct emu *emu, struct thread *th)
{
	const uint32_t *type = emu->core_thread_type;

	show_core(emu, &th->core[THREAD_TID], th->has.row, type[THREAD_TID],
		th->lost                                    ? VALUE_LOST
			: (th->active & ACTIVE_ACTIVE) != 0 ? th->tid
							    : VALUE_NONE);
	show_core(emu, &th->core[THREAD_STATE], th->has.row, type[THREAD_STATE],
		th->lost ? VALUE_LOST : shown_state(th));
	show_core(emu, &th->core[THREAD_CPU], th->has.row, type[THREAD_CPU],
		th->lost ? VALUE_LOST : cpu_number(th->cpu));
	for (int i = 0; i < emu->chans.n && th->changed; i++)
		if (emu->chans.at[i].def->thread != TRACK_NONE &&
			is_of_threads(emu, i))
			show_thread(emu, th, i);
}

/* Returns true if the CPU's row of a channel is written again in any case. The
 * CPU's only active thread may stay the same and yet stop showing the
 * channel. */
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
	int64_t none = cpu->lost != NULL ? VALUE_LOST : VALUE_NONE;

	show_core(emu, &cpu->core[CPU_RUNNING], cpu->row, type[CPU_RUNNING],
		cpu->running.n);
	if (cpu->running.changed) {
		show_core(emu, &cpu->core[CPU_PID], cpu->row, type[CPU_PID],
			only == NULL ? none : only->process->pid);
		show_core(emu, &cpu->core[CPU_TID], cpu->row, type[CPU_TID],
			only == NULL ? none : only->tid);
	}
	for (int i = 0; i < emu->chans.n; i++)
		if (is_renewed(cpu, emu->chans.at[i].def) &&
			is_of_threads(emu, i))
			show_cpu(emu, cpu, i);
}

/* Shows a changed channel that is disabled now, or whose thread has changed its
 * state. After a change of state the channel was shown already, unless it is
 * one that is always shown. */
static void __attribute__((noinline))
emit_other(struct emu *emu, struct thread *th, int chan, bool switched)
{
	const struct chan_def *def = emu->chans.at[chan].def;

	if (!is_shown(th, chan, def) &&
		!(switched && is_tracked(th, def->thread)))
		return;
	if (!th->changed || def->thread == TRACK_NONE)
		show_thread(emu, th, chan);
	if (th->cpu != NULL && crew_of(th->cpu, def)->only == th &&
		!is_renewed(th->cpu, def))
		show_cpu(emu, th->cpu, chan);
}

static void __attribute__((noinline))
emit_own(struct emu *emu, struct holder *own, int chan, bool switched)
{
	if (!own->chan[chan].disabled || switched)
		show_own(emu, own, chan);
}

/* Shows a changed channel: in most cases in the rows of the thread and of the
 * CPU where it runs. */
static inline void
emit_dirty(struct emu *emu, struct holder *of, int chan, bool switched)
{
	struct thread *th = of->thread;
	const struct emu_chan *c = &emu->chans.at[chan];
	struct cpu *cpu;
	const struct crew *crew;
	struct record r;

	if (__builtin_expect(th == NULL, 0)) {
		emit_own(emu, of, chan, switched);
		return;
	}
	cpu = th->cpu;
	if (__builtin_expect(th->changed || !is_shown(th, chan, c->def), 0)) {
		emit_other(emu, th, chan, switched);
		return;
	}
	hold(&r, &th->has.chan[chan]);
	r.row = th->has.row;
	r.type = c->thread_type;
	show(emu, &th->has.shown[chan], c->def->emission, &r);
	if (cpu == NULL)
		return;
	crew = crew_of(cpu, c->def);
	if (crew->only == th && !crew->changed)
		show_in_cpu(emu, cpu, chan, &r);
}

static void
cpu_seen(struct cpu *cpu)
{
	cpu->running.changed = cpu->active.changed = cpu->touched = false;
}

static void
begin_own(struct emu *emu, struct holder *own, enum chan_owner of)
{
	for (int i = 0; i < emu->chans.n && own != NULL; i++)
		if (emu->chans.at[i].def->of == of)
			show_own(emu, own, i);
}

void
view_add_process(struct emu *emu, struct process *p)
{
	declare_process(emu, p);
	begin_own(emu, p->own, CHAN_OF_PROCESS);
}

void
view_begin(struct emu *emu)
{
	for (int i = 0; i < emu->system.ncpus; i++)
		begin_own(emu, emu->system.cpus[i].own, CHAN_OF_CPU);
	for (int i = 0; i < emu->system.nprocesses; i++)
		begin_own(emu, emu->system.processes[i].own, CHAN_OF_PROCESS);
	begin_own(emu, emu->system.own, CHAN_OF_SYSTEM);
}

/* Updates the rows of threads and CPUs that changed their state. */
static void __attribute__((noinline)) emit_changed(struct emu *emu)
{
	for (int i = 0; i < emu->changed_threads.n; i++)
		emit_thread(emu, emu->changed_threads.at[i]);
	for (int i = 0; i < emu->touched_cpus.n; i++)
		emit_cpu(emu, emu->touched_cpus.at[i]);
}

static void __attribute__((noinline)) forget_changed(struct emu *emu)
{
	for (int i = 0; i < emu->changed_threads.n; i++)
		emu->changed_threads.at[i]->changed = false;
	for (int i = 0; i < emu->touched_cpus.n; i++)
		cpu_seen(emu->touched_cpus.at[i]);
	emu->changed_threads.n = emu->touched_cpus.n = 0;
}

void
view_emit(struct emu *emu)
{
	bool changed = (emu->changed_threads.n | emu->touched_cpus.n) != 0;

	if (__builtin_expect(changed, 0))
		emit_changed(emu);
	for (int i = 0; i < emu->dirty.n; i++) {
		struct dirty d = emu->dirty.at[i];

		d.of->chan[d.chan].noted = false;
		emit_dirty(emu, d.of, d.chan, d.switched);
	}
	if (emu->breakdowns != NULL)
		breakdown_emit(emu);
	if (__builtin_expect(changed, 0))
		forget_changed(emu);
	emu->dirty.n = 0;
}
