/* SPDX-License-Identifier: MIT */
#include "emu/counter.h"

#include <string.h>

#include "base/arena.h"
#include "emu/change.h"
#include "emu/models/counters.h"
#include "emu/state.h"

/* Returns the index of the struct's first member, and their number in *n. */
static int
members(const struct event_class *class, const char *name, int *n)
{
	int at = name == NULL ? -1 : trace_class_field(class, name);

	*n = at < 0 || class->field[at].type != FIELD_STRUCT
		? 0
		: class->field[at].n;
	return at + 1;
}

static void
add_name(struct counter_names *to, struct arena *a, const struct field *f)
{
	if (f->name == NULL || f->type > FIELD_I64)
		return;
	for (int i = 0; i < to->at.n; i++)
		if (strcmp(to->at.at[i], f->name) == 0)
			return;
	VEC_PUSH(&to->at, a, f->name);
}

void
counter_names(struct counter_names *to, struct arena *a, const struct trace *t,
	const struct model *m)
{
	for (int i = 0; i < t->classes.n; i++) {
		const struct event_class *c = &t->classes.at[i];
		int n, first = members(c, m->counters_in, &n);

		for (int j = first; j < first + n; j++)
			add_name(to, a, &c->field[j]);
	}
}

static const struct counter_def *
find_def(const char *name)
{
	for (int i = 0; i < ncounters; i++)
		if (strcmp(counters[i].name, name) == 0)
			return &counters[i];
	return NULL;
}

static int
find_counter(const struct emu *emu, const char *field)
{
	for (int i = 0; i < emu->counters.n; i++)
		if (strcmp(emu->counters.at[i].field, field) == 0)
			return i;
	return -1;
}

/* Adds the channel of a counter. An unknown counter gets the next free
 * number. */
static void
add_chan(struct emu *emu, const struct model *m, const char *field)
{
	const struct counter_def *known = find_def(field);
	struct chan_def *def = ARENA_NEW(emu->arena, struct chan_def);

	*def = (struct chan_def){
		.key = field,
		.title = field,
		.number = known == NULL ? m->counters_from + emu->counters.n
					: known->number,
		.shows = TYPE_NUMBER,
		.of = CHAN_OF_CPU,
		.dup = true,
		.plain = true,
	};
	VEC_PUSH(&emu->counters, emu->arena,
		((struct emu_counter){ field, emu_add_chan(emu, def, m, -1) }));
}

void
counter_add_chans(struct emu *emu, const struct model *m)
{
	struct counter_names names = { 0 };

	counter_names(&names, emu->arena, emu->trace, m);
	for (int i = 0; i < names.at.n; i++)
		if (find_counter(emu, names.at.at[i]) < 0)
			add_chan(emu, m, names.at.at[i]);
}

/* Binds a field to its channel of the CPU. */
static const struct binding *
show_field(struct emu *emu, const struct event_class *class, int field,
	const struct binding *next)
{
	static const struct model_row row = { .action = ROW_SHOW,
		.owner = OWNER_CPU };
	struct binding *b;
	int i = find_counter(emu, class->field[field].name);

	if (i < 0)
		return next;
	b = ARENA_NEW(emu->arena, struct binding);
	*b = *next;
	b->action = ACTION_ROW;
	b->row = &row;
	b->chan = (uint16_t)emu->counters.at[i].chan;
	b->nargs = 1;
	b->arg[0].at = (uint16_t)field;
	b->arg[0].type = (uint8_t) class->field[field].type;
	b->next = next;
	return b;
}

const struct binding *
counter_bind(struct emu *emu, const struct event_class *class,
	const struct binding *b)
{
	int n, first;

	if (b->model == NULL)
		return b;
	first = members(class, b->model->counters_in, &n);
	for (int i = first; i < first + n; i++)
		if (class->field[i].name != NULL)
			b = show_field(emu, class, i, b);
	return b;
}
