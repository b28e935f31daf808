/* SPDX-License-Identifier: MIT */
#include "emu/breakdown.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/bug.h"
#include "emu/core.h"
#include "emu/state.h"
#include "export/sink.h"

/* The role of a channel in the breakdown of its model; NOTHING: no channel. */
enum role { TYPE, SUBSYSTEM, IDLE, NOTHING, ROLES };

/* A physical CPU: the values of its rows, and the value that follows. */
struct slot {
	int64_t in[ROLES];
	uint8_t seen;   /* bit per role: the channel was seen in this event */
	uint8_t choice; /* role whose value is used unless the CPU is idle;
	                 * chosen when the subsystem was seen */
	int64_t value;  /* 0: nothing */
};

struct breakdown {
	const struct breakdown_def *def;
	struct breakdown *next;
	struct slot *slots; /* by the CPU's index */
	int *position;      /* by the CPU's index: among the physical CPUs */
	struct slot **seen; /* slots seen in this event, each once */
	int nseen;
	struct breakdown_order order;
	uint32_t first_row, type;
};

/* A channel that a breakdown reads. */
struct input {
	struct breakdown *to; /* NULL: no breakdown */
	enum role role;
};

/* The breakdowns of all enabled models. */
struct breakdowns {
	struct input *of; /* by channel */
	struct breakdown *first;
};

static void
declare_rows(struct emu *emu, struct breakdown *b, const char *class)
{
	b->first_row = emu->nrows;
	for (int i = 0; i < b->order.n; i++) {
		struct row row = { emu->nrows++, ROW_NONE, class,
			arena_printf(emu->arena, "~CPU %4d", b->order.n - i),
			NULL };

		sink_row(emu->sink, &row);
	}
}

/* Declares the labels of the values that the model defines for a channel. */
static void
declare_labels(struct emu *emu, const struct breakdown *b,
	const struct model *m, int chan)
{
	struct label_def l;

	for (int pos = 0; model_next_label(m, &pos, &l);)
		if (l.chan == chan)
			sink_label(
				emu->sink, b->type, l.value, l.label, l.means);
}

static void
declare(struct emu *emu, struct breakdown *b, const struct model *m)
{
	const char *class = arena_printf(emu->arena, "%s-breakdown", m->name);
	struct type type = {
		.id = emu->ntypes++,
		.class = class,
		.key = arena_printf(emu->arena, "%s.breakdown", m->name),
		.title = b->def->title,
		.none = emu->strict ? NULL : "Nothing",
		.number = b->def->number,
		.none_means = MEANS_IDLE,
	};

	declare_rows(emu, b, class);
	b->type = type.id;
	sink_type(emu->sink, &type);
	declare_labels(emu, b, m, b->def->subsystem);
	if (b->def->idle != BREAKDOWN_NO_IDLE)
		declare_labels(emu, b, m, b->def->idle);
	core_label_errors(emu, b->type, false);
}

static int
count_physical(const struct system *sys)
{
	int n = 0;

	for (int i = 0; i < sys->ncpus; i++)
		n += !sys->cpus[i].virtual;
	return n;
}

static struct breakdown *
add(struct emu *emu, const struct model *m, int ncpus)
{
	struct breakdown *b = ARENA_NEW(emu->arena, struct breakdown);
	int n = emu->system.ncpus;

	b->def = m->breakdown;
	b->slots = ARENA_ARRAY(emu->arena, struct slot, (size_t)n);
	b->seen = ARENA_ARRAY(emu->arena, struct slot *, (size_t)n);
	b->position = ARENA_ARRAY(emu->arena, int, (size_t)n);
	for (int i = 0, at = 0; i < n; i++) {
		b->slots[i] = (struct slot){
			.in = { VALUE_NONE, VALUE_NONE, VALUE_NONE,
				b->def->unknown },
			.choice = NOTHING,
		};
		b->position[i] = at;
		at += !emu->system.cpus[i].virtual;
	}
	breakdown_order_init(&b->order, emu->arena, ncpus);
	declare(emu, b, m);
	return b;
}

/* Adds a finding about the trace; scripts look for its text right behind the
 * severity. */
static void __attribute__((format(printf, 3, 4)))
complain(const struct emu *emu, enum finding_severity severity, const char *fmt,
	...)
{
	char text[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	finding_add(emu->findings,
		(struct finding){ .severity = severity,
			.file = emu->strict ? NULL : emu->trace->path,
			.offset = FINDING_NOWHERE,
			.time = FINDING_NEVER },
		"%s", text);
}

/* Returns true if each thread says that the model can be broken down, or if the
 * model does not ask. */
static bool
may_break(struct emu *emu, const struct model *m)
{
	const struct trace *t = emu->trace;
	int n = 0;
	bool unsaid = false;

	for (int i = 0; i < t->threads.n; i++) {
		n += t->threads.at[i].can_breakdown == TRACE_SAID_YES;
		unsaid |= t->threads.at[i].can_breakdown == TRACE_UNSAID;
	}
	if (m->breakdown->asks == NULL || n == t->threads.n)
		return true;
	if (unsaid && emu->strict)
		complain(emu, FINDING_ERROR, "missing %s.can_breakdown key",
			m->name);
	else if (!emu->strict)
		complain(emu, FINDING_WARNING,
			"no breakdown of %s: %d of %d threads do not say that "
			"they can be part of one (%s.can_breakdown)",
			m->breakdown->asks, t->threads.n - n, t->threads.n,
			m->name);
	else
		complain(emu, FINDING_WARNING,
			"cannot enable breakdown for %s model (suitable %d/%d)",
			m->breakdown->asks, n, t->threads.n);
	return false;
}

struct breakdowns *
breakdown_open(struct emu *emu)
{
	struct breakdowns *all = ARENA_NEW(emu->arena, struct breakdowns);
	struct breakdown **last = &all->first;
	int ncpus = count_physical(&emu->system);

	all->of = ARENA_ARRAY(emu->arena, struct input, (size_t)emu->chans.n);
	for (int i = 0; i < emu->enabled.model.n && ncpus > 0; i++) {
		const struct model *m = emu->enabled.model.at[i];
		struct input *of = &all->of[emu->enabled.first.at[i]];

		if (m->breakdown == NULL || !may_break(emu, m))
			continue;
		*last = add(emu, m, ncpus);
		of[m->breakdown->type] = (struct input){ *last, TYPE };
		of[m->breakdown->subsystem] =
			(struct input){ *last, SUBSYSTEM };
		if (m->breakdown->idle != BREAKDOWN_NO_IDLE)
			of[m->breakdown->idle] = (struct input){ *last, IDLE };
		last = &(*last)->next;
	}
	return all;
}

void
breakdown_label_all(
	struct emu *emu, int64_t value, const char *text, enum meaning means)
{
	const struct breakdown *b =
		emu->breakdowns == NULL ? NULL : emu->breakdowns->first;

	for (; b != NULL; b = b->next)
		sink_label(emu->sink, b->type, value, text, means);
}

void
breakdown_label(struct emu *emu, int chan, int64_t value, const char *text)
{
	const struct breakdown *b;

	if (emu->breakdowns == NULL)
		return;
	b = emu->breakdowns->of[chan].to;
	if (b != NULL)
		sink_label(emu->sink, b->type, value, text,
			emu->chans.at[chan].def->means);
}

void
breakdown_see(struct emu *emu, const struct cpu *cpu, int chan, int64_t value)
{
	struct input in = emu->breakdowns->of[chan];
	struct slot *slot;

	if (in.to == NULL || cpu->virtual)
		return;
	slot = &in.to->slots[cpu->index];
	if (slot->seen == 0)
		in.to->seen[in.to->nseen++] = slot;
	slot->seen |= (uint8_t)(1u << in.role);
	slot->in[in.role] = value;
}

/* Chooses the role. The choice holds until the subsystem is seen again, even if
 * the type changes meanwhile: while a task is paused, the CPU has no value. */
static void
choose(struct slot *slot, const struct breakdown_def *def)
{
	int64_t subsystem = slot->in[SUBSYSTEM];

	if (subsystem == def->body && slot->in[TYPE] != VALUE_NONE)
		slot->choice = TYPE;
	else if (subsystem != VALUE_NONE)
		slot->choice = SUBSYSTEM;
	else
		slot->choice = NOTHING;
}

/* Computes the CPU's value from the channels that this event changed: idle
 * first, then the type of task or the subsystem. */
static void
find_value(const struct breakdown *b, struct slot *slot)
{
	int64_t now = slot->in[IDLE];

	if (slot->seen & 1u << SUBSYSTEM)
		choose(slot, b->def);
	slot->seen = 0;
	if (b->def->idle == BREAKDOWN_NO_IDLE)
		now = slot->in[slot->in[TYPE] != VALUE_NONE ? TYPE : SUBSYSTEM];
	else if (now == b->def->progressing)
		now = slot->in[slot->choice];
	slot->value = now == VALUE_NONE ? 0 : now;
}

static void
step(struct breakdown *b, struct slot *slot)
{
	int64_t before = slot->value;

	find_value(b, slot);
	breakdown_order_replace(&b->order, before, slot->value);
}

struct writer {
	struct emu *emu;
	const struct breakdown *b;
};

static void
write_row(void *arg, int row, int64_t value)
{
	const struct writer *w = arg;

	sink_state(w->emu->sink,
		&(struct record){ .time = w->emu->now,
			.row = w->b->first_row + (uint32_t)row,
			.type = w->b->type,
			.value = value == 0 ? VALUE_NONE : value });
}

/* Writes the values of CPUs that this event changed, for struct
 * breakdown_join. */
static void
write_inputs(struct emu *emu, struct breakdown *b)
{
	int n = 0;

	for (int i = 0; i < b->nseen; i++) {
		struct slot *slot = b->seen[i];
		int64_t before = slot->value;

		find_value(b, slot);
		if (slot->value != before)
			b->seen[n++] = slot;
	}
	for (int i = 0; i < n; i++)
		sink_state(emu->sink,
			&(struct record){ .time = emu->now,
				.row = b->first_row +
					(uint32_t)b->position[b->seen[i] -
						b->slots],
				.type = b->type,
				.depth = (uint32_t)(n - 1 - i),
				.value = b->seen[i]->value });
	b->nseen = 0;
}

void
breakdown_emit(struct emu *emu)
{
	struct breakdown *b = emu->breakdowns->first;

	for (; b != NULL; b = b->next) {
		if (emu->part != NULL) {
			write_inputs(emu, b);
			continue;
		}
		for (int i = 0; i < b->nseen; i++)
			step(b, b->seen[i]);
		b->nseen = 0;
		breakdown_order_pass(
			&b->order, write_row, &(struct writer){ emu, b });
	}
}
