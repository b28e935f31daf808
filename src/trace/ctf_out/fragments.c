/* SPDX-License-Identifier: MIT */
/* The metadata of CTF 2: a sequence of JSON objects, each behind a byte 0x1E.
 */
#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "base/document.h"
#include "trace/ctf_out/out.h"

#define NAMESPACE "weft"

struct fragments {
	const struct ctf_out *c;
	struct doc doc;
};

static void put_class(struct doc *d, const char *key, const struct shape *s);

static void
begin(struct fragments *f, const char *type)
{
	out_puts(&f->doc.out, "\x1e");
	doc_begin(&f->doc, NULL, '{');
	doc_word(&f->doc, "type", type);
}

/* Ends the fragment. */
static void
end(struct fragments *f)
{
	doc_end(&f->doc, '}');
	out_puts(&f->doc.out, "\n");
	f->doc.more = false;
}

/* Begins a class of fields of whole bytes. */
static void
begin_number(struct doc *d, const char *key, const char *type, int bits)
{
	doc_begin(d, key, '{');
	doc_word(d, "type", type);
	doc_i64(d, "length", bits);
	doc_word(d, "byte-order", "little-endian");
	doc_i64(d, "alignment", 8);
}

static void
put_bound(struct doc *d, int64_t value, bool is_signed)
{
	if (is_signed)
		doc_i64(d, NULL, value);
	else
		doc_u64(d, NULL, (uint64_t)value);
}

/* Appends labels; those of the same name are one member. */
static void
put_labels(struct doc *d, const char *key, const struct field_labels *l,
	bool is_signed)
{
	doc_begin(d, key, '{');
	for (int i = 0; i < l->n; i++) {
		bool known = false;

		for (int j = 0; j < i && !known; j++)
			known = strcmp(l->at[j].name, l->at[i].name) == 0;
		if (known)
			continue;
		doc_begin(d, l->at[i].name, '[');
		for (int j = i; j < l->n; j++) {
			if (strcmp(l->at[j].name, l->at[i].name) != 0)
				continue;
			doc_begin(d, NULL, '[');
			put_bound(d, l->at[j].lo, is_signed);
			put_bound(d, l->at[j].hi, is_signed);
			doc_end(d, ']');
		}
		doc_end(d, ']');
	}
	doc_end(d, '}');
}

static void
put_number(struct doc *d, const char *key, const struct shape *s)
{
	bool labels = s->labels != NULL && s->labels->n > 0;

	if (s->form == FORM_TRUTH && !s->is_signed) {
		begin_number(d, key, "fixed-length-boolean", s->bits);
		doc_end(d, '}');
		return;
	}
	if (s->form == FORM_FLAGS && labels) {
		begin_number(d, key, "fixed-length-bit-map", s->bits);
		put_labels(d, "flags", s->labels, false);
		doc_end(d, '}');
		return;
	}
	begin_number(d, key,
		s->is_signed ? "fixed-length-signed-integer"
			     : "fixed-length-unsigned-integer",
		s->bits);
	if (s->base == 2 || s->base == 8 || s->base == 16)
		doc_i64(d, "preferred-display-base", s->base);
	if (labels)
		put_labels(d, "mappings", s->labels, s->is_signed);
	doc_end(d, '}');
}

/* Appends the tag in front of a variant. */
static void
put_tag(struct doc *d, const struct shape *s, const struct shape *of)
{
	begin_number(
		d, "field-class", "fixed-length-unsigned-integer", s->bits);
	if (of->kind == SHAPE_VARIANT) {
		doc_begin(d, "mappings", '{');
		for (int i = 0; i < of->n; i++) {
			doc_begin(d, of->member[i].name, '[');
			doc_begin(d, NULL, '[');
			doc_i64(d, NULL, i);
			doc_i64(d, NULL, i);
			doc_end(d, ']');
			doc_end(d, ']');
		}
		doc_end(d, '}');
	}
	doc_end(d, '}');
}

/* Appends where a length or a selector is: beside the field. */
static void
put_location(struct doc *d, const char *key, const char *name)
{
	doc_begin(d, key, '{');
	doc_begin(d, "path", '[');
	doc_word(d, NULL, name);
	doc_end(d, ']');
	doc_end(d, '}');
}

static void
put_selected(struct doc *d, int64_t value)
{
	doc_begin(d, "selector-field-ranges", '[');
	doc_begin(d, NULL, '[');
	doc_i64(d, NULL, value);
	doc_i64(d, NULL, value);
	doc_end(d, ']');
	doc_end(d, ']');
}

static void
put_member(struct doc *d, const struct shape *s, int i)
{
	const struct shape *m = &s->member[i];

	doc_begin(d, NULL, '{');
	doc_word(d, "name", m->name);
	if (m->kind == SHAPE_TAG)
		put_tag(d, m, &s->member[i + 1]);
	else
		put_class(d, "field-class", m);
	doc_end(d, '}');
}

static void
put_struct(struct doc *d, const char *key, const struct shape *s)
{
	doc_begin(d, key, '{');
	doc_word(d, "type", "structure");
	doc_begin(d, "member-classes", '[');
	for (int i = 0; s != NULL && i < s->n; i++)
		put_member(d, s, i);
	doc_end(d, ']');
	doc_end(d, '}');
}

static void
put_variant(struct doc *d, const char *key, const struct shape *s)
{
	doc_begin(d, key, '{');
	doc_word(d, "type", s->kind == SHAPE_OPTIONAL ? "optional" : "variant");
	put_location(d, "selector-field-location", s->ref);
	if (s->kind == SHAPE_OPTIONAL) {
		put_selected(d, 1);
		put_class(d, "field-class", s->member);
	} else {
		doc_begin(d, "options", '[');
		for (int i = 0; i < s->n; i++) {
			doc_begin(d, NULL, '{');
			doc_word(d, "name", s->member[i].name);
			put_selected(d, i);
			put_class(d, "field-class", &s->member[i]);
			doc_end(d, '}');
		}
		doc_end(d, ']');
	}
	doc_end(d, '}');
}

static void
put_list(struct doc *d, const char *key, const struct shape *s)
{
	bool blob = s->kind == SHAPE_BLOB;

	doc_begin(d, key, '{');
	if (s->count > 0) {
		doc_word(d, "type",
			blob ? "static-length-blob" : "static-length-array");
		doc_i64(d, "length", s->count);
	} else {
		doc_word(d, "type",
			blob ? "dynamic-length-blob" : "dynamic-length-array");
		put_location(d, "length-field-location", s->ref);
	}
	if (!blob)
		put_class(d, "element-field-class", s->member);
	doc_end(d, '}');
}

static void
put_class(struct doc *d, const char *key, const struct shape *s)
{
	switch (s->kind) {
	case SHAPE_NUMBER:
	case SHAPE_LENGTH:
	case SHAPE_TAG:
		put_number(d, key, s);
		break;
	case SHAPE_REAL:
		begin_number(
			d, key, "fixed-length-floating-point-number", s->bits);
		doc_end(d, '}');
		break;
	case SHAPE_TEXT:
		doc_begin(d, key, '{');
		doc_word(d, "type", "null-terminated-string");
		doc_end(d, '}');
		break;
	case SHAPE_STRUCT:
		put_struct(d, key, s);
		break;
	case SHAPE_LIST:
	case SHAPE_BLOB:
		put_list(d, key, s);
		break;
	default:
		put_variant(d, key, s);
		break;
	}
}

static void
put_preamble(struct fragments *f, const struct out_part *p)
{
	begin(f, "preamble");
	doc_i64(&f->doc, "version", 2);
	doc_begin(&f->doc, "uuid", '[');
	for (int i = 0; i < CTF_OUT_UUID; i++)
		doc_i64(&f->doc, NULL, p->uuid[i]);
	doc_end(&f->doc, ']');
	end(f);
}

/* Appends an unsigned number with a role (NULL: none) as a member. */
static void
put_own(struct doc *d, const char *name, const char *role, int bits)
{
	doc_begin(d, NULL, '{');
	doc_word(d, "name", name);
	begin_number(d, "field-class", "fixed-length-unsigned-integer", bits);
	if (role != NULL) {
		doc_begin(d, "roles", '[');
		doc_word(d, NULL, role);
		doc_end(d, ']');
	}
	doc_end(d, '}');
	doc_end(d, '}');
}

static void
put_uuid_member(struct doc *d)
{
	doc_begin(d, NULL, '{');
	doc_word(d, "name", "uuid");
	doc_begin(d, "field-class", '{');
	doc_word(d, "type", "static-length-blob");
	doc_i64(d, "length", CTF_OUT_UUID);
	doc_begin(d, "roles", '[');
	doc_word(d, NULL, "metadata-stream-uuid");
	doc_end(d, ']');
	doc_end(d, '}');
	doc_end(d, '}');
}

static void
begin_struct(struct doc *d, const char *key)
{
	doc_begin(d, key, '{');
	doc_word(d, "type", "structure");
	doc_begin(d, "member-classes", '[');
}

static void
end_struct(struct doc *d)
{
	doc_end(d, ']');
	doc_end(d, '}');
}

static void
put_env(void *arg, const char *name, const char *text, int64_t number)
{
	struct doc *d = arg;

	if (text != NULL)
		doc_word(d, name, text);
	else
		doc_i64(d, name, number);
}

static void
put_trace(struct fragments *f, const struct out_part *p)
{
	struct doc *d = &f->doc;

	begin(f, "trace-class");
	doc_begin(d, "environment", '{');
	ctf_out_env(f->c, p, put_env, d);
	doc_end(d, '}');
	begin_struct(d, "packet-header-field-class");
	put_own(d, "magic", "packet-magic-number", 32);
	put_uuid_member(d);
	if (p->has_kinds)
		put_own(d, "stream_id", "data-stream-class-id", 64);
	put_own(d, "stream_instance_id", "data-stream-id", 64);
	end_struct(d);
	end(f);
}

static void
put_clock(struct fragments *f, const struct out_clock *k)
{
	int64_t rest, seconds = ctf_out_seconds(k, &rest);
	struct doc *d = &f->doc;

	begin(f, "clock-class");
	doc_word(d, "id", k->name);
	doc_word(d, "name", k->of);
	if (k->uuid != NULL)
		doc_word(d, "uid", k->uuid);
	doc_i64(d, "frequency", CTF_OUT_NS);
	if (k->offset != 0)
		doc_word(d, "origin", "unix-epoch");
	doc_begin(d, "offset-from-origin", '{');
	doc_i64(d, "seconds", seconds);
	doc_i64(d, "cycles", rest);
	doc_end(d, '}');
	end(f);
}

static void
put_packet(struct doc *d, const struct out_stream_class *s)
{
	begin_struct(d, "packet-context-field-class");
	if (s->clock != NULL) {
		put_own(d, "timestamp_begin", "default-clock-timestamp", 64);
		put_own(d, "timestamp_end",
			"packet-end-default-clock-timestamp", 64);
	}
	put_own(d, "content_size", "packet-content-length", 64);
	put_own(d, "packet_size", "packet-total-length", 64);
	put_own(d, "packet_seq_num", "packet-sequence-number", 64);
	put_own(d, "events_discarded",
		"discarded-event-record-counter-snapshot", 64);
	if (s->has_cpu)
		put_own(d, "cpu_id", NULL, 32);
	for (int i = 0; s->packet != NULL && i < s->packet->n; i++)
		put_member(d, s->packet, i);
	end_struct(d);
}

static void
put_stream(struct fragments *f, const struct out_stream_class *s)
{
	struct doc *d = &f->doc;

	begin(f, "data-stream-class");
	doc_u64(d, "id", s->id);
	if (s->clock != NULL)
		doc_word(d, "default-clock-class-id", s->clock->name);
	put_packet(d, s);
	begin_struct(d, "event-record-header-field-class");
	put_own(d, "id", "event-record-class-id", f->c->wide ? 32 : 16);
	if (s->clock != NULL)
		put_own(d, "timestamp", "default-clock-timestamp", 64);
	end_struct(d);
	if (s->common != NULL)
		put_struct(d, "event-record-common-context-field-class",
			s->common);
	end(f);
}

static void
put_attributes(struct doc *d, const struct out_event_class *e)
{
	if (e->uri == NULL && e->says == NULL)
		return;
	doc_begin(d, "attributes", '{');
	doc_begin(d, NAMESPACE, '{');
	if (e->says != NULL)
		doc_word(d, "says", e->says);
	if (e->uri != NULL)
		doc_word(d, "emf-uri", e->uri);
	doc_end(d, '}');
	doc_end(d, '}');
}

static void
put_event(struct fragments *f, const struct out_stream_class *s,
	const struct out_event_class *e)
{
	struct doc *d = &f->doc;

	begin(f, "event-record-class");
	doc_u64(d, "id", e->id);
	doc_u64(d, "data-stream-class-id", s->id);
	doc_word(d, "name", e->name);
	put_attributes(d, e);
	if (e->specific != NULL)
		put_struct(d, "specific-context-field-class", e->specific);
	if (e->payload != NULL)
		put_struct(d, "payload-field-class", e->payload);
	end(f);
}

void
ctf_out_fragments(struct ctf_out *c, const struct out_part *p)
{
	struct fragments f = { .c = c };

	doc_open_memory(&f.doc);
	put_preamble(&f, p);
	put_trace(&f, p);
	for (int i = 0; i < p->clocks.n; i++)
		put_clock(&f, p->clocks.at[i]);
	for (int i = 0; i < p->classes.n; i++)
		put_stream(&f, p->classes.at[i]);
	for (int i = 0; i < p->classes.n; i++)
		for (int j = 0; j < p->classes.at[i]->events.n; j++)
			put_event(&f, p->classes.at[i],
				p->classes.at[i]->events.at[j]);
	ctf_out_metadata(c, p, &f.doc.out);
	mem_free(f.doc.out.buf);
}
