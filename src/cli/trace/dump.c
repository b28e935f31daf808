/* SPDX-License-Identifier: MIT */
#include "cli/trace/dump.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/digits.h"
#include "cli/times.h"
#include "trace/clock.h"

#define TIME_WIDTH 12

static void
report(struct dump *d, const struct event *ev, const struct dump_kind *kind)
{
	const struct stream *stream = &d->trace->streams.at[ev->stream];
	char where[64];

	d->undescribed++;
	snprintf(where, sizeof where, "event %s",
		d->trace->classes.at[ev->class].name);
	finding_add(&d->run->findings,
		(struct finding){ .severity = FINDING_ERROR,
			.file = stream->file,
			.where = where,
			.offset = ev->offset,
			.by_line = d->trace->by_line,
			.time = events_time(d->events, ev) },
		"%s", describe_why(kind->is));
}

/* Reports an event that cannot be described. A class that never can be
 * described is reported once. */
static void __attribute__((noinline, cold))
undescribed(struct dump *d, const struct event *ev)
{
	struct dump_kind *kind = &d->kinds.at[ev->class];
	const struct binding *b = kind->is->binding;

	if (!kind->reported)
		report(d, ev, kind);
	kind->reported = b->says == NULL || b->trouble != NULL;
}

void
dump_disarm(const struct dump *d, char *text, size_t n)
{
	for (size_t i = 0; d->disarm && i < n; i++)
		if ((unsigned char)text[i] < ' ' || text[i] == 0x7f)
			text[i] = '?';
}

static void
put_says(struct dump *d, const struct event *ev, const struct dump_kind *kind)
{
	struct out *o = &d->out;
	size_t room = (size_t)(o->end - o->at);
	int64_t n = describe_event(kind->is, ev, o->at, room);

	if (n < 0 && kind->fields != NULL) {
		fields_put(o, kind->fields, ev->value);
		return;
	}
	if (n < 0) {
		undescribed(d, ev);
		out_put(o, "UNKNOWN", 7);
		return;
	}
	if ((size_t)n >= room)
		describe_event(kind->is, ev, out_room(o, (size_t)n + 1),
			(size_t)n + 1);
	if (d->disarm && kind->string)
		dump_disarm(d, o->at, (size_t)n);
	o->at += n;
}

/* Appends the sentence of a mark with the names from the trace, or the model
 * row's sentence if the trace has no names. */
static void
put_mark(struct dump *d, const struct event *ev, const struct dump_kind *kind)
{
	struct out *o = &d->out;
	int64_t n = dump_mark(d, ev, kind, o->at, (size_t)(o->end - o->at));

	if (n < 0) {
		put_says(d, ev, kind);
		return;
	}
	dump_mark(d, ev, kind, out_room(o, (size_t)n + 1), (size_t)n + 1);
	dump_disarm(d, o->at, (size_t)n);
	o->at += n;
}

/* Appends a right-aligned number. */
static void
put_number(struct out *o, int64_t value, int width)
{
	char text[DIGITS_MAX];
	int n = (int)(digits_i64(text, value) - text);

	for (; width > n; width--)
		*o->at++ = ' ';
	memcpy(o->at, text, (size_t)n);
	o->at += n;
}

/* Appends the time of day. The wall clock is that of the first event: it may
 * have been set later. */
static void
put_moment(struct dump *d, const struct event *ev)
{
	int64_t since = events_time(d->events, ev), ns;

	if (__builtin_add_overflow(d->trace->start_realtime, since, &ns))
		ns = since < 0 ? INT64_MIN : INT64_MAX;
	d->out.at = times_put_moment(out_room(&d->out, TIMES_TEXT), ns);
}

/* Appends the thread that the event's context names. */
static void
put_context(struct out *o, const struct event *ev, const struct dump_kind *kind,
	int width)
{
	char *begin;

	out_room(o, (size_t)width + DIGITS_MAX);
	begin = o->at;
	put_number(o, ev->value[kind->in.vtid - 1].i, 0);
	while (o->at - begin < width + 2)
		*o->at++ = ' ';
}

void
dump_weft(struct dump *d, const struct event *ev, const struct dump_kind *kind,
	const struct dump_position *place)
{
	struct out *o = &d->out;

	if (d->utc)
		put_moment(d, ev);
	else
		put_number(o, events_time(d->events, ev), TIME_WIDTH);
	out_put(o, "  ", 2);
	if (place->width > 0 && kind->in.vtid > 0)
		put_context(o, ev, kind, place->width);
	else
		out_put(o, place->text, place->length);
	out_put(o, kind->name, kind->length);
	out_room(o, DUMP_LINE_BYTES);
	put_mark(d, ev, kind);
	if (d->payload && ev->size > 0) {
		out_put(o, "  ", 2);
		out_hex(o, ":", ev->data, ev->size);
	}
}

/* Appends the payload as ovnidump prints it: a jumbo's payload begins with its
 * size. */
static void
ovnidump_payload(struct dump *d, const struct event *ev)
{
	struct out *o = &d->out;
	bool jumbo = d->trace->classes.at[ev->class].jumbo && ev->value == NULL;

	out_put(o, "  ", 2);
	if (jumbo)
		out_hex(o, ":", &ev->size, sizeof ev->size);
	out_hex(o, ":", ev->data, ev->size);
}

void
dump_ovnidump(struct dump *d, const struct event *ev,
	const struct dump_kind *kind, const struct dump_position *place)
{
	struct out *o = &d->out;

	put_number(o, clock_local(place->node, ev->time), 10);
	out_put(o, "  ", 2);
	out_put(o, kind->name, kind->length);
	out_put(o, place->text, place->length);
	if (d->payload) {
		ovnidump_payload(d, ev);
		return;
	}
	out_put(o, "  ", 2);
	out_room(o, DUMP_LINE_BYTES);
	put_says(d, ev, kind);
}

static void
json_value(struct out *o, const struct describe_arg *arg)
{
	switch (arg->type) {
	case FIELD_STR:
		out_json(o, arg->value.s);
		break;
	case FIELD_F64:
		out_json_f64(o, arg->value.f);
		break;
	case FIELD_U64:
		out_u64(o, arg->value.u);
		break;
	default:
		out_i64(o, arg->value.i);
		break;
	}
}

void
dump_json_args(
	struct out *o, const struct event *ev, const struct description *is)
{
	struct describe_arg arg;
	char name[16];

	for (int i = 0; describe_get(is, ev, i, &arg); i++) {
		snprintf(name, sizeof name, "%d", i);
		out_puts(o, i > 0 ? "," : "");
		out_json(o, arg.name == NULL ? name : arg.name);
		out_puts(o, ":");
		json_value(o, &arg);
	}
}

static void
json_args(struct out *o, const struct event *ev, const struct dump_kind *kind)
{
	out_puts(o, ",\"args\":{");
	dump_json_args(o, ev, kind->is);
	out_puts(o, "}");
}

/* Writes the sentence of an event into d->says. Returns the result of
 * describe_event(). */
static int64_t
say(struct dump *d, const struct event *ev, const struct dump_kind *kind)
{
	int64_t n = dump_mark(d, ev, kind, d->says, d->says_room);

	return n >= 0 ? n : describe_event(kind->is, ev, d->says, d->says_room);
}

static void
json_says(struct dump *d, const struct event *ev, const struct dump_kind *kind)
{
	int64_t n = say(d, ev, kind);

	if (n >= (int64_t)d->says_room) {
		d->says_room = (size_t)n + 1;
		d->says = mem_resize(d->says, d->says_room, 1);
		say(d, ev, kind);
	}
	if (n < 0 && kind->fields == NULL)
		undescribed(d, ev);
	out_puts(&d->out, ",\"says\":");
	out_json(&d->out, n < 0 ? NULL : d->says);
}

static void
json_context(struct out *o, const struct event *ev,
	const struct dump_kind *kind, const struct dump_position *place)
{
	int64_t pid =
		kind->in.vpid > 0 ? ev->value[kind->in.vpid - 1].i : place->pid;

	out_puts(o, ",\"thread\":");
	if (kind->in.vtid > 0)
		out_i64(o, ev->value[kind->in.vtid - 1].i);
	else
		out_puts(o, "null");
	out_puts(o, ",\"pid\":");
	if (pid < 0)
		out_puts(o, "null");
	else
		out_i64(o, pid);
}

void
dump_json(struct dump *d, const struct event *ev, const struct dump_kind *kind,
	const struct dump_position *place)
{
	struct out *o = &d->out;

	out_puts(o, "{\"time\":");
	out_i64(o, events_time(d->events, ev));
	out_puts(o, ",\"clock\":");
	out_i64(o, clock_local(place->node, ev->time));
	if (d->utc) {
		out_puts(o, ",\"utc\":\"");
		put_moment(d, ev);
		out_puts(o, "\"");
	}
	out_put(o, place->json, place->length);
	if (place->width > 0)
		json_context(o, ev, kind, place);
	out_put(o, kind->name, kind->length);
	if (!kind->constant) {
		if (kind->fields != NULL)
			dump_json_fields(d, ev);
		else
			json_args(o, ev, kind);
		json_says(d, ev, kind);
	}
	if (d->payload) {
		out_puts(o, ",\"payload\":\"");
		out_hex(o, "", ev->data, ev->size);
		out_puts(o, "\"");
	}
	out_puts(o, "}");
}

dump_line_fn *
dump_format(int i)
{
	static dump_line_fn *const line[] = { dump_weft, dump_ovnidump,
		dump_babeltrace, dump_json };

	return line[i];
}
