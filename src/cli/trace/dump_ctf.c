/* SPDX-License-Identifier: MIT */
/* The formats babeltrace and json of `weft dump` for events whose class
 * declares its fields. */
#include <string.h>

#include "base/arena.h"
#include "cli/times.h"
#include "cli/trace/dump.h"
#include "cli/trace/fields.h"

/* Prints a time before 1970 as seconds, as babeltrace2 does for the first such
 * event. For later ones babeltrace2 prints the time of day without a sign; weft
 * does not imitate that. */
static void __attribute__((noinline, cold))
put_seconds(struct out *o, int64_t ns)
{
	char text[TIMES_TEXT];

	out_puts(o, "[-");
	out_puts(o, times_seconds(0 - (uint64_t)ns, 9, text));
	out_puts(o, "] ");
}

/* Appends the time of day in UTC. */
static void
put_time(struct out *o, int64_t ns)
{
	if (__builtin_expect(ns < 0, 0)) {
		put_seconds(o, ns);
		return;
	}
	out_put(o, "[", 1);
	o->at = times_put_clock(out_room(o, TIMES_TEXT), ns);
	out_put(o, "] ", 2);
}

void
dump_babeltrace(struct dump *d, const struct event *ev,
	const struct dump_kind *kind, const struct dump_position *place)
{
	struct out *o = &d->out;

	if (!place->no_clock)
		put_time(o, ev->time);
	out_put(o, place->text, place->length);
	out_put(o, kind->name, kind->length);
	out_put(o, ": ", 2);
	fields_put(o, kind->fields, ev->value);
}

static const char *
env_text(struct dump *d, const struct trace_part *part, const char *name)
{
	const struct trace_env *e = trace_env(part, name);

	if (e == NULL)
		return NULL;
	return e->text != NULL
		? e->text
		: arena_printf(&d->run->arena, "(%lld)", (long long)e->number);
}

void
dump_babeltrace_place(struct dump *d, const struct trace_part *part)
{
	static const char *const names[] = { "hostname", "procname", "vpid" };
	bool any = false;

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		const char *text = env_text(d, part, names[i]);

		if (text == NULL)
			continue;
		out_puts(&d->out, any ? ":" : "");
		out_puts(&d->out, text);
		any = true;
	}
	out_puts(&d->out, any ? " " : "");
}

void
dump_json_fields(struct dump *d, const struct event *ev)
{
	const struct event_class *c = &d->trace->classes.at[ev->class];

	out_puts(&d->out, ",\"context\":{");
	fields_scopes_json(&d->out, c, ev->value, false);
	out_puts(&d->out, "},\"args\":{");
	fields_scopes_json(&d->out, c, ev->value, true);
	out_puts(&d->out, "}");
}
