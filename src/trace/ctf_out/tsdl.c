/* SPDX-License-Identifier: MIT */
/* The metadata of CTF 1.8. Names get an underscore in front, which readers drop
 * again: so none is a keyword. */
#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/out.h"
#include "trace/ctf_out/out.h"

#define U64 "integer { size = 64; align = 8; signed = false; }"

struct tsdl {
	struct ctf_out *c;
	struct out out;
	int depth;             /* of structs */
	VEC(const char *) env; /* names so far */
};

static void put_shape(struct tsdl *t, const struct shape *s);

/* Appends a short text: names may be of any length. */
__attribute__((format(printf, 2, 3))) static void
put(struct tsdl *t, const char *fmt, ...)
{
	char text[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	out_puts(&t->out, text);
}

/* Appends a text in quotes. */
static void
put_text(struct tsdl *t, const char *text)
{
	out_puts(&t->out, "\"");
	for (; *text != '\0'; text++) {
		unsigned char c = (unsigned char)*text;

		if (c == '"' || c == '\\')
			put(t, "\\%c", c);
		else if (c < ' ' || c == 0x7f)
			put(t, "\\%03o", c);
		else
			out_put(&t->out, text, 1);
	}
	out_puts(&t->out, "\"");
}

/* Appends the name of a field. */
static void
put_name(struct tsdl *t, const char *name)
{
	out_puts(&t->out, "_");
	out_puts(&t->out, name);
}

static void
put_integer(struct tsdl *t, const struct shape *s)
{
	put(t, "integer { size = %d; align = 8; signed = %s;", s->bits,
		s->is_signed ? "true" : "false");
	if (s->base != 0 && s->base != 10)
		put(t, " base = %d;", s->base);
	out_puts(&t->out, " }");
}

/* Appends the range of a label. */
static void
put_range(struct tsdl *t, const struct field_label *l, bool is_signed)
{
	if (is_signed)
		put(t, " = %" PRId64 " ... %" PRId64, l->lo, l->hi);
	else
		put(t, " = %" PRIu64 " ... %" PRIu64, (uint64_t)l->lo,
			(uint64_t)l->hi);
}

static void
put_number(struct tsdl *t, const struct shape *s)
{
	const struct field_labels *l = s->labels;

	if (l == NULL || l->n == 0 || s->form == FORM_FLAGS) {
		put_integer(t, s);
		return;
	}
	out_puts(&t->out, "enum : ");
	put_integer(t, s);
	out_puts(&t->out, " {");
	for (int i = 0; i < l->n; i++) {
		out_puts(&t->out, i == 0 ? " " : ", ");
		put_text(t, l->at[i].name);
		put_range(t, &l->at[i], s->is_signed);
	}
	out_puts(&t->out, " }");
}

/* Appends the tag in front of a variant: an option's name for each number. */
static void
put_tag(struct tsdl *t, const struct shape *s, const struct shape *of)
{
	out_puts(&t->out, "enum : ");
	put_integer(t, s);
	if (of->kind == SHAPE_OPTIONAL) {
		put(t, " { \"_none\" = 0, \"_some\" = 1 }");
		return;
	}
	out_puts(&t->out, " {");
	for (int i = 0; i < of->n; i++) {
		out_puts(&t->out, i == 0 ? " \"" : ", \"");
		put_name(t, of->member[i].name);
		put(t, "\" = %d", i);
	}
	out_puts(&t->out, " }");
}

static void
put_real(struct tsdl *t, const struct shape *s)
{
	put(t, "floating_point { exp_dig = %d; mant_dig = %d; align = 8; }",
		s->bits == 32 ? 8 : 11, s->bits == 32 ? 24 : 53);
}

static void
put_line(struct tsdl *t)
{
	out_puts(&t->out, "\n");
	for (int i = 0; i < t->depth; i++)
		out_puts(&t->out, "\t");
}

/* Appends the lengths behind the name of a list (of lists). */
static void
put_lengths(struct tsdl *t, const struct shape *s)
{
	for (; s->kind == SHAPE_LIST || s->kind == SHAPE_BLOB; s = s->member)
		if (s->count > 0) {
			put(t, "[%d]", s->count);
		} else {
			out_puts(&t->out, "[");
			put_name(t, s->ref);
			out_puts(&t->out, "]");
		}
}

/* Appends the members of a struct. */
static void
put_members(struct tsdl *t, const struct shape *s)
{
	t->depth++;
	for (int i = 0; i < s->n; i++) {
		const struct shape *m = &s->member[i];

		put_line(t);
		if (m->kind == SHAPE_TAG)
			put_tag(t, m, &s->member[i + 1]);
		else
			put_shape(t, m);
		out_puts(&t->out, " ");
		put_name(t, m->name);
		put_lengths(t, m);
		out_puts(&t->out, ";");
	}
	t->depth--;
	put_line(t);
}

static void
put_variant(struct tsdl *t, const struct shape *s)
{
	out_puts(&t->out, "variant <");
	put_name(t, s->ref);
	out_puts(&t->out, "> {");
	t->depth++;
	if (s->kind == SHAPE_OPTIONAL) {
		put_line(t);
		out_puts(&t->out, "struct { } _none;");
	}
	for (int i = 0; i < s->n; i++) {
		put_line(t);
		put_shape(t, &s->member[i]);
		out_puts(&t->out, " ");
		put_name(t,
			s->kind == SHAPE_OPTIONAL ? "some" : s->member[i].name);
		out_puts(&t->out, ";");
	}
	t->depth--;
	put_line(t);
	out_puts(&t->out, "}");
}

static void
put_shape(struct tsdl *t, const struct shape *s)
{
	switch (s->kind) {
	case SHAPE_NUMBER:
		put_number(t, s);
		break;
	case SHAPE_LENGTH:
	case SHAPE_TAG:
		put_integer(t, s);
		break;
	case SHAPE_REAL:
		put_real(t, s);
		break;
	case SHAPE_TEXT:
		out_puts(&t->out, "string");
		break;
	case SHAPE_STRUCT:
		out_puts(&t->out, "struct {");
		put_members(t, s);
		out_puts(&t->out, "}");
		break;
	case SHAPE_LIST:
	case SHAPE_BLOB:
		put_shape(t, s->member);
		break;
	default:
		put_variant(t, s);
		break;
	}
}

/* Appends a scope: "	event.header := struct { ... };". */
static void
put_scope(struct tsdl *t, const char *name, const struct shape *s)
{
	if (s == NULL)
		return;
	put(t, "\t%s := struct {", name);
	t->depth = 1;
	put_members(t, s);
	out_puts(&t->out, "};\n");
	t->depth = 0;
}

static void
put_uuid(struct tsdl *t, const uint8_t *uuid)
{
	out_puts(&t->out, "\"");
	for (int i = 0; i < CTF_OUT_UUID; i++)
		put(t, "%s%02x",
			i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
			uuid[i]);
	out_puts(&t->out, "\"");
}

static void
put_trace(struct tsdl *t, const struct out_part *p)
{
	out_puts(&t->out,
		"/* CTF 1.8 */\n\ntrace {\n\tmajor = 1;\n\tminor = 8;\n"
		"\tuuid = ");
	put_uuid(t, p->uuid);
	out_puts(&t->out,
		";\n\tbyte_order = le;\n\tpacket.header := struct {\n"
		"\t\tinteger { size = 32; align = 8; signed = false; base = 16;"
		" } magic;\n"
		"\t\tinteger { size = 8; align = 8; signed = false; base = 16;"
		" } uuid[16];\n");
	if (p->has_kinds)
		out_puts(&t->out, "\t\t" U64 " stream_id;\n");
	out_puts(&t->out,
		"\t\t" U64 " stream_instance_id;\n\t};\n};\n\nenv {\n");
}

/* Returns the name as the environment may have it, and no other name of it has
 * become. */
static const char *
env_name(struct tsdl *t, const char *name)
{
	const char *to = ctf_out_identifier(t->c->arena, name);

	for (int i = 0; i < t->env.n; i++)
		if (strcmp(t->env.at[i], to) == 0) {
			to = arena_printf(t->c->arena, "%s_", to);
			i = -1;
		}
	VEC_PUSH(&t->env, t->c->arena, to);
	t->c->nnames += strcmp(to, name) != 0;
	return to;
}

static void
put_env(void *arg, const char *name, const char *text, int64_t number)
{
	struct tsdl *t = arg;

	out_puts(&t->out, "\t");
	out_puts(&t->out, env_name(t, name));
	out_puts(&t->out, " = ");
	if (text != NULL)
		put_text(t, text);
	else
		put(t, "%" PRId64, number);
	out_puts(&t->out, ";\n");
}

static bool
is_uuid(const char *text)
{
	static const char form[] = "........-....-....-....-............";

	for (size_t i = 0; i < sizeof form; i++)
		if (form[i] == '.' ? !isxdigit((unsigned char)text[i])
				   : text[i] != form[i])
			return false;
	return true;
}

static void
put_clock(struct tsdl *t, const struct out_clock *k)
{
	int64_t rest, seconds = ctf_out_seconds(k, &rest);

	out_puts(&t->out, "clock {\n\tname = \"");
	out_puts(&t->out, k->name);
	out_puts(&t->out, "\";\n");
	t->c->nnames += strcmp(k->name, k->of) != 0;
	if (k->uuid != NULL && is_uuid(k->uuid)) {
		out_puts(&t->out, "\tuuid = ");
		put_text(t, k->uuid);
		out_puts(&t->out, ";\n");
	} else {
		t->c->nuuids += k->uuid != NULL;
	}
	put(t,
		"\tdescription = \"ns\";\n\tfreq = 1000000000;\n"
		"\toffset_s = %" PRId64 ";\n\toffset = %" PRId64 ";\n};\n\n",
		seconds, rest);
}

/* Appends a value of the clock, if there is one. */
static void
put_stamp(struct tsdl *t, const struct out_stream_class *s, const char *name)
{
	if (s->clock == NULL)
		return;
	out_puts(&t->out,
		"\t\tinteger { size = 64; align = 8; signed = false; "
		"map = clock.");
	out_puts(&t->out, s->clock->name);
	put(t, ".value; } %s;\n", name);
}

static void
put_packet(struct tsdl *t, const struct out_stream_class *s)
{
	out_puts(&t->out, "\tpacket.context := struct {\n");
	put_stamp(t, s, "timestamp_begin");
	put_stamp(t, s, "timestamp_end");
	out_puts(&t->out,
		"\t\t" U64 " content_size;\n\t\t" U64 " packet_size;\n"
		"\t\t" U64 " packet_seq_num;\n\t\t" U64 " events_discarded;\n");
	if (s->has_cpu)
		out_puts(&t->out,
			"\t\tinteger { size = 32; align = 8; signed = false; } "
			"cpu_id;\n");
	t->depth = 1;
	if (s->packet != NULL)
		put_members(t, s->packet);
	t->depth = 0;
	out_puts(&t->out, "\t};\n");
}

static void
put_stream(struct tsdl *t, const struct out_stream_class *s)
{
	out_puts(&t->out, "stream {\n");
	if (s->part->has_kinds)
		put(t, "\tid = %" PRIu64 ";\n", s->id);
	put_packet(t, s);
	put(t,
		"\tevent.header := struct {\n\t\tinteger { size = %d; align = "
		"8; signed = false; } id;\n",
		t->c->wide ? 32 : 16);
	put_stamp(t, s, "timestamp");
	out_puts(&t->out, "\t};\n");
	put_scope(t, "event.context", s->common);
	out_puts(&t->out, "};\n\n");
}

static void
put_event(struct tsdl *t, const struct out_stream_class *s,
	const struct out_event_class *e)
{
	out_puts(&t->out, "event {\n\tname = ");
	put_text(t, e->name);
	put(t, ";\n\tid = %" PRIu32 ";\n", e->id);
	if (s->part->has_kinds)
		put(t, "\tstream_id = %" PRIu64 ";\n", s->id);
	if (e->uri != NULL) {
		out_puts(&t->out, "\tmodel.emf.uri = ");
		put_text(t, e->uri);
		out_puts(&t->out, ";\n");
	}
	put_scope(t, "context", e->specific);
	put_scope(t, "fields", e->payload);
	out_puts(&t->out, "};\n\n");
}

void
ctf_out_tsdl(struct ctf_out *c, const struct out_part *p)
{
	struct tsdl t = { .c = c };

	out_open_memory(&t.out);
	put_trace(&t, p);
	ctf_out_env(c, p, put_env, &t);
	out_puts(&t.out, "};\n\n");
	for (int i = 0; i < p->clocks.n; i++)
		put_clock(&t, p->clocks.at[i]);
	for (int i = 0; i < p->classes.n; i++)
		put_stream(&t, p->classes.at[i]);
	for (int i = 0; i < p->classes.n; i++)
		for (int j = 0; j < p->classes.at[i]->events.n; j++)
			put_event(&t, p->classes.at[i],
				p->classes.at[i]->events.at[j]);
	ctf_out_metadata(c, p, &t.out);
	out_close(&t.out);
}
