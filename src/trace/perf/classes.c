/* SPDX-License-Identifier: MIT */
#include "trace/perf/classes.h"

#include <string.h>

#include "trace/trace.h"

/* Fields before those of a class: two structs, and the context's members. */
#define CONTEXT 4
#define FIELDS_MAX (CONTEXT + TRACEPOINT_FIELDS)
#define CHAIN_MAX 65536

static const struct field address = {
	.type = FIELD_U64, .base = 16, .bits = 64
};
static const struct field_list addresses[] = { { 1, &address } };

/* The fields of records that are no tracepoints. */
static const struct {
	const char *name;
	int n;
	struct field field[4];
} kinds[PERF_KINDS] = {
	[PERF_SAMPLE_TAKEN] = { "perf:sample", 4,
		{ { .name = "event", .type = FIELD_STR },
			{ .name = "ip",
				.type = FIELD_U64,
				.base = 16,
				.bits = 64 },
			{ .name = "period", .type = FIELD_U64 },
			{ .name = "callchain",
				.type = FIELD_LIST,
				.inner = addresses } } },
	[PERF_SWITCH_IN] = { "perf:switch_in", 2,
		{ { .name = "next_tid", .type = FIELD_I32 },
			{ .name = "next_comm", .type = FIELD_STR } } },
	[PERF_SWITCH_OUT] = { "perf:switch_out", 3,
		{ { .name = "next_tid", .type = FIELD_I32 },
			{ .name = "next_comm", .type = FIELD_STR },
			{ .name = "preempted",
				.type = FIELD_U8,
				.form = FORM_TRUTH } } },
	[PERF_COMM] = { "perf:comm", 3,
		{ { .name = "tid", .type = FIELD_I32 },
			{ .name = "pid", .type = FIELD_I32 },
			{ .name = "comm", .type = FIELD_STR } } },
	[PERF_FORK] = { "perf:fork", 4,
		{ { .name = "child_tid", .type = FIELD_I32 },
			{ .name = "child_pid", .type = FIELD_I32 },
			{ .name = "child_comm", .type = FIELD_STR },
			{ .name = "parent_tid", .type = FIELD_I32 } } },
	[PERF_EXIT] = { "perf:exit", 2,
		{ { .name = "tid", .type = FIELD_I32 },
			{ .name = "pid", .type = FIELD_I32 } } },
};

/* Writes the context's fields and the struct that holds the n other ones. */
static void
set_frame(struct field *f, int n)
{
	f[0] = (struct field){
		.name = "stream.event.context", .type = FIELD_STRUCT, .n = 2
	};
	f[1] = (struct field){ .name = "pid", .type = FIELD_I32 };
	f[2] = (struct field){ .name = "tid", .type = FIELD_I32 };
	f[3] = (struct field){
		.name = "event.fields", .type = FIELD_STRUCT, .n = n
	};
}

static uint32_t
add_class(struct trace *t, const char *name, const struct field *field, int n)
{
	struct field *all = ARENA_ARRAY(t->arena, struct field, CONTEXT + n);

	set_frame(all, n);
	for (int i = 0; i < n; i++)
		all[CONTEXT + i] = field[i];
	return trace_add_class(t,
		(struct event_class){ .name = name,
			.described = true,
			.nfields = CONTEXT + n,
			.field = all });
}

static void
add_kind(struct perf_classes *c, struct trace *t, enum perf_kind kind)
{
	if (c->kind[kind] == PERF_CLASS_NONE)
		c->kind[kind] = add_class(
			t, kinds[kind].name, kinds[kind].field, kinds[kind].n);
}

static enum field_type
number_type(const struct tracepoint_field *f)
{
	int step = f->size == 1 ? 0 : f->size == 2 ? 1 : f->size == 4 ? 2 : 3;

	return (enum field_type)(
		(f->kind == TRACEPOINT_SIGNED ? FIELD_I8 : FIELD_U8) + step);
}

/* Converts a field of a tracepoint; its name is in the tracepoint. */
static struct field
field_of(struct arena *a, const struct tracepoint_field *f)
{
	bool pointer = f->kind == TRACEPOINT_POINTER;
	struct field number = { .name = f->name,
		.type = number_type(f),
		.base = pointer ? 16 : 10,
		.bits = (uint8_t)(8 * f->size) };
	struct field *element;
	struct field_list *list;

	if (f->kind == TRACEPOINT_CHARS || f->kind == TRACEPOINT_TEXT)
		return (struct field){ .name = f->name, .type = FIELD_STR };
	if (f->n == 1)
		return number;
	element = ARENA_NEW(a, struct field);
	list = ARENA_NEW(a, struct field_list);
	*element = number;
	element->name = NULL;
	*list = (struct field_list){ 1, element };
	return (struct field){ .name = f->name,
		.type = FIELD_LIST,
		.n = (int)f->n,
		.inner = list };
}

static uint32_t
add_tracepoint(struct trace *t, const struct tracepoint *of)
{
	struct field field[TRACEPOINT_FIELDS];

	for (int i = 0; i < of->nfields; i++)
		field[i] = field_of(t->arena, &of->field[i]);
	return add_class(t, of->name, field, of->nfields);
}

/* Returns the name of a tracepoint whose format the file lacks: without the
 * system in front. */
static const char *
name_of(struct trace *t, const struct perf_file_event *e)
{
	const char *colon = strchr(e->name, ':');

	if (*e->name == '\0')
		return arena_printf(t->arena, "tracepoint %llu",
			(unsigned long long)e->attr.config);
	return colon != NULL && colon[1] != '\0' ? colon + 1 : e->name;
}

/* Returns an earlier event of the same tracepoint, or NULL: perf opens one for
 * each CPU. */
static const struct perf_class *
find_same(const struct perf_classes *c, const struct perf_file *f, int n)
{
	for (int i = 0; i < n; i++)
		if (f->event.at[i].attr.type == PERF_TYPE_TRACEPOINT &&
			f->event.at[i].attr.config ==
				f->event.at[n].attr.config)
			return &c->event[i];
	return NULL;
}

/* Returns true for an event that never happens: perf opens it for the records
 * of switches, names and ends. */
static bool
is_dummy(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_SOFTWARE &&
		attr->config == PERF_COUNT_SW_DUMMY;
}

static void
add_event(struct perf_classes *c, struct trace *t, const struct perf_file *f,
	int i)
{
	const struct perf_file_event *e = &f->event.at[i];
	const struct perf_class *same;
	struct perf_class *to = &c->event[i];

	*to = (struct perf_class){ .class = PERF_CLASS_NONE };
	if (e->attr.comm)
		add_kind(c, t, PERF_COMM);
	if (e->attr.task) {
		add_kind(c, t, PERF_FORK);
		add_kind(c, t, PERF_EXIT);
	}
	if (e->attr.context_switch) {
		add_kind(c, t, PERF_SWITCH_IN);
		add_kind(c, t, PERF_SWITCH_OUT);
	}
	if (e->attr.type != PERF_TYPE_TRACEPOINT) {
		if (!is_dummy(&e->attr))
			add_kind(c, t, PERF_SAMPLE_TAKEN);
		return;
	}
	same = find_same(c, f, i);
	if (same != NULL) {
		*to = *same;
		return;
	}
	to->of = perf_file_tracepoint(f, e->attr.config);
	to->class = to->of != NULL ? add_tracepoint(t, to->of)
				   : add_class(t, name_of(t, e), NULL, 0);
}

void
perf_classes_add(
	struct perf_classes *c, struct trace *t, const struct perf_file *f)
{
	c->event = ARENA_ARRAY(t->arena, struct perf_class, f->event.n);
	c->values = ARENA_ARRAY(t->arena, union value, FIELDS_MAX);
	for (int i = 0; i < PERF_KINDS; i++)
		c->kind[i] = PERF_CLASS_NONE;
	for (int i = 0; i < f->event.n; i++)
		add_event(c, t, f, i);
}

union value *
perf_classes_begin(struct perf_classes *c, const struct perf_record *r)
{
	arena_reset(&c->lists);
	c->values[1].i = (int32_t)r->pid;
	c->values[2].i = (int32_t)r->tid;
	return c->values + CONTEXT;
}

void
perf_classes_sample(struct perf_classes *c, const struct perf_record *r,
	const struct perf_file_event *e)
{
	union value *v = c->values + CONTEXT, *at;
	struct value_list *list = ARENA_NEW(&c->lists, struct value_list);
	uint64_t n =
		r->sample.chain.n < CHAIN_MAX ? r->sample.chain.n : CHAIN_MAX;

	at = ARENA_ARRAY(&c->lists, union value, n);
	for (uint64_t i = 0; i < n; i++)
		at[i].u = perf_list_at(&r->sample.chain, i);
	list->n = (uint32_t)n;
	list->at = at;
	v[0].s = e->name;
	v[1].u = r->sample.ip;
	v[2].u =
		(e->attr.sample_type & PERF_SAMPLE_PERIOD) == 0 && !e->attr.freq
		? e->attr.sample_period
		: r->sample.period;
	v[3].list = list;
}

static union value
number_at(const struct perf_classes *c, const struct tracepoint_field *f,
	const uint8_t *at)
{
	unsigned unused = 64u - 8u * f->size;
	uint64_t u = 0;

	memcpy(&u, at, f->size);
	if (c->swapped)
		u = __builtin_bswap64(u) >> unused;
	if (f->kind == TRACEPOINT_SIGNED)
		return (union value){ .i = (int64_t)(u << unused) >> unused };
	return (union value){ .u = u };
}

/* Returns the text in the n bytes at `from`, which may lack a NUL. */
static union value
text_at(struct perf_classes *c, const uint8_t *from, size_t n)
{
	const char *s = (const char *)from;

	if (n == 0 || memchr(s, '\0', n) == NULL)
		s = arena_strndup(&c->lists, s, n);
	return (union value){ .s = s };
}

static union value
list_at(struct perf_classes *c, const struct tracepoint_field *f,
	const uint8_t *from)
{
	struct value_list *list = ARENA_NEW(&c->lists, struct value_list);
	union value *at = ARENA_ARRAY(&c->lists, union value, f->n);

	for (unsigned i = 0; i < f->n; i++)
		at[i] = number_at(c, f, from + (size_t)i * f->size);
	list->n = f->n;
	list->at = at;
	return (union value){ .list = list };
}

/* Reads a field. Returns false if it is not within the raw data. */
static bool
read_field(struct perf_classes *c, const struct perf_blob *raw,
	const struct tracepoint_field *f, union value *to)
{
	const uint8_t *at;
	uint32_t where;

	if (raw->at == NULL ||
		(uint64_t)f->offset + (uint64_t)f->n * f->size > raw->size)
		return false;
	at = raw->at + f->offset;
	if (f->kind == TRACEPOINT_CHARS) {
		*to = text_at(c, at, f->n);
		return true;
	}
	if (f->kind != TRACEPOINT_TEXT) {
		*to = f->n == 1 ? number_at(c, f, at) : list_at(c, f, at);
		return true;
	}
	/* The low half is a byte offset, the high one a length. */
	memcpy(&where, at, sizeof where);
	if (c->swapped)
		where = __builtin_bswap32(where);
	if ((uint64_t)(where & 0xffff) + (where >> 16) > raw->size)
		return false;
	*to = text_at(c, raw->at + (where & 0xffff), where >> 16);
	return true;
}

bool
perf_classes_tracepoint(struct perf_classes *c, const struct perf_record *r,
	const struct tracepoint *t)
{
	union value *v = c->values + CONTEXT;

	for (int i = 0; i < t->nfields; i++)
		if (!read_field(c, &r->sample.raw, &t->field[i], &v[i]))
			return false;
	return true;
}

void
perf_classes_fini(struct perf_classes *c)
{
	arena_fini(&c->lists);
}
