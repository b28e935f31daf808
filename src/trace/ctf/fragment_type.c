/* SPDX-License-Identifier: MIT */
/* The field classes of CTF 2. */
#include <string.h>

#include "base/arena.h"
#include "trace/ctf/fragments.h"

#define DEPTH_MAX 32
#define ALIGN_MAX (1u << 24)
#define MEMBERS_MAX 4096

static bool
read_align(struct ctf_fragments *p, struct json_object *v, const char *name,
	uint32_t *to)
{
	uint64_t align = 1;

	if (!ctf_fragment_number(p, v, name, ALIGN_MAX, &align))
		return false;
	if (align == 0 || (align & (align - 1)) != 0)
		return CTF_FRAGMENT_FAIL(
			p, "\"%s\": a power of two is expected", name);
	if (*to < align)
		*to = (uint32_t)align;
	return true;
}

/* Reads one of n words. A missing property leaves *to as it is. */
static bool
read_word(struct ctf_fragments *p, struct json_object *v, const char *name,
	const char *const *word, int n, int *to)
{
	const char *text = NULL;

	if (!ctf_fragment_text(p, v, name, &text))
		return false;
	for (int i = 0; text != NULL && i < n; i++)
		if (strcmp(text, word[i]) == 0) {
			*to = i;
			return true;
		}
	return text == NULL ||
		CTF_FRAGMENT_FAIL(
			p, "\"%s\": \"%.60s\" is not known", name, text);
}

static bool
read_roles(struct ctf_fragments *p, struct json_object *v, struct ctf_type *t)
{
	static const struct {
		const char *name;
		enum ctf_role role;
	} known[] = {
		{ "packet-magic-number", CTF_ROLE_MAGIC },
		{ "metadata-stream-uuid", CTF_ROLE_UUID },
		{ "data-stream-class-id", CTF_ROLE_STREAM_CLASS },
		{ "data-stream-id", CTF_ROLE_STREAM },
		{ "packet-total-length", CTF_ROLE_TOTAL },
		{ "packet-content-length", CTF_ROLE_CONTENT },
		{ "default-clock-timestamp", CTF_ROLE_CLOCK },
		{ "packet-end-default-clock-timestamp", CTF_ROLE_END_CLOCK },
		{ "discarded-event-record-counter-snapshot",
			CTF_ROLE_DISCARDED },
		{ "packet-sequence-number", CTF_ROLE_SEQUENCE },
		{ "event-record-class-id", CTF_ROLE_EVENT_CLASS },
	};
	struct json_object *roles = json_get(v, "roles");
	size_t nknown = sizeof known / sizeof known[0];

	for (size_t i = 0; i < json_length(roles); i++) {
		const char *name = json_str(json_at(roles, i));
		size_t at = 0;

		while (name != NULL && at < nknown &&
			strcmp(name, known[at].name) != 0)
			at++;
		if (name == NULL || at == nknown)
			return CTF_FRAGMENT_FAIL(p,
				"the role \"%.80s\" is not known",
				name == NULL ? "" : name);
		t->roles = (uint16_t)(t->roles | (int)known[at].role);
	}
	return true;
}

/* Reads a bound of a range: from INT64_MIN to UINT64_MAX. */
static bool
read_bound(struct json_object *v, int64_t *to)
{
	uint64_t u;

	if (json_int(v, to))
		return true;
	if (!json_u64(v, &u))
		return false;
	*to = (int64_t)u;
	return true;
}

/* Reads an array of ranges [lo, hi]. */
static bool
read_ranges(struct ctf_fragments *p, struct json_object *v, uint32_t option,
	struct ctf_type *t)
{
	for (size_t i = 0; i < json_length(v); i++) {
		struct json_object *pair = json_at(v, i);
		struct ctf_range r = { .option = option };

		if (json_length(pair) != 2 ||
			!read_bound(json_at(pair, 0), &r.lo) ||
			!read_bound(json_at(pair, 1), &r.hi))
			return CTF_FRAGMENT_FAIL(
				p, "a range needs two integers");
		VEC_PUSH(&t->ranges, p->arena, r);
	}
	return json_length(v) > 0 ||
		CTF_FRAGMENT_FAIL(
			p, "an array of ranges [lowest, highest] is expected");
}

struct labels {
	struct ctf_fragments *p;
	struct ctf_type *type;
};

static void
add_label(void *arg, const char *name, struct json_object *v)
{
	struct labels *l = arg;
	struct ctf_type ranges = { 0 };

	if (!read_ranges(l->p, v, 0, &ranges))
		return;
	name = arena_strdup(l->p->arena, name);
	for (int i = 0; i < ranges.ranges.n; i++)
		VEC_PUSH(&l->type->labels, l->p->arena,
			((struct field_label){ name, ranges.ranges.at[i].lo,
				ranges.ranges.at[i].hi }));
}

/* Reads the labels of an integer, or of the bits of a bit map. */
static bool
read_labels(struct ctf_fragments *p, struct json_object *v, const char *name,
	struct ctf_type *t)
{
	struct labels l = { p, t };

	json_each(json_get(v, name), add_label, &l);
	if (t->labels.n > 0)
		t->kind = CTF_ENUM;
	return p->err->kind == ERR_NONE;
}

static bool
read_base(struct ctf_fragments *p, struct json_object *v, struct ctf_type *t)
{
	uint64_t base = t->base;

	if (!ctf_fragment_number(p, v, "preferred-display-base", 16, &base))
		return false;
	if (base != 2 && base != 8 && base != 10 && base != 16)
		return CTF_FRAGMENT_FAIL(p,
			"\"preferred-display-base\": 2, 8, 10 or 16 is "
			"expected");
	t->base = (uint8_t)base;
	return true;
}

/* Reads length, alignment, and the orders of bytes and bits. */
static bool
read_bits(struct ctf_fragments *p, struct json_object *v, struct ctf_type *t,
	uint64_t max)
{
	static const char *const bytes[] = { "little-endian", "big-endian" };
	static const char *const bits[] = { "first-to-last", "last-to-first" };
	uint64_t length = 0;
	int order = 0, bit_order;

	if (!ctf_fragment_need(p, v, "length", JSON_NUMBER) ||
		!ctf_fragment_number(p, v, "length", UINT64_MAX, &length) ||
		!ctf_fragment_need(p, v, "byte-order", JSON_STRING) ||
		!read_word(p, v, "byte-order", bytes, 2, &order))
		return false;
	if (length == 0 || length > max)
		return CTF_FRAGMENT_FAIL(p,
			"a number of %llu bits: from 1 to %llu can be read",
			(unsigned long long)length, (unsigned long long)max);
	bit_order = order;
	t->size = (uint32_t)length;
	t->order = order == 1 ? CTF_BIG : CTF_LITTLE;
	if (!read_word(p, v, "bit-order", bits, 2, &bit_order))
		return false;
	t->reversed = bit_order != order;
	return read_align(p, v, "alignment", &t->align);
}

static bool
read_bit_array(struct ctf_fragments *p, struct json_object *v,
	struct ctf_type *t, int depth)
{
	(void)depth;
	t->kind = CTF_INT;
	t->base = 16;
	return read_bits(p, v, t, 64);
}

static bool
read_boolean(struct ctf_fragments *p, struct json_object *v, struct ctf_type *t,
	int depth)
{
	(void)depth;
	t->kind = CTF_INT;
	t->base = 10;
	t->truth = true;
	return read_bits(p, v, t, 64);
}

static bool
read_bit_map(struct ctf_fragments *p, struct json_object *v, struct ctf_type *t,
	int depth)
{
	(void)depth;
	t->kind = CTF_INT;
	t->base = 16;
	t->flags = true;
	return read_bits(p, v, t, 64) && read_labels(p, v, "flags", t);
}

static bool
read_integer(struct ctf_fragments *p, struct json_object *v, struct ctf_type *t)
{
	t->kind = CTF_INT;
	t->base = 10;
	return read_base(p, v, t) && read_labels(p, v, "mappings", t) &&
		(t->is_signed || read_roles(p, v, t));
}

static bool
read_fixed(struct ctf_fragments *p, struct json_object *v, struct ctf_type *t,
	int depth)
{
	(void)depth;
	return read_bits(p, v, t, 64) && read_integer(p, v, t);
}

static bool
read_fixed_signed(struct ctf_fragments *p, struct json_object *v,
	struct ctf_type *t, int depth)
{
	t->is_signed = true;
	return read_fixed(p, v, t, depth);
}

static bool
read_variable(struct ctf_fragments *p, struct json_object *v,
	struct ctf_type *t, int depth)
{
	(void)depth;
	t->variable = true;
	t->size = 64;
	t->align = 8;
	return read_integer(p, v, t);
}

static bool
read_variable_signed(struct ctf_fragments *p, struct json_object *v,
	struct ctf_type *t, int depth)
{
	t->is_signed = true;
	return read_variable(p, v, t, depth);
}

static bool
read_float(struct ctf_fragments *p, struct json_object *v, struct ctf_type *t,
	int depth)
{
	(void)depth;
	t->kind = CTF_FLOAT;
	if (!read_bits(p, v, t, 128))
		return false;
	if (t->size != 16 && t->size != 32 && t->size != 64 && t->size != 128)
		return CTF_FRAGMENT_FAIL(p,
			"a floating-point number of %u bits: 16, 32, 64 and "
			"128 can be read",
			t->size);
	return t->size < 128 || !t->reversed ||
		CTF_FRAGMENT_FAIL(p, "a number of 128 bits in reversed order");
}

/* Reads the name of the scope in which a field location begins. */
static bool
read_origin(
	struct ctf_fragments *p, struct json_object *v, struct ctf_location *l)
{
	static const char *const origin[] = { "packet-header", "packet-context",
		"event-record-header", "event-record-common-context",
		"event-record-specific-context", "event-record-payload" };
	static const char *const scope[] = { "trace.packet.header",
		"stream.packet.context", "stream.event.header",
		"stream.event.context", "event.context", "event.fields" };
	int at = -1;

	if (!read_word(p, v, "origin", origin, 6, &at))
		return false;
	l->scope = at < 0 ? NULL : scope[at];
	return true;
}

static bool
read_location(struct ctf_fragments *p, struct json_object *v, const char *name,
	struct ctf_type *t)
{
	struct json_object *at = json_get(v, name),
			   *path = json_get(at, "path");
	size_t n = json_length(path);
	const char **names = ARENA_ARRAY(p->arena, const char *, n + 1);
	struct ctf_location *l = ARENA_NEW(p->arena, struct ctf_location);

	if (!ctf_fragment_need(p, v, name, JSON_OBJECT) ||
		!read_origin(p, at, l))
		return false;
	if (n == 0 || n > DEPTH_MAX)
		return CTF_FRAGMENT_FAIL(
			p, "\"path\": 1 to %d names are expected", DEPTH_MAX);
	for (size_t i = 0; i < n; i++) {
		struct json_object *part = json_at(path, i);
		const char *text = json_str(part);

		if (text == NULL && (part != NULL || i + 1 == n))
			return CTF_FRAGMENT_FAIL(p,
				"\"path\": texts are expected; null is allowed "
				"before the last");
		names[i] = text == NULL ? NULL : arena_strdup(p->arena, text);
	}
	l->n = (int)n;
	l->name = names;
	t->location = l;
	return true;
}

static bool
read_encoding(
	struct ctf_fragments *p, struct json_object *v, struct ctf_type *t)
{
	static const char *const words[] = { [CTF_UTF8] = "utf-8",
		[CTF_UTF16LE] = "utf-16le",
		[CTF_UTF16BE] = "utf-16be",
		[CTF_UTF32LE] = "utf-32le",
		[CTF_UTF32BE] = "utf-32be" };
	int at = CTF_UTF8;

	if (!read_word(p, v, "encoding", words, 5, &at))
		return false;
	t->encoding = (enum ctf_encoding)at;
	return true;
}

/* Reads the length of a static class, or the location of a dynamic one. */
static bool
read_length(struct ctf_fragments *p, struct json_object *v, struct ctf_type *t)
{
	const char *type = json_str(json_get(v, "type"));

	if (strncmp(type, "dynamic", 7) == 0)
		return read_location(p, v, "length-field-location", t);
	return ctf_fragment_need(p, v, "length", JSON_NUMBER) &&
		ctf_fragment_number(p, v, "length", UINT64_MAX, &t->length);
}

static bool
read_string(struct ctf_fragments *p, struct json_object *v, struct ctf_type *t,
	int depth)
{
	(void)depth;
	t->kind = CTF_STRING;
	t->align = 8;
	return read_encoding(p, v, t);
}

static bool
read_sized_string(struct ctf_fragments *p, struct json_object *v,
	struct ctf_type *t, int depth)
{
	t->sized = true;
	return read_string(p, v, t, depth) && read_length(p, v, t);
}

static bool
read_blob(struct ctf_fragments *p, struct json_object *v, struct ctf_type *t,
	int depth)
{
	(void)depth;
	t->kind = CTF_BLOB;
	t->align = 8;
	return read_length(p, v, t) && read_roles(p, v, t);
}

static bool
has_member(const struct ctf_type *t, const char *name)
{
	for (int i = 0; i < t->members.n; i++)
		if (strcmp(t->members.at[i].name, name) == 0)
			return true;
	return false;
}

static bool
read_struct(struct ctf_fragments *p, struct json_object *v, struct ctf_type *t,
	int depth)
{
	struct json_object *members = json_get(v, "member-classes");

	t->kind = CTF_STRUCT;
	if (!read_align(p, v, "minimum-alignment", &t->align))
		return false;
	for (size_t i = 0; i < json_length(members); i++) {
		struct json_object *at = json_at(members, i);
		struct ctf_member m = { 0 };

		if (!ctf_fragment_need(p, at, "name", JSON_STRING) ||
			!ctf_fragment_text(p, at, "name", &m.name))
			return false;
		if (i == MEMBERS_MAX)
			return CTF_FRAGMENT_FAIL(p,
				"more than %d members of a structure",
				MEMBERS_MAX);
		if (has_member(t, m.name))
			return CTF_FRAGMENT_FAIL(
				p, "two members are named \"%.80s\"", m.name);
		m.type = ctf_fragment_type(
			p, json_get(at, "field-class"), depth + 1);
		if (m.type == NULL)
			return false;
		if (t->align < m.type->align)
			t->align = m.type->align;
		VEC_PUSH(&t->members, p->arena, m);
	}
	return true;
}

static bool
read_array(struct ctf_fragments *p, struct json_object *v, struct ctf_type *t,
	int depth)
{
	t->kind = CTF_LIST;
	if (!read_length(p, v, t) ||
		!read_align(p, v, "minimum-alignment", &t->align))
		return false;
	t->element = ctf_fragment_type(
		p, json_get(v, "element-field-class"), depth + 1);
	if (t->element == NULL)
		return false;
	if (t->align < t->element->align)
		t->align = t->element->align;
	return true;
}

static bool
read_optional(struct ctf_fragments *p, struct json_object *v,
	struct ctf_type *t, int depth)
{
	static const struct ctf_range set = { 1, 1, 1 };

	t->kind = CTF_OPTIONAL;
	if (!read_location(p, v, "selector-field-location", t))
		return false;
	if (json_type(v, "selector-field-ranges") == JSON_MISSING)
		VEC_PUSH(&t->ranges, p->arena, set); /* a boolean selects */
	else if (!read_ranges(p, json_get(v, "selector-field-ranges"), 1, t))
		return false;
	t->element =
		ctf_fragment_type(p, json_get(v, "field-class"), depth + 1);
	return t->element != NULL;
}

static bool
read_variant(struct ctf_fragments *p, struct json_object *v, struct ctf_type *t,
	int depth)
{
	struct json_object *options = json_get(v, "options");

	t->kind = CTF_VARIANT;
	if (!read_location(p, v, "selector-field-location", t))
		return false;
	for (size_t i = 0; i < json_length(options); i++) {
		struct json_object *at = json_at(options, i);
		struct ctf_member m = { 0 };

		if (!ctf_fragment_text(p, at, "name", &m.name) ||
			!read_ranges(p, json_get(at, "selector-field-ranges"),
				(uint32_t)i, t))
			return false;
		if (m.name == NULL)
			m.name = arena_printf(p->arena, "option %zu", i);
		m.type = ctf_fragment_type(
			p, json_get(at, "field-class"), depth + 1);
		if (m.type == NULL)
			return false;
		VEC_PUSH(&t->members, p->arena, m);
	}
	return t->members.n > 0 ||
		CTF_FRAGMENT_FAIL(p, "a variant without options");
}

static const struct ctf_type *
find_alias(struct ctf_fragments *p, const char *name)
{
	for (int i = 0; i < p->alias.n; i++)
		if (strcmp(p->alias.at[i].name, name) == 0)
			return p->alias.at[i].type;
	CTF_FRAGMENT_FAIL(p, "no alias \"%.80s\" was declared before", name);
	return NULL;
}

static const struct {
	const char *type;
	bool (*read)(struct ctf_fragments *p, struct json_object *v,
		struct ctf_type *t, int depth);
} classes[] = {
	{ "fixed-length-bit-array", read_bit_array },
	{ "fixed-length-bit-map", read_bit_map },
	{ "fixed-length-boolean", read_boolean },
	{ "fixed-length-unsigned-integer", read_fixed },
	{ "fixed-length-signed-integer", read_fixed_signed },
	{ "fixed-length-floating-point-number", read_float },
	{ "variable-length-unsigned-integer", read_variable },
	{ "variable-length-signed-integer", read_variable_signed },
	{ "null-terminated-string", read_string },
	{ "static-length-string", read_sized_string },
	{ "dynamic-length-string", read_sized_string },
	{ "static-length-blob", read_blob },
	{ "dynamic-length-blob", read_blob },
	{ "structure", read_struct },
	{ "static-length-array", read_array },
	{ "dynamic-length-array", read_array },
	{ "optional", read_optional },
	{ "variant", read_variant },
};

const struct ctf_type *
ctf_fragment_type(struct ctf_fragments *p, struct json_object *v, int depth)
{
	const char *alias = json_str(v), *type = json_str(json_get(v, "type"));
	struct ctf_type *t;

	if (alias != NULL)
		return find_alias(p, alias);
	if (type == NULL) {
		CTF_FRAGMENT_FAIL(p,
			"a field class with a \"type\", or the name of an "
			"alias, is expected");
		return NULL;
	}
	if (depth == DEPTH_MAX) {
		CTF_FRAGMENT_FAIL(
			p, "more than %d nested field classes", DEPTH_MAX);
		return NULL;
	}
	t = ARENA_NEW(p->arena, struct ctf_type);
	t->align = 1;
	for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++)
		if (strcmp(type, classes[i].type) == 0)
			return classes[i].read(p, v, t, depth) ? t : NULL;
	CTF_FRAGMENT_FAIL(p, "the field class \"%.80s\" is not known", type);
	return NULL;
}
