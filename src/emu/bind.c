/* SPDX-License-Identifier: MIT */
#include "emu/bind.h"

#include <string.h>

#include "base/arena.h"
#include "base/bug.h"
#include "export/sink.h"
#include "trace/trace.h"

/* The state of a look-up. */
struct search {
	struct arena *arena;
	const struct event_class *class;
	const char *name;     /* name of the class, without the model's
	                       * prefix */
	int first_chan, slot; /* first channel and index of the model */
	struct binding *first, *binding; /* the first binding found, and the
	                                  * last */
};

/* Appends another action to the event's binding. */
static struct binding *
add(struct search *s, const struct model *m, int chan)
{
	struct binding *b = ARENA_NEW(s->arena, struct binding);

	b->model = m;
	b->need = (uint8_t)m->need;
	b->first_chan = (uint16_t)s->first_chan;
	b->slot = (uint16_t)s->slot;
	b->chan = (uint16_t)(chan + s->first_chan);
	if (s->first == NULL)
		s->first = b;
	else
		s->binding->next = b;
	s->binding = b;
	return b;
}

/* Appends the effect of a channel that says whether the thread is on a CPU. */
static void
add_away(struct search *s, const struct model *m, int chan)
{
	if (m->chans[chan].away)
		add(s, m, chan)->action = ACTION_AWAY;
}

static void
find_spans(struct search *s, const struct model *m)
{
	for (int i = 0; i < m->nspans; i++) {
		const struct span_def *d = &m->spans[i];
		bool in = signature_match(d->in, s->name);
		struct binding *b;
		char end[128];

		if (!in && !signature_match(d->out, s->name))
			continue;
		b = add(s, m, d->chan);
		b->action = in ? ACTION_PUSH : ACTION_POP;
		b->value = d->value;
		b->says = in ? d->says
			     : arena_strdup(s->arena,
				       model_span_end(
					       d->says, end, (int)sizeof end));
		add_away(s, m, d->chan);
	}
}

static void
find_sets(struct search *s, const struct model *m)
{
	for (int i = 0; i < m->nsets; i++) {
		const struct set_def *d = &m->sets[i];
		struct binding *b;

		if (!signature_match(d->event, s->name))
			continue;
		b = add(s, m, d->chan);
		b->action = ACTION_SET;
		b->value = d->value;
		b->says = d->says;
		add_away(s, m, d->chan);
	}
}

/* Returns the index of the field that holds argument i, found by one of its
 * names or else by its position. */
static int
field_of(const struct event_class *class, const struct signature *sig,
	int position)
{
	int at = trace_class_field(class, sig->arg[position].name);

	if (at < 0 && sig->other[position] != NULL)
		at = trace_class_field(class, sig->other[position]);
	if (at >= 0)
		return at;
	if (position < class->nfields && class->field[position].name == NULL)
		return position;
	return -1;
}

/* Kinds of fields; an argument must have a field of its own kind. */
enum kind { INTEGER, FLOATING, TEXT, OTHER };

static enum kind
kind_of(uint32_t type)
{
	if (type <= FIELD_I64)
		return INTEGER;
	return type == FIELD_F64 ? FLOATING : type == FIELD_STR ? TEXT : OTHER;
}

/* Returns true if the fields have no names, as in hand-written events: then
 * an event must have all fields. */
static bool
by_position(const struct event_class *class)
{
	return class->nfields > 0 && class->field[0].name == NULL;
}

static void
place_in_fields(struct search *s, const struct signature *sig, int needed)
{
	struct binding *b = s->binding;

	for (int i = 0; i < sig->nargs; i++) {
		int at = field_of(s->class, sig, i);

		if (at < 0 && i < needed)
			b->trouble = arena_printf(s->arena,
				"missing payload: no argument \"%s\"",
				sig->arg[i].name);
		if (at < 0)
			break;
		b->arg[i].at = (uint16_t)at;
		b->arg[i].type = (uint8_t)s->class->field[at].type;
		/* Hand-written arguments have no type of their own. */
		if (by_position(s->class) && b->arg[i].type == FIELD_I64 &&
			kind_of(sig->arg[i].type) == INTEGER)
			b->arg[i].type = (uint8_t)sig->arg[i].type;
		if (kind_of(b->arg[i].type) != kind_of(sig->arg[i].type))
			b->trouble = arena_printf(s->arena,
				"argument \"%s\" is not a %s", sig->arg[i].name,
				signature_type_name(sig->arg[i].type));
		b->nargs++;
	}
}

static void
place_in_bytes(struct search *s, const struct signature *sig, int needed)
{
	struct binding *b = s->binding;

	for (int i = 0; i < sig->nargs; i++) {
		b->arg[i].type = (uint8_t)sig->arg[i].type;
		b->arg[i].at = (uint16_t)signature_size(sig, i);
	}
	b->nargs = sig->nargs;
	b->size = signature_size(sig, needed);
}

static void
place_args(struct search *s, const struct signature *sig, enum payload payload)
{
	int needed = payload == PAYLOAD_ANY ? 0
		: payload == PAYLOAD_FIRST && !by_position(s->class)
		? 1
		: sig->nargs;

	for (int i = 0; i < sig->nargs; i++) {
		s->binding->arg[i].name =
			arena_strdup(s->arena, sig->arg[i].name);
		s->binding->arg[i].wants = (uint8_t)sig->arg[i].type;
	}
	if (s->class->described)
		place_in_fields(s, sig, needed);
	else
		place_in_bytes(s, sig, needed);
	s->binding->exact = payload == PAYLOAD_EXACT && !s->class->described;
	if (sig->jumbo && !s->class->jumbo)
		s->binding->trouble = "expecting a jumbo event";
}

/* Returns true if the row's signature matches the event; parses it into
 * *sig. */
static bool
fits(const struct search *s, const char *text, struct signature *sig)
{
	struct err err = { 0 };

	/* A table test parses the signatures of the built-in models; those of a
	 * model file were parsed when it was read. */
	BUG_ON(!signature_parse(sig, text, &err));
	return signature_match(sig->name, s->name);
}

static void
find_events(struct search *s, const struct model *m)
{
	for (int i = 0; i < m->nevents; i++) {
		const struct event_def *d = &m->events[i];
		struct signature sig;
		struct binding *b;

		if (!fits(s, d->signature, &sig))
			continue;
		b = add(s, m, 0);
		b->says = d->says;
		b->call = d->call;
		b->value = i;
		b->action = d->call == NULL ? ACTION_IGNORE : ACTION_CALL;
		place_args(s, &sig, d->payload);
	}
}

/* Returns the state that a row enters or leaves, or else the event's name. */
static const char *
row_verb(const struct search *s, const struct model *m,
	const struct model_row *d)
{
	bool in = d->action == ROW_PUSH;
	const char *label = NULL;

	if ((in || d->action == ROW_POP) && d->arg < 0)
		label = model_label(m, d->chan, d->value);
	if (label == NULL || strchr(label, '%') != NULL)
		return s->class->name;
	return arena_printf(
		s->arena, "%s \"%s\"", in ? "enters" : "leaves", label);
}

/* Makes a sentence for a row without one: the verb and all arguments. */
static const char *
row_says(const struct search *s, const struct model *m,
	const struct model_row *d, const struct signature *sig)
{
	const char *says = row_verb(s, m, d);

	for (int i = 0; i < sig->nargs; i++)
		says = arena_printf(s->arena, "%s%s%s %%{%s}", says,
			i == 0 ? ": " : ", ", sig->arg[i].name,
			sig->arg[i].name);
	return says;
}

static void
find_rows(struct search *s, const struct model *m)
{
	for (int i = 0; i < m->nrows; i++) {
		const struct model_row *d = &m->rows[i];
		struct signature sig;
		struct binding *b;

		if (!fits(s, d->signature, &sig))
			continue;
		b = add(s, m, d->chan);
		/* A sentence written in the model row is better than one made
		 * up here. */
		b->says = d->says != NULL        ? d->says
			: s->first->says != NULL ? s->first->says
						 : row_says(s, m, d, &sig);
		b->row = d;
		b->action =
			d->action == ROW_IGNORE ? ACTION_IGNORE : ACTION_ROW;
		place_args(s, &sig, PAYLOAD_ALL);
	}
}

/* Binds an event that has no other action to a value that is shown for 1 ns. */
static void
find_point(struct search *s, const struct model *m)
{
	for (int i = 0; i < m->npoints; i++) {
		if (!signature_match(m->points[i].event, s->name))
			continue;
		s->binding->action = ACTION_POINT;
		s->binding->chan =
			(uint16_t)(m->points[i].chan + s->first_chan);
		s->binding->value = m->points[i].value;
	}
}

/* Adds the bindings of a model. Returns false if it has no row for the
 * event. */
static bool
find(struct search *s, const struct model *m)
{
	size_t n = m->prefix == NULL ? 0 : strlen(m->prefix);

	if (n > 0 && strncmp(s->class->name, m->prefix, n) != 0)
		return false;
	s->name = s->class->name + n;
	find_spans(s, m);
	find_sets(s, m);
	find_rows(s, m);
	find_events(s, m);
	return s->first != NULL;
}

struct binding *
bind_class(struct arena *a, const struct event_class *class,
	const struct model *const *m, const int *first, int n, bool points)
{
	struct search s = { .arena = a, .class = class };

	for (int i = 0; i < n; i++) {
		s.first_chan = first[i];
		s.slot = i;
		if (!find(&s, m[i]))
			continue;
		if (points && s.binding->action == ACTION_IGNORE)
			find_point(&s, m[i]);
		return s.first;
	}
	return ARENA_NEW(a, struct binding);
}

/* Reads a field and extends it to 64 bits by its sign. */
static int64_t
load(const uint8_t *at, enum field_type type)
{
	union {
		uint8_t u8;
		uint16_t u16;
		uint32_t u32;
		int8_t i8;
		int16_t i16;
		int32_t i32;
		int64_t i64;
	} v = { 0 };

	switch (type) {
	case FIELD_U8:
		return *at;
	case FIELD_U16:
		memcpy(&v, at, 2);
		return v.u16;
	case FIELD_U32:
		memcpy(&v, at, 4);
		return v.u32;
	case FIELD_I8:
		memcpy(&v, at, 1);
		return v.i8;
	case FIELD_I16:
		memcpy(&v, at, 2);
		return v.i16;
	case FIELD_I32:
		memcpy(&v, at, 4);
		return v.i32;
	case FIELD_U64:
	case FIELD_I64:
		memcpy(&v, at, 8);
		return v.i64;
	default:
		break;
	}
	return 0;
}

int64_t
bind_i64(const struct binding *b, const struct event *ev, int i)
{
	const struct arg *arg = &b->arg[i];

	if (!bind_has(b, ev, i))
		return 0;
	if (ev->value != NULL)
		return ev->value[arg->at].i;
	return load(ev->data + arg->at, arg->type);
}

bool
bind_has(const struct binding *b, const struct event *ev, int i)
{
	if (i >= b->nargs)
		return false;
	return ev->value != NULL ||
		ev->size >= b->arg[i].at + signature_type_size(b->arg[i].type);
}

const char *
bind_str(const struct binding *b, const struct event *ev, int i)
{
	const struct arg *arg = &b->arg[i];
	const uint8_t *text;

	if (!bind_has(b, ev, i) || arg->type != FIELD_STR)
		return NULL;
	if (ev->value != NULL)
		return ev->value[arg->at].s;
	text = ev->data + arg->at;
	if (memchr(text, '\0', ev->size - arg->at) == NULL)
		return NULL;
	return (const char *)text;
}
