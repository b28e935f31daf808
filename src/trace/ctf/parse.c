/* SPDX-License-Identifier: MIT */
#include "trace/ctf/parse.h"

#include <string.h>

#include "base/arena.h"

const char *
ctf_parse_path(struct ctf_parser *p, const char *what)
{
	const char *path = ctf_lex_expect_name(&p->lex, what);

	while (path != NULL &&
		(ctf_lex_take(&p->lex, '.') ||
			ctf_lex_take(&p->lex, CTF_ARROW))) {
		const char *next =
			ctf_lex_expect_name(&p->lex, "the rest of the name");

		path = next == NULL
			? NULL
			: arena_printf(p->arena, "%.400s.%s", path, next);
	}
	return path;
}

static bool
parse_value(struct ctf_parser *p, struct ctf_attribute *a)
{
	if (p->lex.token.kind == CTF_TOKEN_STRING) {
		a->text = p->lex.token.text;
		a->quoted = true;
		ctf_lex_next(&p->lex);
		return true;
	}
	if (p->lex.token.kind != CTF_TOKEN_NAME)
		return ctf_lex_expect_int(&p->lex, &a->number);
	a->text = ctf_parse_path(p, "a value");
	return a->text != NULL;
}

static bool
is_type_keyword(const struct ctf_parser *p)
{
	return ctf_lex_is_name(&p->lex, "struct") ||
		ctf_lex_is_name(&p->lex, "enum") ||
		ctf_lex_is_name(&p->lex, "variant");
}

bool
ctf_parse_statement(struct ctf_parser *p, struct ctf_attribute *a)
{
	*a = (struct ctf_attribute){ .at = p->lex.token.at };
	if (ctf_is_declaration(p))
		return ctf_parse_declaration(p);
	if (is_type_keyword(p))
		return ctf_parse_type(p) != NULL &&
			ctf_lex_expect(&p->lex, ';');
	a->name = ctf_parse_path(p, "an attribute");
	if (a->name == NULL)
		return false;
	if (ctf_lex_take(&p->lex, CTF_BECOMES)) {
		a->type = ctf_parse_type(p);
		return a->type != NULL && ctf_lex_expect(&p->lex, ';');
	}
	return ctf_lex_expect(&p->lex, '=') && parse_value(p, a) &&
		ctf_lex_expect(&p->lex, ';');
}

static bool
fail(struct ctf_parser *p, const struct ctf_attribute *a, const char *what)
{
	return ctf_lex_fail(&p->lex, a->at, "%s: %s", a->name, what);
}

/* Takes the attribute's type if the attribute has that name. */
static bool
take_struct(struct ctf_parser *p, const struct ctf_attribute *a,
	const char *name, const struct ctf_type **to)
{
	if (strcmp(a->name, name) != 0)
		return true;
	if (a->type == NULL || a->type->kind != CTF_STRUCT)
		return fail(p, a, "a struct is expected");
	if (*to != NULL)
		return fail(p, a, "given twice");
	*to = a->type;
	return true;
}

static bool
take_number(struct ctf_parser *p, const struct ctf_attribute *a,
	const char *name, uint64_t *to)
{
	if (strcmp(a->name, name) != 0)
		return true;
	if (a->type != NULL || a->text != NULL)
		return fail(p, a, "a number is expected");
	*to = (uint64_t)a->number;
	return true;
}

static bool
take_text(struct ctf_parser *p, const struct ctf_attribute *a, const char *name,
	const char **to)
{
	if (strcmp(a->name, name) != 0)
		return true;
	if (a->text == NULL)
		return fail(p, a, "a text is expected");
	*to = a->text;
	return true;
}

static bool
take_uuid(struct ctf_parser *p, const struct ctf_attribute *a)
{
	const char *c = a->text == NULL ? "" : a->text;
	int n = 0;

	for (; *c != '\0' && n < 32; c++) {
		const char *digits = "0123456789abcdef";
		const char *digit = strchr(digits, *c | 0x20);

		if (*c == '-')
			continue;
		if (digit == NULL)
			break;
		p->meta->uuid[n / 2] =
			(uint8_t)(p->meta->uuid[n / 2] << 4 | (digit - digits));
		n++;
	}
	if (n != 32 || *c != '\0')
		return fail(p, a, "32 hexadecimal digits are expected");
	p->meta->has_uuid = true;
	return true;
}

static bool
set_trace(struct ctf_parser *p, const struct ctf_attribute *a, void *arg)
{
	(void)arg;
	if (strcmp(a->name, "uuid") == 0)
		return take_uuid(p, a);
	if (strcmp(a->name, "byte_order") == 0) {
		bool big = a->text != NULL &&
			(strcmp(a->text, "be") == 0 ||
				strcmp(a->text, "network") == 0);

		if (!big && (a->text == NULL || strcmp(a->text, "le") != 0))
			return fail(p, a, "le or be is expected");
		p->meta->order = big ? CTF_BIG : CTF_LITTLE;
		return true;
	}
	if (strcmp(a->name, "major") == 0 && a->number != 1)
		return fail(p, a, "CTF 1 can be read, not this version");
	return take_struct(p, a, "packet.header", &p->meta->packet_header);
}

static bool
set_env(struct ctf_parser *p, const struct ctf_attribute *a, void *arg)
{
	(void)arg;
	if (strcmp(a->name, "weft_version") == 0)
		p->meta->is_ours = true;
	VEC_PUSH(&p->meta->env, p->arena,
		((struct trace_env){ a->name, a->text, a->number }));
	return a->type == NULL || fail(p, a, "a type is not allowed here");
}

static bool
set_clock(struct ctf_parser *p, const struct ctf_attribute *a, void *arg)
{
	struct ctf_clock *c = arg;
	uint64_t offset = (uint64_t)c->offset, seconds = (uint64_t)c->offset_s;

	if (!take_text(p, a, "name", &c->name) ||
		!take_text(p, a, "uuid", &c->uuid) ||
		!take_number(p, a, "freq", &c->freq) ||
		!take_number(p, a, "offset", &offset) ||
		!take_number(p, a, "offset_s", &seconds))
		return false;
	c->offset = (int64_t)offset;
	c->offset_s = (int64_t)seconds;
	return c->freq > 0 || fail(p, a, "the frequency must be above 0");
}

static bool
set_stream(struct ctf_parser *p, const struct ctf_attribute *a, void *arg)
{
	struct ctf_stream_class *s = arg;

	return take_number(p, a, "id", &s->id) &&
		take_struct(p, a, "packet.context", &s->packet_context) &&
		take_struct(p, a, "event.header", &s->header) &&
		take_struct(p, a, "event.context", &s->context);
}

static bool
set_event(struct ctf_parser *p, const struct ctf_attribute *a, void *arg)
{
	struct ctf_event_class *e = arg;

	return take_text(p, a, "name", &e->name) &&
		take_text(p, a, "model.emf.uri", &e->uri) &&
		take_number(p, a, "id", &e->id) &&
		take_number(p, a, "stream_id", &e->stream_id) &&
		take_struct(p, a, "context", &e->context) &&
		take_struct(p, a, "fields", &e->fields);
}

static bool
ignore(struct ctf_parser *p, const struct ctf_attribute *a, void *arg)
{
	(void)p;
	(void)a;
	(void)arg;
	return true;
}

typedef bool attribute_fn(
	struct ctf_parser *p, const struct ctf_attribute *a, void *arg);

static bool
parse_attributes(struct ctf_parser *p, attribute_fn *set, void *arg)
{
	struct ctf_scope scope = { 0 };

	if (!ctf_lex_expect(&p->lex, '{') || !ctf_parse_enter(p, &scope))
		return false;
	while (!ctf_lex_take(&p->lex, '}')) {
		struct ctf_attribute a;

		if (!ctf_parse_statement(p, &a) ||
			(a.name != NULL && !set(p, &a, arg)))
			return false;
	}
	ctf_parse_leave(p);
	return ctf_lex_expect(&p->lex, ';');
}

static bool
parse_clock(struct ctf_parser *p)
{
	struct ctf_clock c = { .freq = 1000000000 };
	const char *at = p->lex.token.at;

	if (!parse_attributes(p, set_clock, &c))
		return false;
	if (c.name == NULL)
		return ctf_lex_fail(&p->lex, at, "a clock needs a name");
	VEC_PUSH(&p->meta->clocks, p->arena, c);
	return true;
}

static bool
parse_stream(struct ctf_parser *p)
{
	struct ctf_stream_class s = { 0 };
	const char *at = p->lex.token.at;

	if (!parse_attributes(p, set_stream, &s))
		return false;
	if (p->meta->streams.n == CTF_NAMES_MAX)
		return ctf_lex_fail(
			&p->lex, at, "more than %d streams", CTF_NAMES_MAX);
	for (int i = 0; i < p->meta->streams.n; i++)
		if (p->meta->streams.at[i].id == s.id)
			return ctf_lex_fail(&p->lex, at,
				"stream %llu is declared twice",
				(unsigned long long)s.id);
	VEC_PUSH(&p->meta->streams, p->arena, s);
	return true;
}

static bool
parse_event(struct ctf_parser *p)
{
	struct ctf_event_class e = { 0 };
	const char *at = p->lex.token.at;

	if (!parse_attributes(p, set_event, &e))
		return false;
	if (e.name == NULL)
		return ctf_lex_fail(&p->lex, at, "an event needs a name");
	e.at = at;
	VEC_PUSH(&p->meta->events, p->arena, e);
	return true;
}

static bool
parse_block(struct ctf_parser *p)
{
	struct ctf_attribute a;
	const char *name, *at = p->lex.token.at;

	if (ctf_is_declaration(p) || is_type_keyword(p))
		return ctf_parse_statement(p, &a);
	name = ctf_lex_expect_name(&p->lex, "a block (trace, stream, event)");
	if (name == NULL)
		return false;
	if (strcmp(name, "trace") == 0)
		return parse_attributes(p, set_trace, NULL);
	if (strcmp(name, "env") == 0)
		return parse_attributes(p, set_env, NULL);
	if (strcmp(name, "callsite") == 0)
		return parse_attributes(p, ignore, NULL);
	if (strcmp(name, "clock") == 0)
		return parse_clock(p);
	if (strcmp(name, "stream") == 0)
		return parse_stream(p);
	if (strcmp(name, "event") == 0)
		return parse_event(p);
	return ctf_lex_fail(&p->lex, at,
		"no such block: trace, env, clock, stream, event, callsite");
}

bool
ctf_parse(struct ctf_meta *m, struct arena *a, const char *file,
	const char *text, size_t size, struct err *err)
{
	struct ctf_scope scope = { 0 };
	struct ctf_parser p = { .arena = a, .meta = m, .scope = &scope };

	m->file = file;
	m->text = text;
	m->size = size;
	ctf_lex_init(&p.lex, a, file, text, size, err);
	while (p.lex.token.kind != CTF_TOKEN_END)
		if (!parse_block(&p))
			break;
	if (err->kind != ERR_NONE)
		return false;
	if (m->order == CTF_NATIVE)
		return err_set(err, ERR_INPUT,
			"%.300s: it has no trace block with a byte order",
			file);
	return true;
}
