/* SPDX-License-Identifier: MIT */
#include "cli/trace/convert_events.h"

#include <string.h>

#include "base/arena.h"
#include "base/log.h"
#include "cli/trace/events.h"
#include "cli/undo.h"
#include "emu/describe.h"
#include "trace/clock.h"

#define SAYS 400

/* A field of a class that was written by hand, and how it is stored in the
 * payload. */
struct packed {
	int at; /* index of the field */
	enum field_type type;
};

/* A class of the trace, as the writer got it. */
struct passed {
	bool is_known;
	int nargs;
	struct field *arg;
	/* Of a class that was written by hand: its values become the payload
	 * that the recorder would have written. */
	int npacked;
	struct packed *packed; /* NULL: events have their payload */
};

struct copy_job {
	const struct convert_events *to;
	struct events events;
	struct writer *writer;
	const struct trace *trace;
	VEC(struct passed) classes;
	int *lost;      /* by stream: losses that were passed on */
	uint64_t nlost; /* of the trace, when the streams were looked at */
	bool waits;     /* some loss is later than the events so far */
	uint8_t *payload;
	size_t room;
};

/* Returns the type that an argument has in the payload. */
static enum field_type
type_of(const struct binding *b, int i)
{
	return (enum field_type)(
		b->trouble == NULL ? b->arg[i].wants : b->arg[i].type);
}

/* Takes the arguments from the row of a model, as far as they lie one after the
 * other. */
static void
set_args(struct arena *a, struct passed *p, const struct binding *b)
{
	p->arg = ARENA_ARRAY(a, struct field, b->nargs);
	for (int i = 0; i < b->nargs; i++) {
		bool text = b->arg[i].type == FIELD_STR;

		if (text && i + 1 < b->nargs)
			break;
		p->arg[p->nargs++] = (struct field){ .name = b->arg[i].name,
			.type = type_of(b, i) };
	}
}

/* Takes the order of the payload from the row of a model, which may differ from
 * that of the fields: these can have names. Fields that are no arguments follow
 * at the end. */
static void
set_packed(struct arena *a, struct passed *p, const struct binding *b,
	const struct event_class *c)
{
	bool *is_arg = ARENA_ARRAY(a, bool, c->nfields);

	p->packed = ARENA_ARRAY(a, struct packed, b->nargs + c->nfields + 1);
	for (int i = 0; i < b->nargs; i++) {
		p->packed[p->npacked++] =
			(struct packed){ b->arg[i].at, type_of(b, i) };
		is_arg[b->arg[i].at] = true;
	}
	for (int i = 0; i < c->nfields; i++)
		if (!is_arg[i])
			p->packed[p->npacked++] =
				(struct packed){ i, c->field[i].type };
}

/* Tells the writer about a class at its first event. */
static void __attribute__((noinline, cold))
pass_class(struct copy_job *j, uint32_t class)
{
	struct arena *a = &j->to->run->arena;
	const struct event_class *c = &j->trace->classes.at[class];
	bool plain = j->trace->parts.n == 0;
	const struct description *d = describe_plainly(a, c, j->events.models);
	char says[SAYS];
	struct passed *p;
	struct writer_class is = { .name = c->name };

	while ((uint32_t)j->classes.n <= class)
		(void)VEC_ADD(&j->classes, a);
	p = &j->classes.at[class];
	p->is_known = true;
	if (plain && d->binding->model != NULL) {
		if (d->binding->trouble == NULL)
			set_args(a, p, d->binding);
		is.name = arena_printf(
			a, "%s:%s", d->binding->model->name, c->name);
	}
	if (describe_says(d, says, sizeof says) > 0)
		is.says = says;
	if (plain && c->described)
		set_packed(a, p, d->binding, c);
	is.nargs = p->nargs;
	is.arg = p->arg;
	writer_class(j->writer, class, &is);
}

/* Appends the bytes of a value by hand. */
static uint32_t
pack(struct copy_job *j, uint32_t at, enum field_type type,
	const union value *v)
{
	const char *text = type == FIELD_STR && v->s != NULL ? v->s : "";
	size_t n = type == FIELD_STR ? strlen(text) + 1 : field_size(type);

	if (j->room < at + n + 8) {
		j->room = (at + n + 8) * 2;
		j->payload = mem_resize(j->payload, j->room, 1);
	}
	memcpy(j->payload + at, type == FIELD_STR ? (const void *)text : v, n);
	return at + (uint32_t)n;
}

/* Makes the payload of an event that was written by hand. */
static void
pack_event(struct copy_job *j, const struct passed *p, struct event *ev)
{
	uint32_t at = 0;

	for (int i = 0; i < p->npacked; i++)
		at = pack(
			j, at, p->packed[i].type, &ev->value[p->packed[i].at]);
	ev->data = j->payload;
	ev->size = at;
	ev->value = NULL;
}

/* Passes on the losses of the stream that are not later than `time`. */
static void
pass_lost(struct copy_job *j, int stream, int64_t time)
{
	const struct stream *s = &j->trace->streams.at[stream];
	const struct trace_node *n = trace_node_of(j->trace, s->thread);

	for (; j->lost[stream] < s->lost.n; j->lost[stream]++) {
		struct trace_lost l = s->lost.at[j->lost[stream]];

		if (n != NULL) {
			l.from = clock_time(n, l.from);
			l.to = clock_time(n, l.to);
		}
		if (l.from > time) {
			j->waits = true;
			return;
		}
		writer_gap(j->writer, (uint32_t)stream, &l);
	}
}

static void __attribute__((noinline, cold))
pass_all_lost(struct copy_job *j, int64_t time)
{
	j->nlost = j->trace->nlost;
	j->waits = false;
	for (int i = 0; i < j->trace->streams.n; i++)
		pass_lost(j, i, time);
}

static void
write_events(struct copy_job *j)
{
	struct event ev = { 0 };
	int64_t last = INT64_MIN;

	while (events_next(&j->events, &ev)) {
		if (__builtin_expect(j->nlost != j->trace->nlost, 0))
			pass_all_lost(j, ev.time);
		else if (__builtin_expect(j->waits, 0))
			pass_lost(j, (int)ev.stream, ev.time);
		if (ev.class >= (uint32_t)j->classes.n ||
			!j->classes.at[ev.class].is_known)
			pass_class(j, ev.class);
		if (j->classes.at[ev.class].packed != NULL)
			pack_event(j, &j->classes.at[ev.class], &ev);
		writer_event(j->writer, &ev);
		last = ev.time;
		j->events.last = events_time(&j->events, &ev);
		j->to->run->inside++;
	}
	if (j->to->run->filter.to == NULL)
		last = INT64_MAX;
	pass_all_lost(j, last);
	mem_free(j->payload);
}

const char *
convert_stands(struct arena *a, const char *path, bool is_complete)
{
	if (strcmp(path, "-") == 0)
		return is_complete ? "the output is complete"
				   : "the output is not complete";
	return arena_printf(
		a, is_complete ? "%s is complete" : "%s is not written", path);
}

bool
convert_events(const struct convert_events *c, bool *usage, struct err *err)
{
	struct pipeline *r = c->run;
	struct copy_job j = { .to = c, .trace = &r->source->trace };
	struct writer_setup setup = { c->path, j.trace, WEFT_VERSION,
		filter_args_any(&r->filter) };
	bool ok;

	j.events.bar = !log_is_quiet();
	*usage = true;
	if (!events_open(&j.events, r, err))
		return false;
	*usage = false;
	j.writer = c->ops->open(&r->arena, &setup, err);
	if (j.writer == NULL) {
		*usage = err->kind == ERR_INPUT;
		events_close(&j.events);
		return false;
	}
	undo_say(convert_stands(&r->arena, c->path, false));
	j.lost = ARENA_ARRAY(&r->arena, int, j.trace->streams.n);
	j.nlost = ~j.trace->nlost;
	write_events(&j);
	/* Without filters, the end was counted, too. */
	r->events = j.events.filtered ? j.events.n : r->inside;
	r->duration = j.events.last;
	events_close(&j.events);
	ok = writer_close(j.writer, err);
	undo_set(convert_stands(&r->arena, c->path, ok));
	c->ops->loss(j.writer, c->loss, c->arg);
	return ok;
}
