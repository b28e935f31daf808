/* SPDX-License-Identifier: MIT */
#include "trace/ctf/fragments.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"

#define CLASSES_MAX 4096 /* aliases; classes of streams; clocks */

bool
ctf_fragment_fail(const struct ctf_meta *m, const char *at, struct err *err,
	const char *fmt, ...)
{
	char text[200];
	int number = 0;
	va_list ap;

	for (const char *c = m->text; c <= at && c < m->text + m->size; c++)
		number += *c == CTF_FRAGMENT;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	if (err->kind == ERR_NONE)
		err_set(err, ERR_INPUT, "%.160s: fragment %d, at byte %zu: %s",
			m->file, number, (size_t)(at - m->text),
			text_disarm(text));
	return false;
}

bool
ctf_fragment_need(struct ctf_fragments *p, struct json_object *v,
	const char *name, enum json_type type)
{
	enum json_type is = json_type(v, name);

	return is == type ||
		CTF_FRAGMENT_FAIL(p, "\"%s\": %s is expected, not %s", name,
			json_type_name(type), json_type_name(is));
}

bool
ctf_fragment_number(struct ctf_fragments *p, struct json_object *v,
	const char *name, uint64_t max, uint64_t *to)
{
	uint64_t u;

	if (json_type(v, name) == JSON_MISSING)
		return true;
	if (!json_u64(json_get(v, name), &u) || u > max)
		return CTF_FRAGMENT_FAIL(p,
			"\"%s\": an integer from 0 to %llu is expected", name,
			(unsigned long long)max);
	*to = u;
	return true;
}

bool
ctf_fragment_text(struct ctf_fragments *p, struct json_object *v,
	const char *name, const char **to)
{
	if (json_type(v, name) == JSON_MISSING)
		return true;
	if (!ctf_fragment_need(p, v, name, JSON_STRING))
		return false;
	*to = arena_strdup(p->arena, json_str(json_get(v, name)));
	return true;
}

/* Reads a field class that must be a structure, if the property is there. */
static bool
take_struct(struct ctf_fragments *p, struct json_object *v, const char *name,
	const struct ctf_type **to)
{
	if (json_type(v, name) == JSON_MISSING)
		return true;
	*to = ctf_fragment_type(p, json_get(v, name), 0);
	if (*to == NULL)
		return false;
	return (*to)->kind == CTF_STRUCT ||
		CTF_FRAGMENT_FAIL(p, "\"%s\": a structure is expected", name);
}

static bool
read_preamble(struct ctf_fragments *p, struct json_object *v)
{
	struct json_object *uuid = json_get(v, "uuid");
	struct ctf_meta *m = p->meta;
	uint64_t version = 0, byte;

	if (p->at != m->text)
		return CTF_FRAGMENT_FAIL(p, "a second preamble");
	if (!ctf_fragment_number(p, v, "version", UINT64_MAX, &version))
		return false;
	if (version != 2)
		return CTF_FRAGMENT_FAIL(p,
			"CTF 2 can be read in this form, not version %llu",
			(unsigned long long)version);
	if (json_type(v, "uuid") == JSON_MISSING)
		return true;
	if (json_length(uuid) != sizeof m->uuid)
		return CTF_FRAGMENT_FAIL(
			p, "\"uuid\": 16 integers are expected");
	for (size_t i = 0; i < sizeof m->uuid; i++) {
		if (!json_u64(json_at(uuid, i), &byte) || byte > UINT8_MAX)
			return CTF_FRAGMENT_FAIL(p,
				"\"uuid\": integers from 0 to 255 are "
				"expected");
		m->uuid[i] = (uint8_t)byte;
	}
	m->has_uuid = true;
	return true;
}

static bool
read_alias(struct ctf_fragments *p, struct json_object *v)
{
	struct ctf_member m = { 0 };

	if (!ctf_fragment_need(p, v, "name", JSON_STRING) ||
		!ctf_fragment_text(p, v, "name", &m.name))
		return false;
	for (int i = 0; i < p->alias.n; i++)
		if (strcmp(p->alias.at[i].name, m.name) == 0)
			return CTF_FRAGMENT_FAIL(p,
				"the alias \"%.80s\" is declared twice",
				m.name);
	if (p->alias.n == CLASSES_MAX)
		return CTF_FRAGMENT_FAIL(
			p, "more than %d aliases", CLASSES_MAX);
	m.type = ctf_fragment_type(p, json_get(v, "field-class"), 0);
	if (m.type == NULL)
		return false;
	VEC_PUSH(&p->alias, p->arena, m);
	return true;
}

static void
add_env(void *arg, const char *name, struct json_object *v)
{
	struct ctf_fragments *p = arg;
	struct trace_env e = { .name = arena_strdup(p->arena, name) };
	const char *text = json_str(v);

	if (text != NULL)
		e.text = arena_strdup(p->arena, text);
	else if (!json_int(v, &e.number))
		CTF_FRAGMENT_FAIL(p,
			"environment: \"%.80s\" is neither a text nor an "
			"integer",
			name);
	if (strcmp(name, "weft_version") == 0)
		p->meta->is_ours = true;
	VEC_PUSH(&p->meta->env, p->arena, e);
}

static bool
read_trace(struct ctf_fragments *p, struct json_object *v)
{
	if (p->has_trace || p->meta->streams.n > 0)
		return CTF_FRAGMENT_FAIL(p,
			"a trace class comes once, before the classes of "
			"streams");
	p->has_trace = true;
	json_each(json_get(v, "environment"), add_env, p);
	return p->err->kind == ERR_NONE &&
		take_struct(p, v, "packet-header-field-class",
			&p->meta->packet_header);
}

static const struct ctf_clock *
find_clock(const struct ctf_meta *m, const char *name)
{
	for (int i = 0; i < m->clocks.n; i++)
		if (strcmp(m->clocks.at[i].name, name) == 0)
			return &m->clocks.at[i];
	return NULL;
}

static bool
read_clock(struct ctf_fragments *p, struct json_object *v)
{
	struct json_object *offset = json_get(v, "offset-from-origin");
	struct ctf_clock c = { 0 };
	uint64_t cycles = 0;

	if (!ctf_fragment_need(p, v, "id", JSON_STRING) ||
		!ctf_fragment_text(p, v, "id", &c.name) ||
		!ctf_fragment_text(p, v, "uid", &c.uuid) ||
		!ctf_fragment_need(p, v, "frequency", JSON_NUMBER) ||
		!ctf_fragment_number(p, v, "frequency", INT64_MAX, &c.freq))
		return false;
	if (c.freq == 0)
		return CTF_FRAGMENT_FAIL(
			p, "\"frequency\": it must be above 0");
	if (find_clock(p->meta, c.name) != NULL)
		return CTF_FRAGMENT_FAIL(
			p, "the clock \"%.80s\" is declared twice", c.name);
	if (!ctf_fragment_number(p, offset, "cycles", c.freq - 1, &cycles))
		return false;
	if (json_type(offset, "seconds") != JSON_MISSING &&
		!json_int(json_get(offset, "seconds"), &c.offset_s))
		return CTF_FRAGMENT_FAIL(
			p, "\"seconds\": an integer is expected");
	if (p->meta->clocks.n == CLASSES_MAX)
		return CTF_FRAGMENT_FAIL(p, "more than %d clocks", CLASSES_MAX);
	c.offset = (int64_t)cycles;
	VEC_PUSH(&p->meta->clocks, p->arena, c);
	return true;
}

static bool
has_stream(const struct ctf_meta *m, uint64_t id)
{
	for (int i = 0; i < m->streams.n; i++)
		if (m->streams.at[i].id == id)
			return true;
	return false;
}

static bool
read_stream(struct ctf_fragments *p, struct json_object *v)
{
	struct ctf_stream_class s = { 0 };

	if (!ctf_fragment_number(p, v, "id", UINT64_MAX, &s.id) ||
		!ctf_fragment_text(p, v, "default-clock-class-id", &s.clock) ||
		!take_struct(p, v, "packet-context-field-class",
			&s.packet_context) ||
		!take_struct(
			p, v, "event-record-header-field-class", &s.header) ||
		!take_struct(p, v, "event-record-common-context-field-class",
			&s.context))
		return false;
	if (s.clock != NULL && find_clock(p->meta, s.clock) == NULL)
		return CTF_FRAGMENT_FAIL(
			p, "no clock \"%.80s\" was declared before", s.clock);
	if (has_stream(p->meta, s.id))
		return CTF_FRAGMENT_FAIL(p,
			"the class %llu of streams is declared twice",
			(unsigned long long)s.id);
	if (p->meta->streams.n == CLASSES_MAX)
		return CTF_FRAGMENT_FAIL(
			p, "more than %d classes of streams", CLASSES_MAX);
	VEC_PUSH(&p->meta->streams, p->arena, s);
	return true;
}

/* The attributes of LTTng's name space have the URI of the event's model. */
struct uri {
	struct arena *arena;
	const char *text;
};

static void
find_uri(void *arg, const char *name, struct json_object *v)
{
	struct uri *uri = arg;
	const char *text = json_str(json_get(v, "emf-uri"));

	(void)name;
	if (text != NULL)
		uri->text = arena_strdup(uri->arena, text);
}

static bool
read_event(struct ctf_fragments *p, struct json_object *v)
{
	struct ctf_event_class e = { .at = p->at };
	struct uri uri = { .arena = p->arena };

	if (!ctf_fragment_number(p, v, "id", UINT64_MAX, &e.id) ||
		!ctf_fragment_number(p, v, "data-stream-class-id", UINT64_MAX,
			&e.stream_id) ||
		!ctf_fragment_text(p, v, "name", &e.name) ||
		!take_struct(
			p, v, "specific-context-field-class", &e.context) ||
		!take_struct(p, v, "payload-field-class", &e.fields))
		return false;
	if (!has_stream(p->meta, e.stream_id))
		return CTF_FRAGMENT_FAIL(p,
			"no class %llu of streams was declared before",
			(unsigned long long)e.stream_id);
	if (e.name == NULL)
		e.name = arena_printf(
			p->arena, "event %llu", (unsigned long long)e.id);
	json_each(json_get(v, "attributes"), find_uri, &uri);
	e.uri = uri.text;
	VEC_PUSH(&p->meta->events, p->arena, e);
	return true;
}

static void
note_extension(void *arg, const char *name, struct json_object *v)
{
	(void)name;
	(void)v;
	*(bool *)arg = true;
}

static bool
read_fragment(struct ctf_fragments *p, struct json_object *v)
{
	static const struct {
		const char *type;
		bool (*read)(struct ctf_fragments *p, struct json_object *v);
	} kinds[] = { { "preamble", read_preamble },
		{ "field-class-alias", read_alias },
		{ "trace-class", read_trace }, { "clock-class", read_clock },
		{ "data-stream-class", read_stream },
		{ "event-record-class", read_event } };
	const char *type = json_str(json_get(v, "type"));
	bool extended = false;

	if (type == NULL)
		return CTF_FRAGMENT_FAIL(
			p, "an object with a \"type\" is expected");
	if (p->at == p->meta->text && strcmp(type, "preamble") != 0)
		return CTF_FRAGMENT_FAIL(
			p, "the first fragment must be the preamble");
	json_each(json_get(v, "extensions"), note_extension, &extended);
	if (extended)
		return CTF_FRAGMENT_FAIL(
			p, "it needs extensions, and none can be read");
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		if (strcmp(type, kinds[i].type) == 0)
			return kinds[i].read(p, v);
	return true; /* CTF 2 lets readers skip fragments of other types */
}

/* Parses the n bytes of JSON after the mark at p->at. */
static bool
parse_one(struct ctf_fragments *p, char *text, size_t n)
{
	struct json_object *v;
	struct err err = { 0 };
	char behind = text[n];
	bool ok;

	text[n] = '\0';
	v = json_parse(text, n, &err);
	text[n] = behind;
	if (v == NULL)
		return CTF_FRAGMENT_FAIL(p, "%.150s", err.text);
	ok = read_fragment(p, v);
	json_close(v);
	return ok;
}

bool
ctf_fragments_parse(struct ctf_meta *m, struct arena *a, const char *file,
	char *text, size_t size, struct err *err)
{
	struct ctf_fragments p = { .arena = a, .meta = m, .err = err };
	char *at = text, *end = text + size;

	m->file = file;
	m->text = text;
	m->size = size;
	m->is_ctf2 = true;
	m->order = CTF_LITTLE;
	while (at < end) {
		char *next =
			memchr(at + 1, CTF_FRAGMENT, (size_t)(end - at) - 1);
		size_t n = (size_t)((next == NULL ? end : next) - at) - 1;

		p.at = at;
		if (!parse_one(&p, at + 1, n))
			return false;
		at = next == NULL ? end : next;
	}
	return true;
}
