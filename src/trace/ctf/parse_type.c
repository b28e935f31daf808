/* SPDX-License-Identifier: MIT */
/* Types, their names, and declarations of types. */
#include <string.h>

#include "base/arena.h"
#include "trace/ctf/parse.h"

bool
ctf_parse_enter(struct ctf_parser *p, struct ctf_scope *scope)
{
	if (p->depth == CTF_DEPTH_MAX)
		return ctf_lex_fail(&p->lex, p->lex.token.at,
			"more than %d nested levels", CTF_DEPTH_MAX);
	p->depth++;
	scope->outer = p->scope;
	p->scope = scope;
	return true;
}

void
ctf_parse_leave(struct ctf_parser *p)
{
	p->depth--;
	p->scope = p->scope->outer;
}

static const struct ctf_type *
find_in(const struct ctf_scope *scope, const char *name)
{
	for (int i = 0; i < scope->types.n; i++)
		if (strcmp(scope->types.at[i].name, name) == 0)
			return scope->types.at[i].type;
	return NULL;
}

static const struct ctf_type *
find_type(const struct ctf_parser *p, const char *name)
{
	const struct ctf_type *found = NULL;

	for (const struct ctf_scope *s = p->scope; s != NULL && found == NULL;
		s = s->outer)
		found = find_in(s, name);
	return found;
}

static bool
declare(struct ctf_parser *p, const char *at, const char *name,
	const struct ctf_type *type)
{
	if (find_in(p->scope, name) != NULL)
		return ctf_lex_fail(&p->lex, at,
			"\"%s\" is declared twice in this block", name);
	if (p->scope->types.n == CTF_NAMES_MAX)
		return ctf_lex_fail(&p->lex, at,
			"more than %d types in a block", CTF_NAMES_MAX);
	VEC_PUSH(&p->scope->types, p->arena,
		((struct ctf_member){ arena_strdup(p->arena, name), type }));
	return true;
}

static bool
is_c_word(const char *name)
{
	static const char *const words[] = { "const", "char", "double", "float",
		"int", "long", "short", "signed", "unsigned", "void", "_Bool",
		"_Complex", "_Imaginary", "volatile" };

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (strcmp(words[i], name) == 0)
			return true;
	return false;
}

/* Reads "unsigned long", or one other name; "const" and "volatile" are
 * ignored. */
static const char *
parse_words(struct ctf_parser *p)
{
	const char *name = NULL;

	while (p->lex.token.kind == CTF_TOKEN_NAME) {
		const char *word = p->lex.token.text;

		if (name != NULL && !is_c_word(word))
			break;
		ctf_lex_next(&p->lex);
		if (strcmp(word, "const") == 0 || strcmp(word, "volatile") == 0)
			continue;
		name = name == NULL
			? word
			: arena_printf(p->arena, "%.200s %s", name, word);
		if (!is_c_word(word))
			break;
	}
	while (name != NULL && ctf_lex_take(&p->lex, '*'))
		name = arena_printf(p->arena, "%.200s *", name);
	if (name == NULL)
		ctf_lex_fail(&p->lex, p->lex.token.at, "a type is expected");
	return name;
}

static const struct ctf_type *
parse_named(struct ctf_parser *p)
{
	const char *at = p->lex.token.at, *name = parse_words(p);
	const struct ctf_type *t = name == NULL ? NULL : find_type(p, name);

	if (t == NULL && name != NULL)
		ctf_lex_fail(&p->lex, at, "no type \"%s\" is known here", name);
	return t;
}

/* Reads the dimensions after a name; the innermost list is the last. */
static const struct ctf_type *
parse_dimensions(struct ctf_parser *p, const struct ctf_type *element)
{
	struct ctf_type *t;

	if (!ctf_lex_take(&p->lex, '['))
		return element;
	t = ARENA_NEW(p->arena, struct ctf_type);
	t->kind = CTF_LIST;
	if (p->lex.token.kind == CTF_TOKEN_INT) {
		t->length = p->lex.token.value;
		ctf_lex_next(&p->lex);
	} else {
		t->path = ctf_parse_path(p, "a length, or the field with it");
	}
	if (!ctf_lex_expect(&p->lex, ']') || p->depth == CTF_DEPTH_MAX)
		return NULL;
	p->depth++;
	t->element = parse_dimensions(p, element);
	p->depth--;
	if (t->element == NULL)
		return NULL;
	t->align = t->element->align;
	return t;
}

static bool
parse_members(struct ctf_parser *p, struct ctf_type *to)
{
	const struct ctf_type *type = ctf_parse_type(p);

	do {
		struct ctf_member m = { 0 };

		if (type == NULL)
			return false;
		m.name = ctf_lex_expect_name(&p->lex, "the name of a field");
		m.type = m.name == NULL ? NULL : parse_dimensions(p, type);
		if (m.type == NULL)
			return false;
		if (to->kind == CTF_STRUCT && to->align < m.type->align)
			to->align = m.type->align;
		VEC_PUSH(&to->members, p->arena, m);
	} while (ctf_lex_take(&p->lex, ','));
	return ctf_lex_expect(&p->lex, ';');
}

static bool
parse_body(struct ctf_parser *p, struct ctf_type *to)
{
	struct ctf_scope scope = { 0 };

	if (!ctf_lex_expect(&p->lex, '{') || !ctf_parse_enter(p, &scope))
		return false;
	while (!ctf_lex_take(&p->lex, '}')) {
		bool ok = ctf_is_declaration(p) ? ctf_parse_declaration(p)
						: parse_members(p, to);

		if (!ok || p->lex.err->kind != ERR_NONE)
			return false;
	}
	ctf_parse_leave(p);
	return true;
}

static bool
parse_align(struct ctf_parser *p, struct ctf_type *t)
{
	const char *at;
	int64_t align = 1;

	ctf_lex_next(&p->lex);
	at = p->lex.token.at;
	if (!ctf_lex_expect(&p->lex, '(') ||
		!ctf_lex_expect_int(&p->lex, &align) ||
		!ctf_lex_expect(&p->lex, ')'))
		return false;
	if (align < 1 || align > 1 << 24 || (align & (align - 1)) != 0)
		return ctf_lex_fail(
			&p->lex, at, "align: a power of two is expected");
	if (t->align < (uint32_t)align)
		t->align = (uint32_t)align;
	return true;
}

/* Reads a label of an enumeration, with its value or range. */
static bool
parse_label(struct ctf_parser *p, struct ctf_type *t, int64_t *next)
{
	struct field_label l = { .name = p->lex.token.text, .lo = *next };

	if (p->lex.token.kind != CTF_TOKEN_NAME &&
		p->lex.token.kind != CTF_TOKEN_STRING)
		return ctf_lex_fail(
			&p->lex, p->lex.token.at, "a label is expected");
	ctf_lex_next(&p->lex);
	if (ctf_lex_take(&p->lex, '=') && !ctf_lex_expect_int(&p->lex, &l.lo))
		return false;
	l.hi = l.lo;
	if (ctf_lex_take(&p->lex, CTF_ELLIPSIS) &&
		!ctf_lex_expect_int(&p->lex, &l.hi))
		return false;
	*next = (int64_t)((uint64_t)l.hi + 1);
	VEC_PUSH(&t->labels, p->arena, l);
	return true;
}

static bool
parse_container(struct ctf_parser *p, struct ctf_type *t)
{
	const char *at = p->lex.token.at;
	const struct ctf_type *container;

	if (ctf_lex_take(&p->lex, ':')) {
		at = p->lex.token.at;
		container = ctf_parse_type(p);
	} else {
		container = find_type(p, "int");
	}
	if (container == NULL || container->kind != CTF_INT)
		return ctf_lex_fail(
			&p->lex, at, "an enumeration needs an integer type");
	*t = *container;
	t->kind = CTF_ENUM;
	return true;
}

static bool
parse_labels(struct ctf_parser *p, struct ctf_type *t)
{
	int64_t next = 0;

	if (!parse_container(p, t) || !ctf_lex_expect(&p->lex, '{'))
		return false;
	while (!ctf_lex_is(&p->lex, '}')) {
		if (!parse_label(p, t, &next))
			return false;
		if (!ctf_lex_take(&p->lex, ','))
			break;
	}
	return ctf_lex_expect(&p->lex, '}');
}

static struct ctf_type *
new_type(struct ctf_parser *p, enum ctf_kind kind)
{
	struct ctf_type *t = ARENA_NEW(p->arena, struct ctf_type);

	t->kind = kind;
	t->align = 1;
	return t;
}

/* Reads the "<tag>" of a variant, if given. */
static bool
parse_tag(struct ctf_parser *p, const char **tag)
{
	if (!ctf_lex_take(&p->lex, '<'))
		return true;
	*tag = ctf_parse_path(p, "the tag");
	return *tag != NULL && ctf_lex_expect(&p->lex, '>');
}

/* Reads the body between braces, and a struct's align() behind it. */
static bool
parse_contents(struct ctf_parser *p, struct ctf_type *t)
{
	if (t->kind == CTF_ENUM)
		return parse_labels(p, t);
	if (!parse_body(p, t))
		return false;
	return t->kind != CTF_STRUCT || !ctf_lex_is_name(&p->lex, "align") ||
		parse_align(p, t);
}

/* Copies the type that was declared under that name. */
static bool
copy_known(struct ctf_parser *p, struct ctf_type *t, const char *name,
	const char *at)
{
	const struct ctf_type *known = find_type(p, name);

	if (known == NULL)
		return ctf_lex_fail(
			&p->lex, at, "no type \"%s\" is known here", name);
	*t = *known;
	return true;
}

/* Returns the type of that kind and name, with its body if one is given. */
static const struct ctf_type *
parse_tagged(struct ctf_parser *p, enum ctf_kind kind, const char *keyword,
	const char *at)
{
	const char *name = keyword, *tag = NULL;
	struct ctf_type *t = new_type(p, kind);
	bool ok;

	if (p->lex.token.kind == CTF_TOKEN_NAME) {
		name = arena_printf(
			p->arena, "%s %.200s", keyword, p->lex.token.text);
		ctf_lex_next(&p->lex);
	}
	if (kind == CTF_VARIANT && !parse_tag(p, &tag))
		return NULL;
	if (!ctf_lex_is(&p->lex, '{') && !ctf_lex_is(&p->lex, ':'))
		ok = copy_known(p, t, name, at);
	else
		ok = parse_contents(p, t) &&
			(name == keyword || declare(p, at, name, t));
	if (tag != NULL)
		t->path = tag;
	return ok ? t : NULL;
}

const struct ctf_type *
ctf_parse_type(struct ctf_parser *p)
{
	static const struct {
		const char *keyword;
		enum ctf_kind kind;
	} tagged[] = { { "struct", CTF_STRUCT }, { "variant", CTF_VARIANT },
		{ "enum", CTF_ENUM } };
	static const struct {
		const char *keyword;
		struct ctf_type *(*parse)(struct ctf_parser *p);
	} numbers[] = { { "integer", ctf_parse_integer },
		{ "floating_point", ctf_parse_float },
		{ "string", ctf_parse_string } };
	const char *at = p->lex.token.at;

	while (ctf_lex_is_name(&p->lex, "const"))
		ctf_lex_next(&p->lex);
	for (size_t i = 0; i < sizeof tagged / sizeof tagged[0]; i++)
		if (ctf_lex_is_name(&p->lex, tagged[i].keyword)) {
			ctf_lex_next(&p->lex);
			return parse_tagged(
				p, tagged[i].kind, tagged[i].keyword, at);
		}
	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
		if (ctf_lex_is_name(&p->lex, numbers[i].keyword)) {
			ctf_lex_next(&p->lex);
			return numbers[i].parse(p);
		}
	return parse_named(p);
}

bool
ctf_is_declaration(const struct ctf_parser *p)
{
	return ctf_lex_is_name(&p->lex, "typealias") ||
		ctf_lex_is_name(&p->lex, "typedef");
}

static bool
parse_alias(struct ctf_parser *p)
{
	const struct ctf_type *type = ctf_parse_type(p);
	const char *at, *name;

	if (type == NULL || (type = parse_dimensions(p, type)) == NULL ||
		!ctf_lex_expect(&p->lex, CTF_BECOMES))
		return false;
	at = p->lex.token.at;
	name = parse_words(p);
	return name != NULL && declare(p, at, name, type);
}

static bool
parse_typedef(struct ctf_parser *p)
{
	const struct ctf_type *type = ctf_parse_type(p), *named;

	do {
		const char *at = p->lex.token.at, *name;

		if (type == NULL)
			return false;
		name = ctf_lex_expect_name(&p->lex, "the name of a type");
		named = name == NULL ? NULL : parse_dimensions(p, type);
		if (named == NULL || !declare(p, at, name, named))
			return false;
	} while (ctf_lex_take(&p->lex, ','));
	return true;
}

bool
ctf_parse_declaration(struct ctf_parser *p)
{
	bool alias = ctf_lex_is_name(&p->lex, "typealias");

	ctf_lex_next(&p->lex);
	return (alias ? parse_alias(p) : parse_typedef(p)) &&
		ctf_lex_expect(&p->lex, ';');
}
