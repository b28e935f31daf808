/* SPDX-License-Identifier: MIT */
#include "emu/breakdown.h"

#include "base/arena.h"
#include "base/bug.h"
#include "emu/state.h"
#include "emu/view.h"
#include "export/sink.h"

void
breakdown_order_init(struct breakdown_order *o, struct arena *a, int n)
{
	*o = (struct breakdown_order){
		.value = ARENA_ARRAY(a, int64_t, (size_t)n),
		.other = ARENA_ARRAY(a, int, (size_t)n),
		.changed = ARENA_ARRAY(a, int, (size_t)n),
		.is_changed = ARENA_ARRAY(a, bool, (size_t)n),
		.n = n,
	};
	o->other[0] = n - 1;
}

/* The first position whose value is at least v; n if there is none. */
static int
lower_bound(const struct breakdown_order *o, int64_t v)
{
	int low = 0, high = o->n;

	while (low < high) {
		int half = low + (high - low) / 2;

		if (o->value[half] < v)
			low = half + 1;
		else
			high = half;
	}
	return low;
}

static void
set(struct breakdown_order *o, int at, int64_t value)
{
	o->value[at] = value;
	if (o->is_changed[at])
		return;
	o->is_changed[at] = true;
	o->changed[o->nchanged++] = at;
}

static void
set_run(struct breakdown_order *o, int first, int last)
{
	o->other[first] = last;
	o->other[last] = first;
}

/* The hole that the smaller value leaves moves to where the larger belongs:
 * each run of values between comes one down. */
static void
raise_value(struct breakdown_order *o, int first, int64_t to)
{
	int hole = o->other[first], last;

	if (first < hole)
		set_run(o, first, hole - 1);
	while (hole + 1 < o->n && o->value[hole + 1] < to) {
		last = o->other[hole + 1];
		set(o, hole, o->value[last]);
		set_run(o, hole, last - 1);
		hole = last;
	}
	last = hole;
	if (hole + 1 < o->n && o->value[hole + 1] == to)
		last = o->other[hole + 1];
	set(o, hole, to);
	set_run(o, hole, last);
}

static void
lower_value(struct breakdown_order *o, int hole, int64_t to)
{
	int last = o->other[hole], first;

	if (hole < last)
		set_run(o, hole + 1, last);
	while (hole > 0 && o->value[hole - 1] > to) {
		first = o->other[hole - 1];
		set(o, hole, o->value[first]);
		set_run(o, first + 1, hole);
		hole = first;
	}
	first = hole;
	if (hole > 0 && o->value[hole - 1] == to)
		first = o->other[hole - 1];
	set(o, hole, to);
	set_run(o, first, hole);
}

void
breakdown_order_replace(struct breakdown_order *o, int64_t from, int64_t to)
{
	int first;

	if (from == to)
		return;
	first = lower_bound(o, from);
	BUG_ON(first == o->n || o->value[first] != from);
	if (from < to)
		raise_value(o, first, to);
	else
		lower_value(o, first, to);
}

void
breakdown_order_seen(struct breakdown_order *o)
{
	for (int i = 0; i < o->nchanged; i++)
		o->is_changed[o->changed[i]] = false;
	o->nchanged = 0;
}

/* What a channel is for the breakdown of its model. */
enum role { TYPE, SUBSYSTEM, IDLE, ROLES };

/* What a CPU does unless it is idle: where that is read. */
enum choice {
	FROM_NOTHING,
	FROM_TYPE,
	FROM_SUBSYSTEM,
};

/* A physical CPU: what its rows show, and what becomes of it. */
struct slot {
	int64_t in[ROLES];
	uint8_t seen;   /* bit of a role: it was looked at in this event */
	uint8_t choice; /* enum choice, as chosen when subsystem was seen */
	int64_t value;  /* 0: nothing */
};

struct breakdown {
	const struct breakdown_def *def;
	struct breakdown *next;
	struct slot *slots;      /* by index of the CPU */
	VEC(struct slot *) seen; /* in this event */
	struct breakdown_order order;
	int64_t *written; /* by row: what it shows; 0: nothing */
	bool begun;       /* rows have a record */
	uint32_t first_row, type;
};

/* A channel of the emulator that a breakdown reads. */
struct input {
	struct breakdown *to; /* NULL: none does */
	enum role role;
};

/* Those of all enabled models. */
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
			arena_printf(emu->arena, "~CPU %4d", b->order.n - i) };

		sink_row(emu->sink, &row);
	}
}

/* Labels of all values of a channel that its model knows beforehand. */
static void
declare_labels(struct emu *emu, const struct breakdown *b,
	const struct model *m, int chan)
{
	struct label_def l;

	for (int pos = 0; model_next_label(m, &pos, &l);)
		if (l.chan == chan)
			sink_label(emu->sink, b->type, l.value, l.label);
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
	};

	declare_rows(emu, b, class);
	b->type = type.id;
	sink_type(emu->sink, &type);
	declare_labels(emu, b, m, b->def->subsystem);
	declare_labels(emu, b, m, b->def->idle);
	view_label_errors(emu, b->type);
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
	b->written = ARENA_ARRAY(emu->arena, int64_t, (size_t)ncpus);
	for (int i = 0; i < n * ROLES; i++)
		b->slots[i / ROLES].in[i % ROLES] = VALUE_NONE;
	breakdown_order_init(&b->order, emu->arena, ncpus);
	declare(emu, b, m);
	return b;
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

		if (m->breakdown == NULL)
			continue;
		*last = add(emu, m, ncpus);
		of[m->breakdown->type] = (struct input){ *last, TYPE };
		of[m->breakdown->subsystem] =
			(struct input){ *last, SUBSYSTEM };
		of[m->breakdown->idle] = (struct input){ *last, IDLE };
		last = &(*last)->next;
	}
	return all;
}

void
breakdown_label(struct emu *emu, int chan, int64_t value, const char *text)
{
	const struct breakdown *b;

	if (emu->breakdowns == NULL)
		return;
	b = emu->breakdowns->of[chan].to;
	if (b != NULL)
		sink_label(emu->sink, b->type, value, text);
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
		VEC_PUSH(&in.to->seen, emu->arena, slot);
	slot->seen |= (uint8_t)(1u << in.role);
	slot->in[in.role] = value;
}

/* The choice holds until the subsystem is seen again, whatever becomes of the
 * type: a task that pauses leaves a hole. */
static void
choose(struct slot *slot, const struct breakdown_def *def)
{
	int64_t subsystem = slot->in[SUBSYSTEM];

	if (subsystem == def->body && slot->in[TYPE] != VALUE_NONE)
		slot->choice = FROM_TYPE;
	else if (subsystem != VALUE_NONE)
		slot->choice = FROM_SUBSYSTEM;
	else
		slot->choice = FROM_NOTHING;
}

static int64_t
unless_idle(const struct slot *slot, const struct breakdown_def *def)
{
	switch ((enum choice)slot->choice) {
	case FROM_TYPE:
		return slot->in[TYPE];
	case FROM_SUBSYSTEM:
		return slot->in[SUBSYSTEM];
	case FROM_NOTHING:
		break;
	}
	return def->unknown;
}

/* What was seen of a CPU in this event, as if in the order of the roles. */
static void
step(struct breakdown *b, struct slot *slot)
{
	int64_t before = slot->value, now = slot->in[IDLE];

	if (slot->seen & 1u << SUBSYSTEM)
		choose(slot, b->def);
	slot->seen = 0;
	if (now == b->def->progressing)
		now = unless_idle(slot, b->def);
	slot->value = now == VALUE_NONE ? 0 : now;
	breakdown_order_replace(&b->order, before, slot->value);
}

static void
write_row(struct emu *emu, struct breakdown *b, int row)
{
	int64_t value = b->order.value[row];
	struct record r = { .time = emu->now,
		.row = b->first_row + (uint32_t)row,
		.type = b->type,
		.value = value == 0 ? VALUE_NONE : value };

	b->written[row] = value;
	sink_state(emu->sink, &r);
}

/* The first time, all rows are written. A row may also have come back to what
 * it shows: two CPUs changed. */
static void
write_changed(struct emu *emu, struct breakdown *b)
{
	const struct breakdown_order *o = &b->order;
	int n = o->nchanged;
	bool down = o->changed[0] > o->changed[n - 1];

	if (!b->begun)
		for (int i = 0; i < o->n; i++)
			write_row(emu, b, i);
	b->begun = true;
	for (int i = 0; i < n; i++) {
		int row = o->changed[down ? n - 1 - i : i];

		if (o->value[row] != b->written[row])
			write_row(emu, b, row);
	}
	breakdown_order_seen(&b->order);
}

void
breakdown_emit(struct emu *emu)
{
	struct breakdown *b = emu->breakdowns->first;

	for (; b != NULL; b = b->next) {
		for (int i = 0; i < b->seen.n; i++)
			step(b, b->seen.at[i]);
		b->seen.n = 0;
		if (b->order.nchanged > 0)
			write_changed(emu, b);
	}
}
