/* SPDX-License-Identifier: MIT */
#include "trace/ctf/layout.h"

#include <string.h>

#include "base/arena.h"
#include "trace/ctf/build.h"

static uint32_t
find_slot(const struct ctf_code *code, const char *name)
{
	for (int i = 1; i < code->fields.n; i++) {
		const struct field *f = &code->fields.at[i];

		if (f->name != NULL && strcmp(f->name, name) == 0)
			return (uint32_t)i;
		if (f->type == FIELD_STRUCT)
			i += f->n;
	}
	return CTF_NO_SLOT;
}

/* Does the same as find_slot(), but only for an unsigned or signed number,
 * which is then hidden from users. */
static uint32_t
take_slot(struct ctf_code *code, const char *name)
{
	uint32_t slot = find_slot(code, name);

	if (slot == CTF_NO_SLOT || code->fields.at[slot].type > FIELD_I64)
		return CTF_NO_SLOT;
	code->fields.at[slot].hidden = true;
	return slot;
}

/* The clock of timestamps if the metadata declares none, as in babeltrace2. */
static const struct ctf_clock nanoseconds = { .freq = 1000000000 };

static const struct ctf_clock *
clock_of(const struct ctf_build *b)
{
	const struct ctf_meta *m = b->meta;

	if (b->clocks.n == 0)
		return NULL;
	if (m->clocks.n == 0 && !m->is_ctf2)
		return &nanoseconds;
	for (int i = 0; b->clock != NULL && i < m->clocks.n; i++)
		if (strcmp(m->clocks.at[i].name, b->clock) == 0)
			return &m->clocks.at[i];
	return m->is_ctf2 ? NULL : &m->clocks.at[0];
}

static bool
has_op(const struct ctf_code *code, const struct ctf_op *op)
{
	for (int i = 0; i < code->draft.n; i++)
		if (code->draft.at[i] == op)
			return true;
	return false;
}

/* Returns the slot of the field in the code that has the role. */
static uint32_t
find_role(const struct ctf_build *b, const struct ctf_code *code,
	enum ctf_role role)
{
	for (int i = 0; i < b->roles.n; i++)
		if ((b->roles.at[i].roles & (int)role) != 0 &&
			has_op(code, b->roles.at[i].op))
			return b->roles.at[i].op->slot;
	return CTF_NO_SLOT;
}

/* Finds the fields that the reader needs by their roles. */
static void
set_by_role(const struct ctf_build *b, struct ctf_stream_layout *s)
{
	const struct {
		uint32_t *slot;
		enum ctf_role role;
	} header[] = { { &s->magic, CTF_ROLE_MAGIC },
		{ &s->uuid, CTF_ROLE_UUID },
		{ &s->stream_id, CTF_ROLE_STREAM_CLASS },
		{ &s->instance, CTF_ROLE_STREAM } },
	  context[] = { { &s->content_size, CTF_ROLE_CONTENT },
		  { &s->packet_size, CTF_ROLE_TOTAL },
		  { &s->begin, CTF_ROLE_CLOCK },
		  { &s->end, CTF_ROLE_END_CLOCK },
		  { &s->discarded, CTF_ROLE_DISCARDED },
		  { &s->sequence, CTF_ROLE_SEQUENCE } };

	for (size_t i = 0; i < sizeof header / sizeof header[0]; i++)
		*header[i].slot =
			find_role(b, &s->packet_header, header[i].role);
	for (size_t i = 0; i < sizeof context / sizeof context[0]; i++) {
		uint32_t slot =
			find_role(b, &s->packet_context, context[i].role);

		*context[i].slot = slot;
		if (slot != CTF_NO_SLOT)
			s->packet_context.fields.at[slot].hidden = true;
	}
}

/* Finds the fields that the reader needs by their names. */
static void
set_by_name(struct ctf_stream_layout *s)
{
	s->magic = find_slot(&s->packet_header, "magic");
	s->uuid = find_slot(&s->packet_header, "uuid");
	s->stream_id = find_slot(&s->packet_header, "stream_id");
	s->instance = find_slot(&s->packet_header, "stream_instance_id");
	s->content_size = take_slot(&s->packet_context, "content_size");
	s->packet_size = take_slot(&s->packet_context, "packet_size");
	s->begin = take_slot(&s->packet_context, "timestamp_begin");
	s->end = take_slot(&s->packet_context, "timestamp_end");
	s->discarded = take_slot(&s->packet_context, "events_discarded");
	s->sequence = take_slot(&s->packet_context, "packet_seq_num");
}

/* Finds the slots of id and clock in the header, if each is a single number at
 * a fixed position. */
static void
set_header(struct ctf_build *b, struct ctf_stream_layout *s)
{
	s->event_id = s->clock = CTF_NO_SLOT;
	if (b->ids.n == 1 && !b->id_is_tag &&
		has_op(&s->header, b->ids.at[0])) {
		s->event_id = b->ids.at[0]->slot;
		b->ids.at[0]->key = 0;
	}
	if (b->clocks.n == 1 && b->clocks.at[0]->bits == 64 &&
		b->clocks.at[0]->kind == CTF_OP_INT &&
		has_op(&s->header, b->clocks.at[0]))
		s->clock = b->clocks.at[0]->slot;
	else
		for (int i = 0; i < b->clocks.n; i++)
			b->clocks.at[i]->clock = true;
}

static bool
make_stream(struct ctf_build *b, struct ctf_stream_layout *s,
	const struct ctf_stream_class *c)
{
	const struct ctf_meta *m = b->meta;

	s->id = c->id;
	if (!ctf_build_scope(b, &s->packet_header, "trace.packet.header",
		    m->packet_header) ||
		!ctf_build_scope(b, &s->packet_context, "stream.packet.context",
			c->packet_context))
		return false;
	if (m->is_ctf2)
		set_by_role(b, s);
	else
		set_by_name(s);
	if (m->is_ctf2)
		b->clock = c->clock;
	b->header = true;
	if (!ctf_build_scope(b, &s->header, "stream.event.header", c->header))
		return false;
	b->header = false;
	set_header(b, s);
	s->ticks = clock_of(b);
	return true;
}

static bool
make_event(struct ctf_build *b, struct arena *a, struct ctf_stream_layout *s,
	const struct ctf_stream_class *sc, const struct ctf_event_class *c)
{
	struct ctf_event_layout *e;
	uint64_t *known = map_put(&s->by_id, c->id);

	b->at = c->at;
	if (*known != 0)
		return ctf_build_fail(b,
			"stream %llu has two events of id %llu",
			(unsigned long long)s->id, (unsigned long long)c->id);
	if (!ctf_build_count(b, s->packet_context.fields.n))
		return false;
	e = VEC_ADD(&s->events, a);
	*known = (uint64_t)s->events.n;
	e->name = c->name;
	e->uri = c->uri;
	for (int i = 0; i < s->packet_context.fields.n; i++)
		VEC_PUSH(&e->code.fields, a, s->packet_context.fields.at[i]);
	/* The events' codes may move later; nothing keeps their addresses. */
	return ctf_build_scope(
		       b, &e->code, "stream.event.context", sc->context) &&
		ctf_build_scope(b, &e->code, "event.context", c->context) &&
		ctf_build_scope(b, &e->code, "event.fields", c->fields);
}

static enum ctf_op_kind
plain_kind(const struct ctf_op *op)
{
	bool sign = op->is_signed;

	if (op->kind != CTF_OP_INT || op->key != 0 || op->clock || op->big ||
		op->odd || op->n % 8 != 0)
		return (enum ctf_op_kind)op->kind;
	switch (op->bits) {
	case 8:
		return sign ? CTF_OP_I8 : CTF_OP_U8;
	case 16:
		return sign ? CTF_OP_I16 : CTF_OP_U16;
	case 32:
		return sign ? CTF_OP_I32 : CTF_OP_U32;
	case 64:
		return CTF_OP_64;
	default:
		return CTF_OP_INT;
	}
}

static bool
is_fixed(const struct ctf_code *c)
{
	if (c->nops == 0)
		return true;
	if (c->nops < 2 || c->op[0].kind != CTF_OP_ALIGN || c->op[0].n != 8 ||
		c->op[1].kind != CTF_OP_RUN || c->op[1].n % 8 != 0)
		return false;
	for (int i = 2; i < c->nops; i++)
		if (c->op[i].kind > CTF_OP_I32)
			return false;
	return true;
}

static void finish(struct arena *a, struct ctf_code *c);

static void
finish_inner(struct arena *a, struct ctf_code *c, const struct ctf_op *op)
{
	int n = op->kind == CTF_OP_VARIANT ? c->fields.at[op->slot].n
		: op->kind == CTF_OP_LIST  ? 1
					   : 0;

	for (int i = 0; i < n; i++)
		finish(a, (struct ctf_code *)(uintptr_t)&op->inner[i]);
}

/* Turns the draft into the final code. In a run that begins at a byte, numbers
 * of whole bytes use the operations without bit positions. */
static void
finish(struct arena *a, struct ctf_code *c)
{
	struct ctf_op *ops = ARENA_ARRAY(a, struct ctf_op, c->draft.n);
	uint64_t known = 1;

	for (int i = 0; i < c->draft.n; i++) {
		struct ctf_op *op = c->draft.at[i];

		finish_inner(a, c, op);
		if (op->kind == CTF_OP_ALIGN)
			known = op->n;
		if (op->kind > CTF_OP_RUN)
			known = op->kind <= CTF_OP_TEXT ? 8 : 1;
		if (op->key != 0 &&
			(op->kind <= CTF_OP_INT || op->kind == CTF_OP_VARINT))
			c->fields.at[op->slot].hidden = false;
		ops[i] = *op;
		if (known >= 8)
			ops[i].kind = (uint8_t)plain_kind(op);
	}
	c->op = ops;
	c->nops = c->draft.n;
	c->fixed = is_fixed(c);
}

static void
set_small(struct arena *a, struct ctf_stream_layout *s)
{
	while (s->nsmall < CTF_SMALL && s->nsmall < map_count(&s->by_id) * 4)
		s->nsmall++;
	s->small = ARENA_ARRAY(a, const struct ctf_event_layout *, s->nsmall);
	for (uint64_t id = 0; id < s->nsmall; id++) {
		const uint64_t *at = map_get(&s->by_id, id);

		if (at != NULL)
			s->small[id] = &s->events.at[*at - 1];
	}
}

static void
finish_stream(struct arena *a, struct ctf_stream_layout *s)
{
	finish(a, &s->packet_header);
	finish(a, &s->packet_context);
	finish(a, &s->header);
	s->nvalues = s->packet_context.fields.n;
	for (int i = 0; i < s->events.n; i++) {
		struct ctf_code *c = &s->events.at[i].code;

		/* Copied a second time, because a later field may have used
		 * this one as its length. */
		for (int j = 0; j < s->packet_context.fields.n; j++)
			c->fields.at[j] = s->packet_context.fields.at[j];
		finish(a, c);
		if (s->nvalues < c->fields.n)
			s->nvalues = c->fields.n;
	}
	set_small(a, s);
}

static bool
make_events(struct ctf_build *b, struct arena *a, struct ctf_stream_layout *s,
	const struct ctf_stream_class *c)
{
	int seen = b->seen.n;

	for (int i = 0; i < b->meta->events.n; i++) {
		if (b->meta->events.at[i].stream_id != c->id)
			continue;
		b->seen.n = seen;
		if (!make_event(b, a, s, c, &b->meta->events.at[i]))
			return false;
	}
	return true;
}

static bool
make_all(struct ctf_layout *l, struct arena *a, const struct ctf_meta *m,
	struct err *err)
{
	static const struct ctf_stream_class only = { 0 };
	int n = m->streams.n > 0 ? m->streams.n : 1, events = 0, fields = 0;

	for (int i = 0; i < n; i++) {
		const struct ctf_stream_class *c =
			m->streams.n > 0 ? &m->streams.at[i] : &only;
		struct ctf_build b = { .arena = a,
			.meta = m,
			.err = err,
			.nkeys = CTF_FIRST_KEY,
			.fields = &fields };
		struct ctf_stream_layout *s = VEC_ADD(&l->streams, a);

		if (!make_stream(&b, s, c) || !make_events(&b, a, s, c))
			return false;
		finish_stream(a, s);
		s->nkeys = b.nkeys;
		events += s->events.n;
	}
	if (events < m->events.n)
		return err_set(err, ERR_INPUT,
			"%.300s: %d of its %d events belong to streams that it "
			"does not declare",
			m->file, m->events.n - events, m->events.n);
	return true;
}

bool
ctf_layout_make(struct ctf_layout *l, struct arena *a, const struct ctf_meta *m,
	struct err *err)
{
	*l = (struct ctf_layout){ 0 };
	if (make_all(l, a, m, err))
		return true;
	ctf_layout_fini(l);
	return false;
}

void
ctf_layout_fini(struct ctf_layout *l)
{
	for (int i = 0; i < l->streams.n; i++)
		map_fini(&l->streams.at[i].by_id);
	l->streams.n = 0;
}
