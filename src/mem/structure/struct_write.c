/* SPDX-License-Identifier: MIT */
/*
 * Writes the structure of a module unit by unit, so that the memory that it
 * takes is that of one unit beside what libdw keeps.
 */
#include <dwarf.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "mem/structure/demangle.h"
#include "mem/structure/module_dwarf.h"
#include "mem/structure/struct_unit.h"

/* A function or a variable that a unit defines. */
struct item {
	const char *file;
	uint64_t address;
	bool is_function;
	Dwarf_Die die;
};

struct writer {
	struct struct_unit unit;
	struct map functions; /* addresses of functions that were written */
	VEC(struct item) item;
};

static bool
entry_of(Dwarf_Die *die, uint64_t *address)
{
	Dwarf_Addr base, lo, hi;

	if (dwarf_entrypc(die, address) == 0)
		return true;
	if (dwarf_ranges(die, 0, &base, &lo, &hi) <= 0)
		return false;
	*address = lo;
	return true;
}

static void
add_item(struct writer *w, Dwarf_Die *die)
{
	bool is_function = dwarf_tag(die) == DW_TAG_subprogram;
	struct fixed at = { 0 };
	struct item *new;

	if (is_function) {
		/* The linker leaves functions that it discarded at 0. */
		if (!entry_of(die, &at.address) ||
			!module_is_code(w->unit.module, at.address) ||
			map_get(&w->functions, at.address) != NULL)
			return;
		*map_put(&w->functions, at.address) = 1;
	} else if (!module_die_fixed(w->unit.module, die, &at)) {
		return;
	}
	new = VEC_ADD(&w->item, w->unit.arena);
	new->file = module_die_file(w->unit.arena, die, DW_AT_decl_file);
	if (new->file == NULL)
		new->file = STRUCT_UNKNOWN_FILE;
	new->address = at.address;
	new->is_function = is_function;
	new->die = *die;
}

/* Collects the functions and variables below a DIE. Variables of functions are
 * written with their functions. */
static void
collect(struct writer *w, Dwarf_Die *parent, bool in_function, int depth)
{
	Dwarf_Die die;
	int got = depth > MODULE_DEPTH ? 1 : dwarf_child(parent, &die);

	for (; got == 0; got = dwarf_siblingof(&die, &die)) {
		int tag = dwarf_tag(&die);

		if (tag == DW_TAG_subprogram ||
			(tag == DW_TAG_variable && !in_function))
			add_item(w, &die);
		if (tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block)
			collect(w, &die, true, depth + 1);
		if (tag == DW_TAG_namespace || tag == DW_TAG_module)
			collect(w, &die, in_function, depth + 1);
	}
	if (got < 0)
		module_finding(w->unit.module,
			"DWARF unit at 0x%" PRIx64 " is damaged: %s",
			(uint64_t)dwarf_dieoffset(parent), dwarf_errmsg(-1));
}

static int
by_file(const void *pa, const void *pb)
{
	const struct item *a = pa, *b = pb;
	int order = strcmp(a->file, b->file);

	if (order != 0)
		return order;
	if (a->is_function != b->is_function)
		return a->is_function ? 1 : -1;
	return (a->address > b->address) - (a->address < b->address);
}

static void
write_items(struct writer *w)
{
	if (w->item.n > 0)
		qsort(w->item.at, (size_t)w->item.n, sizeof *w->item.at,
			by_file);
	for (int i = 0; i < w->item.n; i++) {
		struct item *item = &w->item.at[i];

		struct_in_file(&w->unit.out, item->file);
		if (item->is_function)
			struct_unit_function(&w->unit, &item->die);
		else
			struct_unit_static(&w->unit, &item->die);
	}
	struct_in_file(&w->unit.out, NULL);
}

static void
write_unit(struct writer *w, Dwarf_Die *unit, Dwarf_Die *lines)
{
	struct arena arena = { 0 };

	w->unit.arena = &arena;
	memset(&w->item, 0, sizeof w->item);
	struct_unit_lines(&w->unit, lines);
	collect(w, unit, false, 0);
	write_items(w);
	arena_fini(&arena);
}

static void
write_units(struct writer *w)
{
	struct module *m = w->unit.module;
	Dwarf_CU *cu = NULL;
	Dwarf_Addr bias;
	Dwarf *dwarf = dwfl_module_getdwarf(m->dwfl->module, &bias);
	Dwarf_Die unit, split;
	uint8_t type;
	int got;

	if (dwarf == NULL)
		return;
	while ((got = dwarf_get_units(
			dwarf, cu, &cu, NULL, &type, &unit, &split)) == 0) {
		units_say_missing(m, &unit);
		if (type != DW_UT_type && type != DW_UT_split_type)
			write_unit(
				w, split.addr != NULL ? &split : &unit, &unit);
	}
	if (got < 0)
		module_finding(m, "DWARF is damaged: %s; what follows is lost",
			dwarf_errmsg(-1));
}

static void
write_symbol(struct writer *w, const struct code_symbol *f)
{
	struct struct_ranges range = { 0 };

	if (map_get(&w->functions, f->address) != NULL)
		return;
	VEC_PUSH(&range.list, w->unit.arena,
		((struct struct_range){
			(int64_t)f->address, (int64_t)f->end }));
	struct_begin(&w->unit.out,
		&(struct struct_element){ .tag = "P",
			.name = names_demangle(w->unit.arena, f->name),
			.link = f->name,
			.range = &range });
	struct_end(&w->unit.out, "P");
}

/* Writes what has symbols, but no DWARF. */
static void
write_rest(struct writer *w)
{
	struct module *m = w->unit.module;
	struct arena arena = { 0 };

	w->unit.arena = &arena;
	struct_in_file(&w->unit.out, STRUCT_UNKNOWN_FILE);
	for (int i = 0; i < m->variable.n; i++)
		struct_unit_symbol(&w->unit, &m->variable.at[i], false);
	for (int i = 0; i < m->local.n; i++)
		struct_unit_symbol(&w->unit, &m->local.at[i], true);
	for (int i = 0; i < m->function.n; i++) {
		write_symbol(w, &m->function.at[i]);
		arena_reset(&arena);
	}
	struct_in_file(&w->unit.out, NULL);
	arena_fini(&arena);
}

static void
begin_module(struct writer *w)
{
	struct module *m = w->unit.module;
	struct struct_ranges range = { 0 };
	char build[2 * MODULE_BUILD_MAX + 1] = "";

	for (int i = 0; i < m->section.n; i++)
		VEC_PUSH(&range.list, m->arena,
			((struct struct_range){ (int64_t)m->section.at[i].lo,
				(int64_t)m->section.at[i].hi }));
	struct_join(&range);
	struct_begin(&w->unit.out,
		&(struct struct_element){
			.tag = "LM", .name = m->path, .range = &range });
	for (uint32_t i = 0; i < m->build_bytes; i++)
		snprintf(build + 2 * i, 3, "%02x", m->build[i]);
	if (m->build_bytes > 0)
		xml_write_text(w->unit.out.xml, "build", build);
	for (int i = 0; i < m->section.n; i++) {
		struct struct_ranges one = { 0 };

		VEC_PUSH(&one.list, m->arena,
			((struct struct_range){ (int64_t)m->section.at[i].lo,
				(int64_t)m->section.at[i].hi }));
		struct_begin(&w->unit.out,
			&(struct struct_element){ .tag = "Section",
				.name = m->section.at[i].name,
				.kind = m->section.at[i].is_code ? "code"
								 : NULL,
				.range = &one });
		struct_end(&w->unit.out, "Section");
	}
}

void
struct_write(struct module *m, struct xml_writer *w)
{
	struct writer writer = { .unit = { .module = m, .out.xml = w } };

	xml_write_bare(w, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	xml_write_begin(w, "WeftStructure");
	xml_write_number(w, "version", STRUCT_VERSION);
	begin_module(&writer);
	write_units(&writer);
	write_rest(&writer);
	struct_end(&writer.unit.out, "LM");
	xml_write_end(w, "WeftStructure");
	xml_write_flush(w);
	map_fini(&writer.functions);
	map_fini(&writer.unit.fixed);
	map_fini(&writer.unit.thread);
}
