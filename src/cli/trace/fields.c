/* SPDX-License-Identifier: MIT */
#include "cli/trace/fields.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"

#define BLOB_SHOWN 16 /* bytes of a blob that are printed */

static void put_value(
	struct out *o, const struct field *f, const union value *v);

/* Returns the value cut to the bits that the file has, rounded up to whole
 * digits. */
static uint64_t
digits_of(const struct field *f, uint64_t value, unsigned digit)
{
	unsigned bits = (f->bits + digit - 1) / digit * digit;

	return bits < 64 ? value & ((UINT64_C(1) << bits) - 1) : value;
}

static void
put_bits(struct out *o, const struct field *f, uint64_t value)
{
	out_puts(o, "0b");
	for (unsigned i = f->bits; i-- > 0;)
		out_puts(o, (value >> i & 1) != 0 ? "1" : "0");
}

static void
put_number(struct out *o, const struct field *f, const union value *v)
{
	char text[40];

	switch (f->base) {
	case 2:
		put_bits(o, f, v->u);
		break;
	case 8:
		snprintf(text, sizeof text, "0%" PRIo64, digits_of(f, v->u, 3));
		out_puts(o, text);
		break;
	case 16:
		snprintf(
			text, sizeof text, "0x%" PRIX64, digits_of(f, v->u, 4));
		out_puts(o, text);
		break;
	default:
		if (f->type >= FIELD_I8)
			out_i64(o, v->i);
		else
			out_u64(o, v->u);
		break;
	}
}

static void
put_string(struct out *o, const char *s)
{
	static const char from[] = "\a\b\033\f\n\r\t\v\\\"'?";
	static const char to[] = "abefnrtv\\\"'?";
	char text[8];

	out_puts(o, "\"");
	for (; *s != '\0'; s++) {
		const char *known = strchr(from, *s);

		if (known != NULL) {
			text[0] = '\\';
			text[1] = to[known - from];
			out_put(o, text, 2);
		} else if ((unsigned char)*s < ' ' || *s == 0x7f) {
			snprintf(text, sizeof text, "\\x%02x",
				(unsigned char)*s);
			out_puts(o, text);
		} else {
			out_put(o, s, 1);
		}
	}
	out_puts(o, "\"");
}

static bool
is_in(const struct field *f, const struct field_label *l, const union value *v)
{
	if (f->type >= FIELD_I8)
		return v->i >= l->lo && v->i <= l->hi;
	return v->u >= (uint64_t)l->lo && v->u <= (uint64_t)l->hi;
}

static void
put_enum(struct out *o, const struct field *f, const union value *v)
{
	int seen = 0;

	out_puts(o, "( ");
	for (int i = 0; i < f->labels->n; i++) {
		if (!is_in(f, &f->labels->at[i], v))
			continue;
		out_puts(o, seen++ == 0 ? "" : ", ");
		put_string(o, f->labels->at[i].name);
	}
	out_puts(o, seen == 0 ? "<unknown> : container = " : " : container = ");
	put_number(o, f, v);
	out_puts(o, " )");
}

/* Prints a number with the names of the bits that are set. */
static void
put_flags(struct out *o, const struct field *f, const union value *v)
{
	const char *before = "( ";

	for (int i = 0; i < f->labels->n; i++) {
		const struct field_label *l = &f->labels->at[i];
		bool set = false;

		for (int64_t bit = l->lo; bit <= l->hi && bit < 64; bit++)
			set = set || (bit >= 0 && (v->u >> bit & 1) != 0);
		if (!set)
			continue;
		out_puts(o, before);
		put_string(o, l->name);
		before = ", ";
	}
	out_puts(o, before[0] == '(' ? "( <none>" : "");
	out_puts(o, " : container = ");
	put_number(o, f, v);
	out_puts(o, " )");
}

static void
put_hex(struct out *o, const struct value_list *list, uint32_t n)
{
	for (uint32_t i = 0; i < n && i < list->n; i++) {
		char text[4];

		snprintf(text, sizeof text, "%02x",
			(unsigned)list->at[i].u & 0xff);
		out_puts(o, text);
	}
}

/* Prints the length of a blob and its first bytes. */
static void
put_blob(struct out *o, const struct value_list *list)
{
	out_puts(o, "{ length = ");
	out_u64(o, list->n);
	out_puts(o, list->n == 0 ? "" : ", ");
	put_hex(o, list, BLOB_SHOWN);
	out_puts(o, list->n > BLOB_SHOWN ? "... }" : " }");
}

static void
put_list(struct out *o, const struct field_list *inner,
	const struct value_list *list)
{
	out_puts(o, "[ ");
	for (uint32_t i = 0; i < list->n; i++) {
		out_puts(o, i == 0 ? "[" : ", [");
		out_u64(o, i);
		out_puts(o, "] = ");
		put_value(o, inner->field,
			list->at + (size_t)i * (size_t)inner->n);
	}
	out_puts(o, list->n == 0 ? "]" : " ]");
}

static void
put_variant(struct out *o, const struct field *f, const struct value_list *list)
{
	if (f->form == FORM_OPTIONAL) {
		if (list->n == 0)
			out_puts(o, "<none>");
		else
			put_value(o, f->inner[1].field, list->at);
		return;
	}
	out_puts(o, "{ ");
	put_value(o, f->inner[list->n].field, list->at);
	out_puts(o, " }");
}

/* Prints a struct. v is the value of f; the values of the members follow in the
 * order of the members' fields. */
static void
put_struct(struct out *o, const struct field *f, const union value *v)
{
	bool first = true;

	out_puts(o, "{ ");
	for (int i = 1; i <= f->n; i++) {
		if (!f[i].hidden) {
			out_puts(o, first ? "" : ", ");
			out_puts(o, f[i].name);
			out_puts(o, " = ");
			put_value(o, &f[i], &v[i]);
			first = false;
		}
		if (f[i].type == FIELD_STRUCT)
			i += f[i].n;
	}
	out_puts(o, first ? "}" : " }");
}

/* Prints a number with what its type says about it. */
static void
put_named(struct out *o, const struct field *f, const union value *v)
{
	if (f->form == FORM_TRUTH)
		out_puts(o, v->u != 0 ? "true" : "false");
	else if (f->labels == NULL)
		put_number(o, f, v);
	else if (f->form == FORM_FLAGS)
		put_flags(o, f, v);
	else
		put_enum(o, f, v);
}

static void
put_value(struct out *o, const struct field *f, const union value *v)
{
	char text[32];

	switch (f->type) {
	case FIELD_STRUCT:
		put_struct(o, f, v);
		break;
	case FIELD_LIST:
		if (f->form == FORM_BLOB)
			put_blob(o, v->list);
		else
			put_list(o, f->inner, v->list);
		break;
	case FIELD_VARIANT:
		put_variant(o, f, v->list);
		break;
	case FIELD_STR:
		put_string(o, v->s);
		break;
	case FIELD_F64:
		snprintf(text, sizeof text, "%g", v->f);
		out_puts(o, text);
		break;
	default:
		put_named(o, f, v);
		break;
	}
}

/* Builds a plan; `text` is the constant text that no field follows yet. */
struct planner {
	struct arena *arena;
	const struct event_class *class;
	struct fields_plan *plan;
	struct out text;
};

static void
add_piece(struct planner *p, int at)
{
	size_t n = (size_t)(p->text.at - p->text.buf);

	VEC_PUSH(&p->plan->piece, p->arena,
		((struct fields_piece){
			.text = arena_strndup(p->arena, p->text.buf, n),
			.length = n,
			.field = at < 0 ? NULL : &p->class->field[at],
			.slot = (uint32_t)at }));
	p->text.at = p->text.buf;
}

/* Adds the members of the struct at that index as separate pieces. */
static void
plan_struct(struct planner *p, int at)
{
	const struct field *f = &p->class->field[at];
	bool first = true;

	out_puts(&p->text, "{ ");
	for (int i = at + 1; i <= at + f->n; i++) {
		const struct field *member = &p->class->field[i];
		bool is_struct = member->type == FIELD_STRUCT;

		if (!member->hidden) {
			out_puts(&p->text, first ? "" : ", ");
			out_puts(&p->text, member->name);
			out_puts(&p->text, " = ");
			first = false;
			if (is_struct)
				plan_struct(p, i);
			else
				add_piece(p, i);
		}
		i += is_struct ? member->n : 0;
	}
	out_puts(&p->text, first ? "}" : " }");
}

/* Returns true for a packet context whose members are all hidden (needed by
 * readers only). A packet context that is declared empty is shown. */
static bool
is_hidden(const struct field *f)
{
	int hidden = 0;

	for (int i = 1; i <= f->n; i++)
		hidden += f[i].hidden;
	return f->n > 0 && hidden == f->n;
}

struct fields_plan *
fields_plan(struct arena *a, const struct event_class *class, bool packet)
{
	struct planner p = { .arena = a,
		.class = class,
		.plan = ARENA_NEW(a, struct fields_plan) };
	bool first = true;

	out_open_memory(&p.text);
	for (int i = 0; i < class->nfields; i += class->field[i].n + 1) {
		const char *name = class->field[i].name;

		if (strcmp(name, "stream.packet.context") == 0 &&
			(!packet || is_hidden(&class->field[i])))
			continue;
		out_puts(&p.text, first ? "" : ", ");
		first = false;
		plan_struct(&p, i);
	}
	add_piece(&p, -1);
	out_close(&p.text);
	return p.plan;
}

void
fields_put(
	struct out *o, const struct fields_plan *plan, const union value *value)
{
	for (int i = 0; i < plan->piece.n; i++) {
		const struct fields_piece *p = &plan->piece.at[i];

		out_put(o, p->text, p->length);
		if (p->field != NULL)
			put_value(o, p->field, &value[p->slot]);
	}
}

/* Prints what JSON has other words for than the type of the field says. Returns
 * false if it has none. */
static bool
json_form(struct out *o, const struct field *f, const union value *v)
{
	switch (f->form) {
	case FORM_TRUTH:
		out_puts(o, v->u != 0 ? "true" : "false");
		return true;
	case FORM_BLOB:
		out_puts(o, "\"");
		put_hex(o, v->list, v->list->n);
		out_puts(o, "\"");
		return true;
	case FORM_OPTIONAL:
		if (v->list->n == 0)
			out_puts(o, "null");
		return v->list->n == 0;
	default:
		return false;
	}
}

static void
json_value(struct out *o, const struct field *f, const union value *v)
{
	if (json_form(o, f, v))
		return;
	switch (f->type) {
	case FIELD_STRUCT:
		out_puts(o, "{");
		fields_json(o, f + 1, f->n, v + 1, false);
		out_puts(o, "}");
		break;
	case FIELD_LIST:
		out_puts(o, "[");
		for (uint32_t i = 0; i < v->list->n; i++) {
			out_puts(o, i == 0 ? "" : ",");
			json_value(o, f->inner->field,
				v->list->at + (size_t)i * (size_t)f->inner->n);
		}
		out_puts(o, "]");
		break;
	case FIELD_VARIANT:
		json_value(o, f->inner[v->list->n].field, v->list->at);
		break;
	case FIELD_STR:
		out_json(o, v->s);
		break;
	case FIELD_F64:
		out_json_f64(o, v->f);
		break;
	case FIELD_U64:
		out_u64(o, v->u);
		break;
	default:
		out_i64(o, v->i);
		break;
	}
}

bool
fields_json(struct out *o, const struct field *field, int n,
	const union value *value, bool more)
{
	for (int i = 0; i < n; i++) {
		if (!field[i].hidden) {
			out_puts(o, more ? "," : "");
			out_json(o, field[i].name);
			out_puts(o, ":");
			json_value(o, &field[i], &value[i]);
			more = true;
		}
		if (field[i].type == FIELD_STRUCT)
			i += field[i].n;
	}
	return more;
}

void
fields_scopes_json(struct out *o, const struct event_class *c,
	const union value *value, bool own)
{
	bool any = false;

	for (int i = 0; i < c->nfields; i += c->field[i].n + 1)
		if (own == (strcmp(c->field[i].name, "event.fields") == 0))
			any = fields_json(o, &c->field[i + 1], c->field[i].n,
				&value[i + 1], any);
}
