/* SPDX-License-Identifier: MIT */
#include "mem/structure/module.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "mem/structure/demangle.h"
#include "mem/structure/module_sort.h"
#include "mem/structure/outline.h"
#include "mem/structure/struct_file.h"
#if HAVE_LIBDW
#include "mem/structure/module_dwarf.h"
#endif

/* Returns the index of the last entry whose address is not above `address`. */
static int
below(const struct variables *list, uint64_t address)
{
	int lo = 0, hi = list->n;

	while (lo < hi) {
		int mid = lo + (hi - lo) / 2;

		if (list->at[mid].address <= address)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo - 1;
}

static const struct variable *
find(const struct variables *list, uint64_t address)
{
	/* A variable within another one starts after it. */
	for (int i = below(list, address), tries = 0; i >= 0 && tries < 8;
		i--, tries++) {
		const struct variable *v = &list->at[i];

		if (address - v->address < v->size)
			return v;
	}
	return NULL;
}

const struct variable *
module_variable(const struct module *m, uint64_t address)
{
	return find(&m->variable, address);
}

const struct variable *
module_local(const struct module *m, uint64_t offset)
{
	return find(&m->local, offset);
}

static const struct module_section *
section_of(const struct module *m, uint64_t address)
{
	for (int i = 0; i < m->section.n; i++)
		if (address >= m->section.at[i].lo &&
			address < m->section.at[i].hi)
			return &m->section.at[i];
	return NULL;
}

const char *
module_section_name(const struct module *m, uint64_t address)
{
	const struct module_section *s = section_of(m, address);

	return s == NULL ? NULL : s->name;
}

/* A static program has no loader and imports nothing. One with code for any
 * address has a table of dynamic symbols all the same; it is recognised only if
 * it has the recorder. */
bool
module_is_static(const struct module *m)
{
	bool is_dynamic = m->section.n == 0;

	for (int i = 0; i < m->section.n; i++) {
		const char *name = m->section.at[i].name;

		if (strcmp(name, MODULE_RECORDER) == 0)
			return true;
		is_dynamic |= strcmp(name, ".interp") == 0 ||
			strcmp(name, ".dynsym") == 0;
	}
	return !is_dynamic;
}

bool
module_is_code(const struct module *m, uint64_t address)
{
	const struct module_section *s = section_of(m, address);

	return s != NULL && s->is_code;
}

static int
underscores(const char *name)
{
	return (int)strspn(name, "_");
}

/* Orders by address. Of several names for one address the best comes first: the
 * largest, then one visible to other files, then one without leading
 * underscores. */
static int
by_address(const void *pa, const void *pb)
{
	const struct variable *a = pa, *b = pb;
	int order;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	if (a->size != b->size)
		return a->size > b->size ? -1 : 1;
	if (a->is_local != b->is_local)
		return a->is_local ? 1 : -1;
	order = underscores(a->name) - underscores(b->name);
	return order != 0 ? order : strcmp(a->name, b->name);
}

static void
sort(struct arena *a, struct variables *list)
{
	int n = 0;

	if (list->n == 0)
		return;
	qsort(list->at, (size_t)list->n, sizeof *list->at, by_address);
	for (int i = 0; i < list->n; i++)
		if (n == 0 || list->at[i].address != list->at[n - 1].address)
			list->at[n++] = list->at[i];
	list->n = n;
	for (int i = 0; i < n; i++)
		list->at[i].name = names_demangle(a, list->at[i].name);
}

void
module_sort(struct module *m)
{
	sort(m->arena, &m->variable);
	sort(m->arena, &m->local);
}

struct variable *
module_variable_at(struct variables *list, uint64_t address)
{
	int i = below(list, address);

	return i >= 0 && list->at[i].address == address ? &list->at[i] : NULL;
}

const char *
module_symbol_name(struct module *m, uint64_t address)
{
	struct code_symbol *f = code_symbols_at(&m->function, address);

	if (f == NULL || (m->outline == NULL && !module_is_code(m, address)))
		return NULL;
	if (f->pretty == NULL)
		f->pretty = names_demangle(
			m->arena, arena_strdup(m->arena, f->name));
	return f->pretty;
}

/* The compiler moves rare parts of a function to another place, and gives them
 * the function's name with a suffix: "work.cold". Returns a number for the
 * suffix, 0 for none. */
static uint64_t
part_of(const char *name)
{
	const char *suffix = strchr(name, '.');
	uint32_t hash = 0;

	for (; suffix != NULL && *suffix != '\0'; suffix++)
		hash = hash * 31 + (uint8_t)*suffix;
	return (uint64_t)hash << 32;
}

uint64_t
module_call(const struct module *m, uint64_t address)
{
	const struct code_symbol *f = code_symbols_at(&m->function, address);

	if (f == NULL || f->address == address)
		return address;
	return part_of(f->name) | (uint32_t)(address - f->address);
}

void
module_finding(struct module *m, const char *fmt, ...)
{
	char text[512];
	va_list args;

	m->findings++;
	if (m->finding.n == MODULE_FINDINGS)
		return;
	va_start(args, fmt);
	vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	VEC_PUSH(&m->finding, m->arena, arena_strdup(m->arena, text));
}

/* Answers from a structure file. */
static struct frames
outline_code(struct module *m, uint64_t address)
{
	const struct outline *o = m->outline;
	const struct outline_line *at = outline_line_at(o, address);
	VEC(struct frame) list = { 0 };
	const char *file = at == NULL ? NULL : at->file;
	int line = at == NULL ? 0 : at->line;
	bool is_inlined = true;

	for (int i = outline_at(o, address); i >= 0;
		i = o->scope.at[i].parent) {
		const struct outline_scope *s = &o->scope.at[i];

		is_inlined = s->kind == OUTLINE_INLINED;
		VEC_PUSH(&list, m->arena,
			((struct frame){ s->name, file, line, is_inlined }));
		file = s->file;
		line = s->line;
	}
	if (is_inlined)
		VEC_PUSH(&list, m->arena,
			((struct frame){ module_symbol_name(m, address), file,
				line, false }));
	return (struct frames){ list.at, list.n };
}

const struct local *
locals_at(const struct locals *l, int64_t offset)
{
	for (int i = 0; i < l->n; i++)
		if (offset >= l->at[i].offset &&
			(uint64_t)(offset - l->at[i].offset) < l->at[i].size)
			return &l->at[i];
	return NULL;
}

#if HAVE_LIBDW

struct frames
module_code(struct module *m, uint64_t address)
{
	return m->outline != NULL ? outline_code(m, address)
				  : module_dwarf_code(m, address);
}

struct locals
module_locals(struct module *m, uint64_t address)
{
	return m->outline != NULL
		? outline_locals(m->outline, m->arena, address)
		: module_dwarf_locals(m, address);
}

#else

struct module *
module_open(struct arena *a, const char *path, struct err *err)
{
	(void)a;
	err_set(err, ERR_LIMIT,
		"%s: this build has no libdw and cannot read names", path);
	return NULL;
}

struct frames
module_code(struct module *m, uint64_t address)
{
	return outline_code(m, address);
}

struct locals
module_locals(struct module *m, uint64_t address)
{
	return outline_locals(m->outline, m->arena, address);
}

void
struct_write(struct module *m, struct xml_writer *w)
{
	(void)m;
	(void)w;
}

void
module_declare(struct module *m)
{
	(void)m;
}

void
module_close(struct module *m)
{
	(void)m;
}

const char *
module_library(void)
{
	return "";
}

#endif
