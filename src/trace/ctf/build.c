/* SPDX-License-Identifier: MIT */
#include "trace/ctf/build.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "trace/ctf/fragments.h"

/* Limits of the fields of a trace, so that a short text, which may use types
 * again and again, does not take much memory. */
#define FIELDS_FREE (1 << 14)
#define FIELDS_MAX (1 << 18)
#define TEXT_PER_FIELD 4
#define SEEN_MAX (1 << 13) /* fields that may be referred to by name */
#define DEPTH_MAX 40
#define KEYS_MAX UINT16_MAX
/* The beginning of a packet is aligned to every possible alignment. */
#define ANY_ALIGN (1u << 24)

bool
ctf_build_fail(struct ctf_build *b, const char *fmt, ...)
{
	struct ctf_lex lex = { .file = b->meta->file,
		.text = b->meta->text,
		.end = b->meta->text + b->meta->size,
		.err = b->err };
	char text[200];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	if (b->meta->is_ctf2)
		return ctf_fragment_fail(b->meta,
			b->at == NULL ? lex.text : b->at, b->err, "%s", text);
	return ctf_lex_fail(&lex, b->at == NULL ? lex.text : b->at, "%s", text);
}

struct field *
ctf_build_field(struct ctf_build *b, const char *name, enum field_type type)
{
	struct field *f = VEC_ADD(&b->code->fields, b->arena);

	f->name = b->meta->is_ctf2 ? name : ctf_plain_name(name);
	f->type = type;
	return f;
}

struct ctf_op *
ctf_build_op(struct ctf_build *b, enum ctf_op_kind kind)
{
	struct ctf_op *op = ARENA_NEW(b->arena, struct ctf_op);

	op->kind = (uint8_t)kind;
	op->slot = (uint32_t)b->code->fields.n - 1;
	VEC_PUSH(&b->code->draft, b->arena, op);
	return op;
}

void
ctf_build_align(struct ctf_build *b, uint32_t align)
{
	if (b->run != NULL && align <= b->known) {
		b->run->n = (b->run->n + align - 1) & ~(uint64_t)(align - 1);
		return;
	}
	if (align > b->known) {
		ctf_build_op(b, CTF_OP_ALIGN)->n = align;
		b->known = align;
		b->run = NULL;
	}
}

static bool
is_number(const struct ctf_type *t)
{
	return t->kind == CTF_INT || t->kind == CTF_ENUM;
}

static enum field_type
number_type(const struct ctf_type *t)
{
	int step = t->size <= 8 ? 0 : t->size <= 16 ? 1 : t->size <= 32 ? 2 : 3;

	return (enum field_type)((t->is_signed ? FIELD_I8 : FIELD_U8) + step);
}

static void
note_id(struct ctf_build *b, struct ctf_op *op)
{
	op->key = CTF_KEY_ID;
	VEC_PUSH(&b->ids, b->arena, op);
}

static void
note_roles(struct ctf_build *b, struct ctf_op *op, const struct ctf_type *t)
{
	if (t->roles == 0)
		return;
	if (!b->header) {
		VEC_PUSH(&b->roles, b->arena,
			((struct ctf_role_op){ t->roles, op }));
		return;
	}
	if ((t->roles & CTF_ROLE_EVENT_CLASS) != 0)
		note_id(b, op);
	if ((t->roles & CTF_ROLE_CLOCK) != 0)
		VEC_PUSH(&b->clocks, b->arena, op);
}

static void
note_special(struct ctf_build *b, struct ctf_op *op, const char *name,
	const struct ctf_type *t)
{
	const char *plain = ctf_plain_name(name);
	bool one = b->meta->clocks.n <= 1; /* without clocks, timestamps are
	                                    * in ns */

	if (b->meta->is_ctf2) {
		note_roles(b, op, t);
		return;
	}
	if (b->clock == NULL)
		b->clock = t->clock;
	if (!b->header)
		return;
	if (plain != NULL && strcmp(plain, "id") == 0)
		note_id(b, op);
	if (t->clock != NULL ||
		(one && plain != NULL && strcmp(plain, "timestamp") == 0))
		VEC_PUSH(&b->clocks, b->arena, op);
}

static void
set_labels(struct ctf_build *b, struct field *f, const struct ctf_type *t)
{
	struct field_labels *labels = ARENA_NEW(b->arena, struct field_labels);

	labels->n = t->labels.n;
	labels->at = t->labels.at;
	f->labels = labels;
}

/* Appends the operation of a number of a fixed size to the run. */
static struct ctf_op *
add_to_run(struct ctf_build *b, enum ctf_op_kind kind, const struct ctf_type *t)
{
	struct ctf_op *op;

	ctf_build_align(b, t->align);
	if (b->run == NULL)
		b->run = ctf_build_op(b, CTF_OP_RUN);
	op = ctf_build_op(b, kind);
	op->n = b->run->n;
	b->run->n += t->size;
	return op;
}

static struct ctf_op *
add_variable(struct ctf_build *b)
{
	struct ctf_op *op;

	ctf_build_align(b, 8);
	op = ctf_build_op(b, CTF_OP_VARINT);
	b->run = NULL;
	b->known = 8;
	return op;
}

static struct ctf_op *
build_number(struct ctf_build *b, const char *name, const struct ctf_type *t)
{
	bool is_float = t->kind == CTF_FLOAT;
	struct field *f =
		ctf_build_field(b, name, is_float ? FIELD_F64 : number_type(t));
	struct ctf_op *op;

	f->base = t->base;
	f->bits = (uint8_t)t->size;
	f->hidden = t->clock != NULL;
	f->form = t->truth ? FORM_TRUTH : t->flags ? FORM_FLAGS : FORM_PLAIN;
	if (t->kind == CTF_ENUM)
		set_labels(b, f, t);
	op = t->variable
		? add_variable(b)
		: add_to_run(b, is_float ? CTF_OP_FLOAT : CTF_OP_INT, t);
	op->bits = (uint8_t)t->size;
	op->is_signed = t->is_signed;
	op->reversed = t->reversed;
	op->truth = t->truth;
	op->odd = t->reversed || t->truth;
	op->big =
		(t->order == CTF_NATIVE ? b->meta->order : t->order) == CTF_BIG;
	note_special(b, op, name, t);
	return op;
}

static bool
build_struct(struct ctf_build *b, const char *name, const struct ctf_type *t)
{
	int at = b->code->fields.n, outer = b->parent;

	ctf_build_field(b, name, FIELD_STRUCT);
	ctf_build_align(b, t->align);
	b->parent = b->seen.n - 1;
	for (int i = 0; i < t->members.n; i++)
		if (!ctf_build_type(
			    b, t->members.at[i].name, t->members.at[i].type))
			return false;
	b->parent = outer;
	b->code->fields.at[at].n = b->code->fields.n - at - 1;
	return true;
}

static bool
build_string(struct ctf_build *b, const char *name, const struct ctf_type *t)
{
	if (t->sized)
		return ctf_build_sized(b, name, t);
	ctf_build_field(b, name, FIELD_STR);
	ctf_build_align(b, 8);
	ctf_build_op(b, CTF_OP_STRING)->encoding = (uint8_t)t->encoding;
	b->run = NULL;
	b->known = 8;
	return true;
}

/* Builds a type that is not a number. */
static bool
build_other(struct ctf_build *b, const char *name, const struct ctf_type *t)
{
	switch (t->kind) {
	case CTF_STRING:
		return build_string(b, name, t);
	case CTF_STRUCT:
		return build_struct(b, name, t);
	case CTF_LIST:
		return ctf_build_list(b, name, t);
	case CTF_BLOB:
		return ctf_build_sized(b, name, t);
	case CTF_OPTIONAL:
		return ctf_build_optional(b, name, t);
	default:
		return ctf_build_variant(b, name, t);
	}
}

bool
ctf_build_count(struct ctf_build *b, int n)
{
	size_t max = FIELDS_FREE + b->meta->size / TEXT_PER_FIELD;

	*b->fields += n;
	if (*b->fields <= FIELDS_MAX && *b->fields <= (int)max)
		return true;
	return ctf_build_fail(b, "too many fields of all events together");
}

bool
ctf_build_type(struct ctf_build *b, const char *name, const struct ctf_type *t)
{
	struct ctf_seen *seen = VEC_ADD(&b->seen, b->arena);
	int at = b->seen.n - 1;
	bool ok = true;

	seen->name = name;
	seen->parent = b->parent;
	seen->type = t;
	if (!ctf_build_count(b, 1))
		return false;
	if (b->depth == DEPTH_MAX || b->seen.n > SEEN_MAX)
		return ctf_build_fail(b,
			"more than %d fields, or more than %d levels of them",
			SEEN_MAX, DEPTH_MAX);
	b->depth++;
	if (is_number(t) || t->kind == CTF_FLOAT)
		b->seen.at[at].op = build_number(b, name, t);
	else
		ok = build_other(b, name, t);
	b->depth--;
	return ok;
}

bool
ctf_build_scope(struct ctf_build *b, struct ctf_code *code, const char *scope,
	const struct ctf_type *type)
{
	bool start = strcmp(scope, "trace.packet.header") == 0;

	if (type == NULL)
		return true;
	if (b->code != code) {
		b->run = NULL;
		b->known = start ? ANY_ALIGN : 1;
	}
	b->code = code;
	b->parent = -1;
	return ctf_build_type(b, scope, type);
}

static int
find_child(const struct ctf_build *b, int parent, const char *name, size_t n)
{
	for (int i = b->seen.n - 1; i >= 0; i--) {
		const struct ctf_seen *s = &b->seen.at[i];

		if (s->parent == parent && s->name != NULL &&
			strncmp(s->name, name, n) == 0 && s->name[n] == '\0')
			return i;
	}
	return -1;
}

/* Returns the scope before field i, or -1. */
static int
scope_before(const struct ctf_build *b, int i)
{
	while (--i >= 0 && b->seen.at[i].parent != -1)
		;
	return i;
}

/* Returns the scope that the path begins with; *rest is the remaining path. */
static int
find_scope(const struct ctf_build *b, const char *path, const char **rest)
{
	for (int i = scope_before(b, b->seen.n); i >= 0;
		i = scope_before(b, i)) {
		size_t n = strlen(b->seen.at[i].name);

		if (strncmp(path, b->seen.at[i].name, n) == 0 &&
			path[n] == '.') {
			*rest = path + n + 1;
			return i;
		}
	}
	return -1;
}

/* Looks for the first name of the path from the innermost struct outwards, then
 * in earlier scopes. */
static int
find_first(const struct ctf_build *b, const char *path, const char **rest)
{
	size_t n = strcspn(path, ".");
	int at = b->parent, found;

	*rest = path + n + (path[n] == '.');
	while (at >= 0) {
		found = find_child(b, at, path, n);
		if (found >= 0)
			return found;
		at = b->seen.at[at].parent >= 0 ? b->seen.at[at].parent
						: scope_before(b, at);
	}
	return -1;
}

struct ctf_seen *
ctf_build_find(struct ctf_build *b, const char *path)
{
	const char *rest;
	int at = find_scope(b, path, &rest);

	if (at < 0)
		at = find_first(b, path, &rest);
	while (at >= 0 && *rest != '\0') {
		size_t n = strcspn(rest, ".");

		at = find_child(b, at, rest, n);
		rest += n + (rest[n] == '.');
	}
	return at < 0 ? NULL : &b->seen.at[at];
}

uint16_t
ctf_build_key(struct ctf_build *b, const struct ctf_type *t, const char *what)
{
	const struct ctf_location *l = t->location;
	struct ctf_seen *s =
		l != NULL ? ctf_build_locate(b, l) : ctf_build_find(b, t->path);

	if (s == NULL || s->op == NULL || !is_number(s->type)) {
		ctf_build_fail(b,
			"%s \"%.80s\" is not an integer that was read "
			"before",
			what, l != NULL ? l->name[l->n - 1] : t->path);
		return 0;
	}
	if (s->op->key != 0) {
		b->id_is_tag = b->id_is_tag || s->op->key == CTF_KEY_ID;
		return s->op->key;
	}
	if (b->nkeys == KEYS_MAX) {
		ctf_build_fail(b, "more than %d lengths and tags", KEYS_MAX);
		return 0;
	}
	return s->op->key = (uint16_t)b->nkeys++;
}
