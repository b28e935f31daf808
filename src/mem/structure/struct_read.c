/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/intern.h"
#include "mem/structure/module_sort.h"
#include "mem/structure/outline.h"
#include "mem/structure/struct_file.h"

#define FILE_MOST ((size_t)4 << 30)
#define ROOT "WeftStructure"

struct reader {
	struct struct_modules *to;
	struct arena *arena;
	struct xml xml;
	struct intern text;
	struct module *module; /* module of the open LM element, or NULL */
	const char *file;      /* file of the F element */
	const char *function;  /* function of the innermost P or A element */
	int scope;             /* index of the innermost scope; -1: none */
	bool has_root;
	const char *why; /* the file is wrong */
};

static const char *
text_of(struct reader *r, const char *attribute)
{
	const char *value = xml_value(&r->xml, attribute);

	return value == NULL
		? NULL
		: intern_name(&r->text, intern_add(&r->text, value));
}

static int
number_of(const struct reader *r, const char *attribute)
{
	const char *value = xml_value(&r->xml, attribute);
	long number = value == NULL ? 0 : strtol(value, NULL, 10);

	return number < 0 || number > INT32_MAX ? 0 : (int)number;
}

/* Reads "0x40" or "-0x40". */
static bool
read_hex(const char **at, int64_t *value)
{
	bool is_negative = **at == '-';
	const char *digits = *at + is_negative;
	char *end;
	uint64_t number;

	if (digits[0] != '0' || digits[1] != 'x')
		return false;
	number = strtoull(digits, &end, 16);
	if (end == digits + 2)
		return false;
	*value = (int64_t)(is_negative ? -number : number);
	*at = end;
	return true;
}

/* Reads the next range of "{[lo-hi) [lo-hi)}". Returns false at the end, and
 * sets r->why if the text is not of this form. */
static bool
next_range(struct reader *r, const char **at, int64_t *lo, int64_t *hi)
{
	if (**at == '{' || **at == ' ')
		(*at)++;
	if (**at == '}')
		return false;
	if (**at == '[') {
		(*at)++;
		if (read_hex(at, lo) && **at == '-') {
			(*at)++;
			if (read_hex(at, hi) && **at == ')') {
				(*at)++;
				return true;
			}
		}
	}
	r->why = "a range is not of the form {[0x10-0x20)}";
	return false;
}

/* Returns the ranges' text of an attribute; "{}" if there is none. */
static const char *
ranges_of(const struct reader *r, const char *attribute)
{
	const char *value = xml_value(&r->xml, attribute);

	return value == NULL ? "{}" : value;
}

/* Reads a build id in hexadecimal digits. */
static void
read_build(struct module *m, const char *text)
{
	uint32_t n = 0;

	for (; text != NULL && n < MODULE_BUILD_MAX; n++, text += 2) {
		char digits[3] = { text[0], text[0] ? text[1] : '\0' }, *end;
		unsigned long byte = strtoul(digits, &end, 16);

		if (end != digits + 2)
			break;
		m->build[n] = (uint8_t)byte;
	}
	m->build_bytes = n;
}

static void
begin_module(struct reader *r)
{
	const char *name = text_of(r, "n");
	struct module *m;

	if (name == NULL) {
		r->why = "an LM element has no name";
		return;
	}
	m = r->module = ARENA_NEW(r->arena, struct module);
	m->arena = r->arena;
	m->path = name;
	m->has_symbols = m->has_lines = true;
	m->outline = ARENA_NEW(r->arena, struct outline);
	read_build(m, xml_value(&r->xml, "build"));
	VEC_PUSH(&r->to->list, r->arena, m);
}

static void
end_module(struct reader *r)
{
	module_sort(r->module);
	code_symbols_sort(&r->module->function);
	outline_sort(r->module->outline);
	r->module = NULL;
	r->file = NULL;
}

static void
add_section(struct reader *r)
{
	const char *name = text_of(r, "n"), *at = ranges_of(r, "v");
	const char *kind = xml_value(&r->xml, "k");
	int64_t lo, hi;

	while (next_range(r, &at, &lo, &hi))
		VEC_PUSH(&r->module->section, r->arena,
			((struct module_section){ (uint64_t)lo, (uint64_t)hi,
				name == NULL ? "?" : name,
				kind != NULL && strcmp(kind, "code") == 0 }));
}

/* Returns the file of an element: its own, or that of the F element. */
static const char *
file_of(struct reader *r)
{
	const char *own = text_of(r, "f");

	return own != NULL ? own : r->file;
}

static void
add_static(struct reader *r, const char *name, const char *kind)
{
	bool is_thread = strcmp(kind, "tls") == 0;
	struct variables *list =
		is_thread ? &r->module->local : &r->module->variable;
	const char *at = ranges_of(r, "v");
	struct variable *v;
	int64_t lo, hi;

	if (strcmp(kind, "member") == 0)
		return; /* reports name the common block */
	while (next_range(r, &at, &lo, &hi)) {
		v = VEC_ADD(list, r->arena);
		v->address = (uint64_t)lo;
		v->size = (uint64_t)hi - (uint64_t)lo;
		v->name = name;
		v->file = file_of(r);
		v->line = number_of(r, "l");
		v->section = is_thread ? NULL : text_of(r, "s");
	}
}

static void
add_local(struct reader *r, const char *name, bool is_parameter)
{
	const char *at = ranges_of(r, "v"), *live = ranges_of(r, "live");
	struct outline *o = r->module->outline;
	struct outline_local *new;
	int64_t lo, hi, from, to;

	if (r->scope < 0) {
		r->why = "a local variable lies outside of a P element";
		return;
	}
	if (!next_range(r, &at, &lo, &hi))
		return;
	while (next_range(r, &live, &from, &to)) {
		new = VEC_ADD(&o->local, r->arena);
		new->scope = r->scope;
		new->lo = (uint64_t)from;
		new->hi = (uint64_t)to;
		new->local = (struct local){ .name = name,
			.function = r->function,
			.type = text_of(r, "t"),
			.file = file_of(r),
			.line = number_of(r, "l"),
			.offset = lo,
			.size = (uint64_t)hi - (uint64_t)lo,
			.is_parameter = is_parameter };
	}
}

static void
add_variable(struct reader *r)
{
	const char *name = text_of(r, "n"), *kind = xml_value(&r->xml, "k");
	bool is_parameter = kind != NULL && strcmp(kind, "parameter") == 0;

	if (name == NULL)
		r->why = "a V element has no name";
	else if (is_parameter || (kind != NULL && strcmp(kind, "local") == 0))
		add_local(r, name, is_parameter);
	else
		add_static(r, name, kind == NULL ? "static" : kind);
}

static void
add_scope(struct reader *r, enum outline_kind kind)
{
	struct outline_scope scope = { .kind = kind,
		.parent = r->scope,
		.name = text_of(r, "n"),
		.file = file_of(r),
		.line = number_of(r, "l") };
	struct outline *o = r->module->outline;
	const char *at = ranges_of(r, "v");
	int64_t lo, hi;

	if (kind != OUTLINE_FUNCTION && r->scope < 0) {
		r->why = "an A element lies outside of a P element";
		return;
	}
	r->scope = outline_add(o, r->arena, &scope);
	r->function = scope.name == NULL ? "?" : scope.name;
	while (next_range(r, &at, &lo, &hi)) {
		outline_range(
			o, r->arena, r->scope, (uint64_t)lo, (uint64_t)hi);
		if (kind == OUTLINE_FUNCTION && scope.name != NULL)
			code_symbols_add(&r->module->function, r->arena,
				&(struct code_symbol){ .address = (uint64_t)lo,
					.end = (uint64_t)hi,
					.name = scope.name,
					.pretty = scope.name });
	}
}

/* Ends a P or A element. */
static void
end_scope(struct reader *r)
{
	const struct outline *o = r->module->outline;

	if (r->scope < 0)
		return;
	r->scope = o->scope.at[r->scope].parent;
	r->function = NULL;
	for (int i = r->scope; i >= 0 && r->function == NULL;
		i = o->scope.at[i].parent)
		r->function = o->scope.at[i].name;
	if (r->function == NULL)
		r->function = "?";
}

static void
add_line(struct reader *r)
{
	const char *at = ranges_of(r, "v");
	int64_t lo, hi;

	while (next_range(r, &at, &lo, &hi))
		VEC_PUSH(&r->module->outline->line, r->arena,
			((struct outline_line){ (uint64_t)lo, (uint64_t)hi,
				file_of(r), number_of(r, "l") }));
}

static void
begin_file(struct reader *r)
{
	r->file = text_of(r, "n");
	if (r->file != NULL && strcmp(r->file, STRUCT_UNKNOWN_FILE) == 0)
		r->file = NULL;
}

/* Takes an element within LM. Elements of other names are skipped. */
static void
begin_inside(struct reader *r, const char *name)
{
	if (strcmp(name, "F") == 0)
		begin_file(r);
	else if (strcmp(name, "Section") == 0)
		add_section(r);
	else if (strcmp(name, "P") == 0)
		add_scope(r, OUTLINE_FUNCTION);
	else if (strcmp(name, "A") == 0)
		add_scope(r, OUTLINE_INLINED);
	else if (strcmp(name, "S") == 0)
		add_line(r);
	else if (strcmp(name, "V") == 0)
		add_variable(r);
}

static void
begin(struct reader *r)
{
	const char *name = r->xml.name;

	if (!r->has_root && strcmp(name, ROOT) != 0)
		r->why = "not a structure file: its first element is not "
			 "<" ROOT ">";
	else if (!r->has_root && number_of(r, "version") != STRUCT_VERSION)
		r->why = "a structure file of another version: write it again "
			 "with weft mem struct";
	else if (!r->has_root)
		r->has_root = true;
	else if (strcmp(name, "LM") == 0 && r->module == NULL)
		begin_module(r);
	else if (r->module != NULL)
		begin_inside(r, name);
}

static void
end(struct reader *r)
{
	const char *name = r->xml.name;

	if (r->module == NULL)
		return;
	if (strcmp(name, "LM") == 0)
		end_module(r);
	else if (strcmp(name, "F") == 0)
		r->file = NULL;
	else if (strcmp(name, "P") == 0 || strcmp(name, "A") == 0)
		end_scope(r);
}

static bool
read_all(struct reader *r)
{
	enum xml_event event = XML_BEGIN;

	while (r->why == NULL && event > XML_EOF) {
		event = xml_next(&r->xml);
		if (event == XML_BEGIN)
			begin(r);
		else if (event == XML_END)
			end(r);
	}
	if (event == XML_ERROR)
		r->why = r->xml.why;
	if (r->why == NULL && !r->has_root)
		r->why = "not a structure file: it has no element";
	return r->why == NULL;
}

bool
struct_read(struct struct_modules *to, struct arena *a, const char *path,
	struct err *err)
{
	struct reader r = { .to = to, .arena = a, .scope = -1 };
	int before = to->list.n;
	size_t size;
	char *text = file_read(a, path, FILE_MOST, &size, err);

	if (text == NULL)
		return err_in(err, "%s", path);
	intern_init(&r.text, a);
	xml_read_text(&r.xml, text, size);
	if (read_all(&r))
		return true;
	to->list.n = before; /* modules of a damaged file are incomplete */
	return err_set(err, ERR_INPUT, "%s:%d: %s", path, r.xml.line, r.why);
}
