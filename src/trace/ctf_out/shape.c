/* SPDX-License-Identifier: MIT */
#include "trace/ctf_out/shape.h"

#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "base/vec.h"

#define LENGTH_BITS 32

struct shapes {
	VEC(struct shape) at;
};

static void add_field(struct arena *a, struct shapes *to, const struct field *f,
	uint32_t slot);

const char *
shape_plain_name(struct arena *a, const char *name, uint32_t slot)
{
	char *to;

	if (name == NULL || *name == '\0')
		return arena_printf(a, "arg%u", slot);
	to = arena_strdup(a, name);
	for (char *c = to; *c != '\0'; c++)
		if (!isalnum((unsigned char)*c))
			*c = '_';
	return isdigit((unsigned char)*to) ? arena_printf(a, "_%s", to) : to;
}

static uint8_t
bits_of(const struct field *f)
{
	static const uint8_t bits[] = { 8, 16, 32, 64, 8, 16, 32, 64 };

	if (f->type == FIELD_F64)
		return f->bits == 32 ? 32 : 64;
	return f->bits > 0 && f->bits <= 64 ? f->bits : bits[f->type];
}

static void
set_bits(struct shape *s, uint8_t bits)
{
	s->bits = bits;
	s->bytes = (uint8_t)((bits + 7) / 8);
}

static void
set_number(struct shape *s, const struct field *f)
{
	s->kind = f->type == FIELD_F64 ? SHAPE_REAL : SHAPE_NUMBER;
	s->base = f->base;
	s->is_signed = f->type >= FIELD_I8 && f->type <= FIELD_I64;
	s->form = f->form;
	s->labels = f->labels;
	set_bits(s, bits_of(f));
}

/* Returns true if the labels are the numbers 0 to n - 1. */
static bool
counts_up(const struct field_labels *l, int n)
{
	if (l == NULL || l->n != n)
		return false;
	for (int i = 0; i < n; i++)
		if (l->at[i].lo != i || l->at[i].hi != i)
			return false;
	return true;
}

/* Returns true if the shape before a list (variant) is a number that the trace
 * itself has there, and calls NAME_length (NAME_tag). */
static bool
has_ref(const struct shape *before, const struct field *f, const char *name,
	const char *end)
{
	const char *its = before->name + strspn(before->name, "_");
	size_t n;

	if (before->kind != SHAPE_NUMBER || before->is_signed ||
		before->form != FORM_PLAIN)
		return false;
	if (f->type == FIELD_VARIANT && f->form != FORM_OPTIONAL &&
		!counts_up(before->labels, f->n))
		return false;
	name += strspn(name, "_");
	n = strlen(name);
	return strncmp(its, name, n) == 0 && strcmp(its + n, end) == 0;
}

/* Adds the length of a list, or the tag of a variant. Returns its name. */
static const char *
add_ref(struct arena *a, struct shapes *to, const struct field *f,
	const char *name, uint32_t slot)
{
	bool list = f->type == FIELD_LIST;
	const char *end = list ? "_length" : "_tag";
	struct shape *s = to->at.n == 0 ? NULL : &to->at.at[to->at.n - 1];

	if (s == NULL || !has_ref(s, f, name, end)) {
		s = VEC_ADD(&to->at, a);
		s->name = arena_printf(a, "%s%s", name, end);
		s->is_added = true;
		set_bits(s, LENGTH_BITS);
	}
	s->kind = list ? SHAPE_LENGTH : SHAPE_TAG;
	s->slot = slot;
	return s->name;
}

/* Returns the only shape of an element or option, which has no name; those that
 * need a length or tag are put into a struct. */
static struct shape
inner_shape(struct arena *a, const struct field_list *inner, const char *name)
{
	struct shapes found = { 0 };
	struct shape s = { .kind = SHAPE_STRUCT };

	if (inner->n > 0)
		add_field(a, &found, inner->field, 0);
	if (found.at.n == 1) {
		s = found.at.at[0];
	} else {
		s.n = found.at.n;
		s.member = found.at.at;
	}
	s.name = name;
	return s;
}

/* Gives a name that occurred before in the struct another one. */
static void
set_names_apart(struct arena *a, struct shape *s)
{
	for (int i = 0; i < s->n; i++) {
		struct shape *m = &s->member[i];
		bool is_ref =
			(m->kind == SHAPE_LENGTH || m->kind == SHAPE_TAG) &&
			i + 1 < s->n;

		for (int j = 0; j < i; j++)
			if (strcmp(m->name, s->member[j].name) == 0) {
				m->name = arena_printf(a, "%s_%d", m->name, i);
				j = -1;
			}
		if (is_ref)
			s->member[i + 1].ref = m->name;
	}
}

static void
set_inner(struct arena *a, struct shape *s, const struct field *f)
{
	bool optional = f->form == FORM_OPTIONAL;
	int n = f->type == FIELD_VARIANT ? f->n : 1;

	s->n = optional || f->type == FIELD_LIST ? 1 : n;
	s->member = ARENA_ARRAY(a, struct shape, n);
	if (f->type == FIELD_LIST) {
		s->step = (uint32_t)f->inner->n;
		s->member[0] = inner_shape(a, f->inner, NULL);
		return;
	}
	for (int i = 0; i < s->n; i++) {
		const struct field_list *of = &f->inner[optional ? 1 : i];
		const char *name = of->n > 0 ? of->field->name : NULL;

		s->member[i] = inner_shape(a, of,
			name != NULL && *name != '\0'
				? shape_plain_name(a, name, 0)
				: arena_printf(a, "option%d", i));
	}
	set_names_apart(a, s);
}

/* Adds a list or a variant, with the number in front of it. */
static void
add_dynamic(struct arena *a, struct shapes *to, const struct field *f,
	const char *name, uint32_t slot)
{
	bool list = f->type == FIELD_LIST;
	int count = list ? f->n : 0;
	const char *ref = count == 0 ? add_ref(a, to, f, name, slot) : NULL;
	struct shape *s = VEC_ADD(&to->at, a);

	s->kind = !list
		? f->form == FORM_OPTIONAL ? SHAPE_OPTIONAL : SHAPE_VARIANT
		: f->form == FORM_BLOB ? SHAPE_BLOB
				       : SHAPE_LIST;
	s->name = name;
	s->slot = slot;
	s->ref = ref;
	s->count = count;
	set_inner(a, s, f);
}

/* Adds the shape of the field whose value is in `slot`. */
static void
add_field(struct arena *a, struct shapes *to, const struct field *f,
	uint32_t slot)
{
	const char *name = shape_plain_name(a, f->name, slot);
	struct shape *s;

	if (f->type == FIELD_LIST || f->type == FIELD_VARIANT) {
		add_dynamic(a, to, f, name, slot);
		return;
	}
	if (f->type == FIELD_STRUCT) {
		VEC_PUSH(&to->at, a,
			*shape_of_struct(a, name, f + 1, f->n, slot + 1));
		return;
	}
	s = VEC_ADD(&to->at, a);
	s->name = name;
	s->slot = slot;
	if (f->type == FIELD_STR)
		s->kind = SHAPE_TEXT;
	else
		set_number(s, f);
}

static struct shape *
shape_of_fields(struct arena *a, const char *name, const struct field *field,
	int n, uint32_t slot, bool hidden)
{
	struct shapes found = { 0 };
	struct shape *s = ARENA_NEW(a, struct shape);

	for (int i = 0; i < n; i++) {
		if (hidden || !field[i].hidden)
			add_field(a, &found, &field[i], slot + (uint32_t)i);
		if (field[i].type == FIELD_STRUCT)
			i += field[i].n;
	}
	s->kind = SHAPE_STRUCT;
	s->name = name;
	s->n = found.at.n;
	s->member = found.at.at;
	set_names_apart(a, s);
	return s;
}

struct shape *
shape_of_struct(struct arena *a, const char *name, const struct field *field,
	int n, uint32_t slot)
{
	return shape_of_fields(a, name, field, n, slot, true);
}

struct shape *
shape_of_shown(struct arena *a, const char *name, const struct field *field,
	int n, uint32_t slot)
{
	return shape_of_fields(a, name, field, n, slot, false);
}

struct shape *
shape_of_args(struct arena *a, const struct field *arg, int n)
{
	static const struct field byte = { .type = FIELD_U8, .base = 16 };
	static const struct field_list bytes[] = { { 1, &byte } };
	static const struct field any = { .name = "payload",
		.type = FIELD_LIST,
		.form = FORM_BLOB,
		.inner = bytes };

	return n < 0 ? shape_of_struct(a, NULL, &any, 1, 0)
		     : shape_of_struct(a, NULL, arg, n, 0);
}

void
shape_grow(struct shape_out *o, size_t n)
{
	while (o->cap - o->at < n)
		o->cap = o->cap < 4096 ? 4096 : o->cap * 2;
	o->buf = mem_resize(o->buf, o->cap + SHAPE_SLACK, 1);
}

static inline void
put_number(struct shape_out *o, uint64_t u, size_t bytes)
{
	memcpy(shape_room(o, sizeof u), &u, sizeof u);
	o->at += bytes;
	o->unused = 0;
}

/* Cuts a number to its bits, of which the last byte may not use all. */
static inline uint64_t
cut(const struct shape *s, uint64_t u)
{
	return s->bits < 64 ? u & ((UINT64_C(1) << s->bits) - 1) : u;
}

/* Returns the bits behind a number, up to the end of its last byte. */
static inline uint8_t
unused_bits(const struct shape *s)
{
	return (uint8_t)(s->bytes * 8 - s->bits);
}

static void
put_real(struct shape_out *o, const struct shape *s, double d)
{
	float f = (float)d;
	uint64_t u = 0;

	if (s->bits == 32)
		memcpy(&u, &f, sizeof f);
	else
		memcpy(&u, &d, sizeof d);
	put_number(o, u, s->bytes);
}

static void
put_text(struct shape_out *o, const char *text)
{
	size_t n = strlen(text) + 1;

	memcpy(shape_room(o, n), text, n);
	o->at += n;
	o->unused = 0;
}

static void put_one(
	struct shape_out *o, const struct shape *s, const union value *v);

static void
put_elements(
	struct shape_out *o, const struct shape *s, const struct value_list *l)
{
	uint32_t n = s->count > 0 ? (uint32_t)s->count : l->n;

	for (uint32_t i = 0; i < n; i++)
		if (i < l->n)
			put_one(o, s->member, l->at + (size_t)i * s->step);
		else
			shape_put_none(o, s->member);
}

static void
put_option(
	struct shape_out *o, const struct shape *s, const struct value_list *l)
{
	if (s->kind == SHAPE_OPTIONAL) {
		if (l->n > 0)
			put_one(o, s->member, l->at);
	} else if (l->n < (uint32_t)s->n) {
		put_one(o, &s->member[l->n], l->at);
	}
}

static void
put_one(struct shape_out *o, const struct shape *s, const union value *v)
{
	switch (s->kind) {
	case SHAPE_NUMBER:
		put_number(o, cut(s, v[s->slot].u), s->bytes);
		o->unused = unused_bits(s);
		break;
	case SHAPE_LENGTH:
	case SHAPE_TAG:
		put_number(o, v[s->slot].list->n, s->bytes);
		o->unused = unused_bits(s);
		break;
	case SHAPE_REAL:
		put_real(o, s, v[s->slot].f);
		break;
	case SHAPE_TEXT:
		put_text(o, v[s->slot].s);
		break;
	case SHAPE_STRUCT:
		shape_put(o, s, v);
		break;
	case SHAPE_LIST:
	case SHAPE_BLOB:
		put_elements(o, s, v[s->slot].list);
		break;
	default:
		put_option(o, s, v[s->slot].list);
		break;
	}
}

void
shape_put(struct shape_out *o, const struct shape *s, const union value *v)
{
	for (int i = 0; i < s->n; i++)
		put_one(o, &s->member[i], v);
}

void
shape_put_none(struct shape_out *o, const struct shape *s)
{
	switch (s->kind) {
	case SHAPE_STRUCT:
		for (int i = 0; i < s->n; i++)
			shape_put_none(o, &s->member[i]);
		break;
	case SHAPE_VARIANT:
		if (s->n > 0)
			shape_put_none(o, s->member);
		break;
	case SHAPE_LIST:
	case SHAPE_BLOB:
		for (int i = 0; i < s->count; i++)
			shape_put_none(o, s->member);
		break;
	case SHAPE_TEXT:
		put_number(o, 0, 1);
		break;
	default:
		if (s->bytes == 0)
			break;
		put_number(o, 0, s->bytes);
		o->unused = unused_bits(s);
		break;
	}
}

void
shape_count(const struct shape *s, struct shape_changes *n)
{
	if (s == NULL)
		return;
	n->odd += s->form == FORM_TRUTH || s->form == FORM_FLAGS ||
		s->kind == SHAPE_BLOB || s->kind == SHAPE_OPTIONAL;
	n->added += s->is_added;
	for (int i = 0; i < s->n; i++)
		shape_count(&s->member[i], n);
}
