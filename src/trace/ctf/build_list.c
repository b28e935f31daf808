/* SPDX-License-Identifier: MIT */
/* Types without a fixed size: lists, variants, blobs, sized strings. */
#include <limits.h>
#include <string.h>

#include "base/arena.h"
#include "trace/ctf/build.h"

struct ctf_build_position
ctf_build_begin(struct ctf_build *b, struct ctf_code *inner, const char *name,
	const struct ctf_type *t)
{
	struct ctf_build_position outer = { b->code, b->parent };
	struct ctf_seen *seen = VEC_ADD(&b->seen, b->arena);

	(void)name;
	seen->parent = b->parent;
	seen->type = t;
	b->parent = b->seen.n - 1;
	b->code = inner;
	b->run = NULL;
	/* The second element begins where the first one ends, so nothing is
	 * known about its alignment. */
	b->known = 1;
	return outer;
}

void
ctf_build_end(struct ctf_build *b, struct ctf_build_position outer)
{
	b->code = outer.code;
	b->parent = outer.parent;
	b->run = NULL;
	b->known = 1;
}

static bool
is_text(const struct ctf_type *t)
{
	return t->kind == CTF_INT && t->is_text && t->size == 8 &&
		t->align == 8;
}

static const struct field_list *
inner_fields(struct ctf_build *b, const struct ctf_code *code, int n)
{
	struct field_list *list =
		ARENA_ARRAY(b->arena, struct field_list, n > 0 ? n : 1);

	for (int i = 0; i < n; i++)
		list[i] = (struct field_list){ code[i].fields.n,
			code[i].fields.at };
	return list;
}

bool
ctf_build_list(struct ctf_build *b, const char *name, const struct ctf_type *t)
{
	bool text = is_text(t->element), ok;
	struct ctf_code *inner = ARENA_NEW(b->arena, struct ctf_code);
	struct ctf_build_position outer;
	bool counted = t->path != NULL || t->location != NULL;
	uint16_t key = counted ? ctf_build_key(b, t, "length") : 0;
	int at = b->code->fields.n;
	struct ctf_op *op;

	if (counted && key == 0)
		return false;
	ctf_build_field(b, name, text ? FIELD_STR : FIELD_LIST);
	ctf_build_align(b, t->align);
	op = ctf_build_op(b, text ? CTF_OP_TEXT : CTF_OP_LIST);
	op->key = key;
	op->n = t->length;
	op->inner = inner;
	b->run = NULL;
	b->known = 8;
	if (text)
		return true;
	outer = ctf_build_begin(b, inner, name, t);
	ok = ctf_build_type(b, NULL, t->element);
	ctf_build_end(b, outer);
	b->code->fields.at[at].inner = inner_fields(b, inner, 1);
	if (!counted && t->length <= INT_MAX)
		b->code->fields.at[at].n = (int)t->length;
	return ok;
}

/* Adds all labels of the tag that have the option's name. */
static int
add_choices(struct ctf_choice *to, const struct ctf_type *tag,
	const char *option, uint32_t index)
{
	int n = 0;

	for (int i = 0; i < tag->labels.n; i++)
		if (strcmp(ctf_plain_name(tag->labels.at[i].name),
			    ctf_plain_name(option)) == 0)
			to[n++] = (struct ctf_choice){ tag->labels.at[i].lo,
				tag->labels.at[i].hi, index };
	return n;
}

static void
set_choices(struct ctf_build *b, struct ctf_op *op, const struct ctf_type *tag,
	const struct ctf_type *t)
{
	struct ctf_choice *choice;
	int room = 0;

	for (int i = 0; i < t->members.n; i++)
		for (int j = 0; j < tag->labels.n; j++)
			room += strcmp(ctf_plain_name(tag->labels.at[j].name),
					ctf_plain_name(
						t->members.at[i].name)) == 0;
	choice = ARENA_ARRAY(b->arena, struct ctf_choice, room + 1);
	for (int i = 0; i < t->members.n; i++)
		op->nchoices += add_choices(choice + op->nchoices, tag,
			t->members.at[i].name, (uint32_t)i);
	op->choice = choice;
	op->is_signed = tag->is_signed;
}

static struct ctf_op *
build_tag(struct ctf_build *b, const struct ctf_type *t)
{
	struct ctf_seen *seen;
	const struct ctf_type *tag;
	struct ctf_op *op;

	if (t->path == NULL) {
		ctf_build_fail(b, "a variant without a tag");
		return NULL;
	}
	seen = ctf_build_find(b, t->path);
	if (seen == NULL || seen->type->kind != CTF_ENUM) {
		ctf_build_fail(b,
			"the tag \"%.80s\" is not an enumeration that was read "
			"before",
			t->path);
		return NULL;
	}
	tag = seen->type;
	op = ctf_build_op(b, CTF_OP_VARIANT);
	op->key = ctf_build_key(b, t, "tag");
	set_choices(b, op, tag, t);
	return op->key == 0 ? NULL : op;
}

/* Adds the operation of a variant of CTF 2, whose options have ranges of their
 * selector's values. */
static struct ctf_op *
build_selector(struct ctf_build *b, const struct ctf_type *t)
{
	const struct ctf_seen *seen = ctf_build_locate(b, t->location);
	struct ctf_choice *choice =
		ARENA_ARRAY(b->arena, struct ctf_choice, t->ranges.n + 1);
	struct ctf_op *op = ctf_build_op(b, CTF_OP_VARIANT);

	op->key = ctf_build_key(b, t, "selector");
	if (op->key == 0)
		return NULL;
	for (int i = 0; i < t->ranges.n; i++)
		choice[i] = (struct ctf_choice){ t->ranges.at[i].lo,
			t->ranges.at[i].hi, t->ranges.at[i].option };
	op->nchoices = t->ranges.n;
	op->choice = choice;
	op->is_signed = seen->type->is_signed;
	return op;
}

/* Builds one option of a variant. */
static bool
build_option(struct ctf_build *b, struct ctf_code *inner,
	const struct ctf_member *m, const struct ctf_type *variant)
{
	struct ctf_build_position outer =
		ctf_build_begin(b, inner, m->name, variant);
	bool ok = ctf_build_type(b, m->name, m->type);

	ctf_build_end(b, outer);
	return ok;
}

static void
end_variant(struct ctf_build *b, int at, const struct ctf_code *inner, int n)
{
	struct field *f = &b->code->fields.at[at];

	b->run = NULL;
	b->known = 1;
	f->n = n;
	f->inner = inner_fields(b, inner, n);
}

bool
ctf_build_variant(
	struct ctf_build *b, const char *name, const struct ctf_type *t)
{
	int n = t->members.n, at = b->code->fields.n;
	struct ctf_code *inner = ARENA_ARRAY(b->arena, struct ctf_code, n + 1);
	struct ctf_op *op;

	ctf_build_field(b, name, FIELD_VARIANT);
	op = t->location != NULL ? build_selector(b, t) : build_tag(b, t);
	if (op == NULL)
		return false;
	op->inner = inner;
	for (int i = 0; i < n; i++)
		if (!build_option(b, &inner[i], &t->members.at[i], t))
			return false;
	end_variant(b, at, inner, n);
	return true;
}

bool
ctf_build_optional(
	struct ctf_build *b, const char *name, const struct ctf_type *t)
{
	static const struct ctf_type nothing = { .kind = CTF_STRUCT,
		.align = 1 };
	const struct ctf_member option[2] = { { name, &nothing },
		{ name, t->element } };
	struct ctf_code *inner = ARENA_ARRAY(b->arena, struct ctf_code, 2);
	int at = b->code->fields.n;
	struct ctf_op *op;

	ctf_build_field(b, name, FIELD_VARIANT)->form = FORM_OPTIONAL;
	op = build_selector(b, t);
	if (op == NULL)
		return false;
	op->inner = inner;
	op->optional = true;
	for (int i = 0; i < 2; i++)
		if (!build_option(b, &inner[i], &option[i], t))
			return false;
	end_variant(b, at, inner, 2);
	return true;
}

bool
ctf_build_sized(struct ctf_build *b, const char *name, const struct ctf_type *t)
{
	static const struct field byte = {
		.type = FIELD_U8, .base = 16, .bits = 8
	};
	bool blob = t->kind == CTF_BLOB;
	struct ctf_code *inner = ARENA_NEW(b->arena, struct ctf_code);
	struct field *f;
	struct ctf_op *op;
	uint16_t key = t->location == NULL ? 0 : ctf_build_key(b, t, "length");

	if (t->location != NULL && key == 0)
		return false;
	f = ctf_build_field(b, name, blob ? FIELD_LIST : FIELD_STR);
	f->form = blob ? FORM_BLOB : FORM_PLAIN;
	ctf_build_align(b, 8);
	op = ctf_build_op(b, blob ? CTF_OP_BLOB : CTF_OP_TEXT);
	op->key = key;
	op->n = t->length;
	op->encoding = (uint8_t)t->encoding;
	op->inner = inner;
	b->run = NULL;
	b->known = 8;
	if (!blob)
		return true;
	VEC_PUSH(&inner->fields, b->arena, byte);
	f->inner = inner_fields(b, inner, 1);
	if (key == 0 && t->length <= INT_MAX)
		f->n = (int)t->length;
	if (t->roles != 0)
		VEC_PUSH(&b->roles, b->arena,
			((struct ctf_role_op){ t->roles, op }));
	return true;
}
