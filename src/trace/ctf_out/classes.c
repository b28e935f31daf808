/* SPDX-License-Identifier: MIT */
/* Classes of events, and of the packets that hold them. */
#include <string.h>

#include "base/arena.h"
#include "trace/ctf_out/out.h"

#define PACKET "stream.packet.context"

static const struct field thread[] = {
	{ .name = "vpid", .type = FIELD_I32 },
	{ .name = "vtid", .type = FIELD_I32 },
};

/* Returns the shape of a scope of a described class, or NULL. */
static const struct shape *
scope_of(struct ctf_out *c, const struct event_class *class, const char *name)
{
	bool packet = strcmp(name, PACKET) == 0;

	for (int i = 0; i < class->nfields; i += class->field[i].n + 1) {
		const struct field *f = &class->field[i];

		if (f->type == FIELD_STRUCT && f->name != NULL &&
			strcmp(f->name, name) == 0)
			return (packet ? shape_of_shown : shape_of_struct)(
				c->arena, name, f + 1, f->n, (uint32_t)i + 1);
	}
	return NULL;
}

static bool
has_member(const struct shape *s, const char *name)
{
	for (int i = 0; s != NULL && i < s->n; i++)
		if (strcmp(s->member[i].name, name) == 0)
			return true;
	return false;
}

/* Returns true if events have values. Those of a trace without parts come as
 * payloads. */
static bool
is_described(const struct ctf_out *c, const struct event_class *class)
{
	return class->described && c->trace->parts.n > 0;
}

/* Sets what all packets and events of the class of streams have, as its first
 * event shows. */
static void
set_common(struct ctf_out *c, struct out_stream_class *of,
	const struct event_class *class)
{
	of->is_set = true;
	of->common = is_described(c, class)
		? scope_of(c, class, "stream.event.context")
		: shape_of_struct(
			  c->arena, "stream.event.context", thread, 2, 0);
	if (!is_described(c, class))
		return;
	of->packet = scope_of(c, class, PACKET);
	if (of->packet != NULL && of->packet->n == 0)
		of->packet = NULL;
	of->has_cpu = of->has_cpu && !has_member(of->packet, "cpu_id");
	shape_count(of->packet, &c->changes);
	shape_count(of->common, &c->changes);
}

static void
set_described(struct ctf_out *c, struct out_event_class *e,
	const struct event_class *class)
{
	e->uri = class->tells;
	e->common = scope_of(c, class, "stream.event.context");
	e->specific = scope_of(c, class, "event.context");
	e->payload = scope_of(c, class, "event.fields");
	shape_count(e->specific, &c->changes);
	shape_count(e->payload, &c->changes);
}

static void
set_plain(struct ctf_out *c, struct out_event_class *e,
	const struct event_class *class, const struct out_known *k, bool bytes)
{
	e->is_payload = true;
	e->is_bytes = bytes;
	e->uri = arena_printf(c->arena, "%s%s",
		ctf_out_prefix(class->jumbo, bytes), class->name);
	e->payload = shape_of_args(c->arena, k->arg, bytes ? -1 : k->nargs);
	for (int i = 0; i < k->nargs; i++) {
		e->fixed += field_size(k->arg[i].type);
		e->has_text = k->arg[i].type == FIELD_STR;
	}
}

struct out_event_class *
ctf_out_add_class(struct ctf_out *c, struct out_stream_class *of,
	uint32_t class, bool bytes)
{
	const struct event_class *is = &c->trace->classes.at[class];
	struct out_event_class *e = ARENA_NEW(c->arena, struct out_event_class);
	const struct out_known *k = &c->known.at[class];

	if (!of->is_set)
		set_common(c, of, is);
	e->id = (uint32_t)of->events.n;
	e->name = k->name;
	e->says = k->says;
	if (is_described(c, is))
		set_described(c, e, is);
	else
		set_plain(c, e, is, k, bytes);
	if (e->id > UINT16_MAX && !c->wide && c->err.kind == ERR_NONE)
		err_set(&c->err, ERR_LIMIT, "more than 65536 kinds of events");
	VEC_PUSH(&of->events, c->arena, e);
	while ((uint32_t)of->by_class.n <= class * 2 + 1)
		VEC_PUSH(&of->by_class, c->arena, NULL);
	of->by_class.at[class * 2 + bytes] = e;
	return e;
}
