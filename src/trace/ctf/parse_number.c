/* SPDX-License-Identifier: MIT */
/* Attributes of integers, floats and strings. */
#include <string.h>

#include "base/arena.h"
#include "trace/ctf/parse.h"

typedef bool set_fn(struct ctf_parser *p, struct ctf_type *t,
	const struct ctf_attribute *a);

static bool
fail(struct ctf_parser *p, const struct ctf_attribute *a, const char *what)
{
	return ctf_lex_fail(&p->lex, a->at, "%s: %s", a->name, what);
}

static bool
is_word(const struct ctf_attribute *a, const char *words)
{
	size_t n = a->text == NULL ? 0 : strlen(a->text);

	for (const char *w = words; n > 0 && *w != '\0'; w += strcspn(w, " "))
		if (strncmp(w += *w == ' ', a->text, n) == 0 &&
			(w[n] == ' ' || w[n] == '\0'))
			return true;
	return false;
}

static bool
set_size(
	struct ctf_parser *p, struct ctf_type *t, const struct ctf_attribute *a)
{
	if (a->text != NULL || a->number < 1 || a->number > 64)
		return fail(p, a, "must be 1 to 64 bits");
	t->size = (uint32_t)a->number;
	return true;
}

static bool
set_align(
	struct ctf_parser *p, struct ctf_type *t, const struct ctf_attribute *a)
{
	if (a->text != NULL || a->number < 1 || a->number > 1 << 24 ||
		(a->number & (a->number - 1)) != 0)
		return fail(p, a, "a power of two is expected");
	t->align = (uint32_t)a->number;
	return true;
}

static bool
set_signed(
	struct ctf_parser *p, struct ctf_type *t, const struct ctf_attribute *a)
{
	if (a->text == NULL)
		t->is_signed = a->number != 0;
	else if (is_word(a, "true TRUE"))
		t->is_signed = true;
	else if (!is_word(a, "false FALSE"))
		return fail(p, a, "true or false is expected");
	return true;
}

static bool
set_order(
	struct ctf_parser *p, struct ctf_type *t, const struct ctf_attribute *a)
{
	if (is_word(a, "le"))
		t->order = CTF_LITTLE;
	else if (is_word(a, "be network"))
		t->order = CTF_BIG;
	else if (!is_word(a, "native"))
		return fail(p, a, "le, be, network or native is expected");
	return true;
}

static bool
set_base(
	struct ctf_parser *p, struct ctf_type *t, const struct ctf_attribute *a)
{
	int64_t base = a->text == NULL ? a->number : 0;

	if (is_word(a, "decimal dec d i u"))
		base = 10;
	else if (is_word(a, "hexadecimal hex x X p"))
		base = 16;
	else if (is_word(a, "octal oct o"))
		base = 8;
	else if (is_word(a, "binary b"))
		base = 2;
	if (base != 2 && base != 8 && base != 10 && base != 16)
		return fail(p, a, "2, 8, 10 or 16 is expected");
	t->base = (uint8_t)base;
	return true;
}

static bool
set_encoding(
	struct ctf_parser *p, struct ctf_type *t, const struct ctf_attribute *a)
{
	t->is_text = is_word(a, "UTF8 utf8 utf-8 UTF-8 ASCII ascii");
	if (!t->is_text && !is_word(a, "none NONE None"))
		return fail(p, a, "none, UTF8 or ASCII is expected");
	return true;
}

/* "clock.NAME.value" */
static bool
set_map(struct ctf_parser *p, struct ctf_type *t, const struct ctf_attribute *a)
{
	static const char front[] = "clock.", back[] = ".value";
	size_t n = a->text == NULL ? 0 : strlen(a->text);

	if (n <= sizeof front + sizeof back - 2 ||
		strncmp(a->text, front, sizeof front - 1) != 0 ||
		strcmp(a->text + n - (sizeof back - 1), back) != 0)
		return fail(p, a, "clock.NAME.value is expected");
	t->clock = arena_strndup(p->arena, a->text + sizeof front - 1,
		n - (sizeof front + sizeof back - 2));
	return true;
}

/* Adds exp_dig or mant_dig to the size of the float, which must become 32 or 64
 * bits. */
static bool
set_digits(
	struct ctf_parser *p, struct ctf_type *t, const struct ctf_attribute *a)
{
	if (a->text != NULL || a->number < 1 || a->number > 64)
		return fail(p, a, "a float must have 32 or 64 bits");
	t->size += (uint32_t)a->number;
	return true;
}

static const struct attribute {
	const char *name;
	set_fn *set;
	bool of_float, of_string;
} attributes[] = {
	{ "size", set_size, false, false },
	{ "align", set_align, true, false },
	{ "signed", set_signed, false, false },
	{ "byte_order", set_order, true, false },
	{ "base", set_base, false, false },
	{ "encoding", set_encoding, false, true },
	{ "map", set_map, false, false },
	{ "exp_dig", set_digits, true, false },
	{ "mant_dig", set_digits, true, false },
};

static bool
set(struct ctf_parser *p, struct ctf_type *t, const struct ctf_attribute *a)
{
	for (size_t i = 0; i < sizeof attributes / sizeof attributes[0]; i++) {
		const struct attribute *known = &attributes[i];
		bool fits = t->kind == CTF_FLOAT ? known->of_float
			: t->kind == CTF_STRING  ? known->of_string
						 : known->set != set_digits;

		if (fits && strcmp(known->name, a->name) == 0)
			return a->type == NULL
				? known->set(p, t, a)
				: fail(p, a, "a type is not allowed here");
	}
	return true; /* attributes of later versions are ignored */
}

static struct ctf_type *
parse_attributes(struct ctf_parser *p, enum ctf_kind kind)
{
	struct ctf_type *t = ARENA_NEW(p->arena, struct ctf_type);
	struct ctf_scope scope = { 0 };
	const char *at = p->lex.token.at;

	t->kind = kind;
	t->base = 10;
	if (kind == CTF_STRING)
		t->align = 8;
	if (kind == CTF_STRING && !ctf_lex_is(&p->lex, '{'))
		return t;
	if (!ctf_lex_expect(&p->lex, '{') || !ctf_parse_enter(p, &scope))
		return NULL;
	while (!ctf_lex_take(&p->lex, '}')) {
		struct ctf_attribute a;

		if (!ctf_parse_statement(p, &a) ||
			(a.name != NULL && !set(p, t, &a)))
			return NULL;
	}
	ctf_parse_leave(p);
	if (kind != CTF_STRING && t->size == 0) {
		ctf_lex_fail(&p->lex, at, "it has no size");
		return NULL;
	}
	/* Types of whole bytes are aligned to bytes by default. */
	if (t->align == 0)
		t->align = t->size % 8 == 0 ? 8 : 1;
	return t;
}

struct ctf_type *
ctf_parse_integer(struct ctf_parser *p)
{
	return parse_attributes(p, CTF_INT);
}

struct ctf_type *
ctf_parse_float(struct ctf_parser *p)
{
	const char *at = p->lex.token.at;
	struct ctf_type *t = parse_attributes(p, CTF_FLOAT);

	if (t != NULL && t->size != 32 && t->size != 64) {
		ctf_lex_fail(&p->lex, at,
			"a float of %u bits: those of 32 and 64 can be read",
			t->size);
		return NULL;
	}
	return t;
}

struct ctf_type *
ctf_parse_string(struct ctf_parser *p)
{
	return parse_attributes(p, CTF_STRING);
}
