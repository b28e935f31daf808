/* SPDX-License-Identifier: MIT */
#include "mem/structure/struct_unit.h"

#include <dwarf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "mem/structure/frame_rule.h"
#include "mem/structure/module_dwarf.h"
#include "mem/structure/types.h"

static void
ranges_of(struct struct_unit *u, Dwarf_Die *die, struct struct_ranges *to)
{
	Dwarf_Addr base, lo, hi;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(die, at, &base, &lo, &hi)) > 0)
		if (lo < hi)
			VEC_PUSH(&to->list, u->arena,
				((struct struct_range){
					(int64_t)lo, (int64_t)hi }));
	struct_join(to);
}

/* Returns true the first time for this address. */
static bool
is_new(struct struct_unit *u, uint64_t address, bool is_thread_local)
{
	uint64_t *slot =
		map_put(is_thread_local ? &u->thread : &u->fixed, address);

	return (*slot)++ == 0;
}

static const char *
link_name(Dwarf_Die *die)
{
	Dwarf_Attribute attr;

	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attr) == NULL &&
		dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attr) ==
			NULL)
		return NULL;
	return dwarf_formstring(&attr);
}

/* Describes a variable with a fixed position. */
static void
describe(struct struct_unit *u, Dwarf_Die *die, const struct fixed *at,
	struct struct_element *e)
{
	struct module *m = u->module;
	const struct variable *v = module_variable_at(
		at->is_local ? &m->local : &m->variable, at->address);

	e->tag = "V";
	e->name = v != NULL ? v->name : module_die_name(u->arena, die);
	e->link = link_name(die);
	e->file = module_die_file(u->arena, die, DW_AT_decl_file);
	e->line = module_die_number(die, DW_AT_decl_line);
	e->type = type_name(u->arena, die);
	e->kind = at->is_local ? "tls" : "static";
	if (!at->is_local)
		e->section = module_section_name(m, at->address);
}

static uint64_t
size_of(struct struct_unit *u, Dwarf_Die *die, const struct fixed *at)
{
	const struct variable *v = module_variable_at(
		at->is_local ? &u->module->local : &u->module->variable,
		at->address);

	return v != NULL ? v->size : type_size(die);
}

void
struct_unit_static(struct struct_unit *u, Dwarf_Die *die)
{
	struct struct_ranges range = { 0 };
	struct struct_element e = { .range = &range };
	struct fixed at;
	uint64_t size;

	if (!module_die_fixed(u->module, die, &at))
		return;
	size = size_of(u, die, &at);
	if (size == 0 || (at.address == 0 && !at.is_local) ||
		!is_new(u, at.address, at.is_local))
		return;
	describe(u, die, &at, &e);
	struct_add_range(&range, u->arena, (int64_t)at.address, size);
	struct_begin(&u->out, &e);
	struct_end(&u->out, "V");
}

void
struct_unit_symbol(
	struct struct_unit *u, const struct variable *v, bool is_thread_local)
{
	struct struct_ranges range = { 0 };

	if (!is_new(u, v->address, is_thread_local))
		return;
	struct_add_range(&range, u->arena, (int64_t)v->address, v->size);
	struct_begin(&u->out,
		&(struct struct_element){ .tag = "V",
			.name = v->name,
			.range = &range,
			.kind = is_thread_local ? "tls" : "static",
			.section = v->section });
	struct_end(&u->out, "V");
}

/* Writes the variables of a Fortran common block, each at its own address. */
static void
write_members(struct struct_unit *u, Dwarf_Die *block)
{
	Dwarf_Die die;

	if (dwarf_child(block, &die) != 0)
		return;
	do {
		struct struct_ranges range = { 0 };
		struct struct_element e = { .range = &range };
		struct fixed at;
		uint64_t size = type_size(&die);

		if (!module_die_fixed(u->module, &die, &at) || size == 0)
			continue;
		describe(u, &die, &at, &e);
		e.name = dwarf_diename(&die);
		e.kind = "member";
		struct_add_range(&range, u->arena, (int64_t)at.address, size);
		struct_begin(&u->out, &e);
		struct_end(&u->out, "V");
	} while (dwarf_siblingof(&die, &die) == 0);
}

static void
write_common(struct struct_unit *u, Dwarf_Die *block)
{
	struct struct_ranges range = { 0 };
	struct struct_element e = { .range = &range };
	struct fixed at;
	uint64_t size;

	if (!module_common_fixed(u->module, block, &at))
		return;
	size = size_of(u, block, &at);
	if (size == 0 || !is_new(u, at.address, false))
		return;
	describe(u, block, &at, &e);
	e.kind = "common";
	struct_add_range(&range, u->arena, (int64_t)at.address, size);
	struct_begin(&u->out, &e);
	write_members(u, block);
	struct_end(&u->out, "V");
}

/* A function that is being written, and its innermost scope. */
struct inside {
	struct frame_at frame;
	const struct struct_ranges *scope;
};

/* Writes a local variable at a distance from the CFA, for the code in which it
 * is there. */
static void
write_local(struct struct_unit *u, Dwarf_Die *die, int64_t offset,
	struct struct_ranges *live)
{
	struct struct_ranges range = { 0 };
	uint64_t size = type_size(die);
	const char *name = dwarf_diename(die);

	if (name == NULL || size > INT64_MAX / 2)
		return;
	struct_join(live);
	struct_add_range(&range, u->arena, offset, size == 0 ? 1 : size);
	struct_begin(&u->out,
		&(struct struct_element){ .tag = "V",
			.name = name,
			.file = module_die_file(u->arena, die, DW_AT_decl_file),
			.line = module_die_number(die, DW_AT_decl_line),
			.range = &range,
			.live = live,
			.type = type_name(u->arena, die),
			.kind = dwarf_tag(die) == DW_TAG_formal_parameter
				? "parameter"
				: "local" });
	struct_end(&u->out, "V");
}

/* A position of a variable in the frame, and the code for which it holds. */
struct position {
	int64_t offset;
	struct struct_ranges live;
};

struct positions {
	VEC(struct position) list;
};

static void
add_position(struct struct_unit *u, struct positions *p, int64_t offset,
	uint64_t lo, uint64_t hi)
{
	struct position *at = NULL;

	for (int i = 0; i < p->list.n; i++)
		if (p->list.at[i].offset == offset)
			at = &p->list.at[i];
	if (at == NULL) {
		at = VEC_ADD(&p->list, u->arena);
		at->offset = offset;
	}
	if (lo < hi)
		VEC_PUSH(&at->live.list, u->arena,
			((struct struct_range){ (int64_t)lo, (int64_t)hi }));
}

/* Adds one location of a variable. The position relative to the CFA is computed
 * in the middle of its range, where the prologue is over. */
static void
add_location(struct struct_unit *u, struct inside *in,
	struct positions *positions, const Dwarf_Op *op, size_t n,
	const struct struct_range *of)
{
	int64_t offset;

	in->frame.pc = (uint64_t)of->lo + (uint64_t)(of->hi - of->lo) / 2;
	if (frame_offset(&in->frame, op, n, &offset))
		add_position(u, positions, offset, (uint64_t)of->lo,
			(uint64_t)of->hi);
}

static void
write_variable(struct struct_unit *u, struct inside *in, Dwarf_Die *die)
{
	struct positions positions = { 0 };
	Dwarf_Addr base, lo, hi;
	Dwarf_Attribute attr;
	ptrdiff_t at = 0;
	Dwarf_Op *op;
	size_t n;

	if (dwarf_attr(die, DW_AT_location, &attr) == NULL)
		return;
	while ((at = dwarf_getlocations(&attr, at, &base, &lo, &hi, &op, &n)) >
		0) {
		if (lo != 0 || hi != UINT64_MAX) {
			add_location(u, in, &positions, op, n,
				&(struct struct_range){
					(int64_t)lo, (int64_t)hi });
			continue;
		}
		/* The variable stays there in the whole scope. */
		for (int i = 0; i < in->scope->list.n; i++)
			add_location(u, in, &positions, op, n,
				&in->scope->list.at[i]);
	}
	for (int i = 0; i < positions.list.n; i++)
		write_local(u, die, positions.list.at[i].offset,
			&positions.list.at[i].live);
}

static void write_scope(
	struct struct_unit *u, struct inside *in, Dwarf_Die *scope, int depth);

/* Writes a nested scope; those of inlined calls are elements. */
static void
write_nested(
	struct struct_unit *u, struct inside *in, Dwarf_Die *die, int depth)
{
	const struct struct_ranges *outer = in->scope;
	bool is_inlined = dwarf_tag(die) == DW_TAG_inlined_subroutine;
	struct struct_ranges range = { 0 };

	ranges_of(u, die, &range);
	if (range.list.n == 0)
		return;
	in->scope = &range;
	if (is_inlined)
		struct_begin(&u->out,
			&(struct struct_element){ .tag = "A",
				.name = module_die_name(u->arena, die),
				.file = module_die_file(
					u->arena, die, DW_AT_call_file),
				.line = module_die_number(die, DW_AT_call_line),
				.range = &range });
	write_scope(u, in, die, depth + 1);
	if (is_inlined)
		struct_end(&u->out, "A");
	in->scope = outer;
}

static void
write_scope(
	struct struct_unit *u, struct inside *in, Dwarf_Die *scope, int depth)
{
	Dwarf_Die die;
	struct fixed at;

	if (depth > MODULE_DEPTH || dwarf_child(scope, &die) != 0)
		return;
	do {
		switch (dwarf_tag(&die)) {
		case DW_TAG_variable:
		case DW_TAG_formal_parameter:
			if (module_die_fixed(u->module, &die, &at))
				struct_unit_static(u, &die);
			else
				write_variable(u, in, &die);
			break;
		case DW_TAG_common_block:
			write_common(u, &die);
			break;
		case DW_TAG_lexical_block:
		case DW_TAG_inlined_subroutine:
			write_nested(u, in, &die, depth);
			break;
		default:
			break;
		}
	} while (dwarf_siblingof(&die, &die) == 0);
}

void
struct_unit_function(struct struct_unit *u, Dwarf_Die *die)
{
	struct struct_ranges range = { 0 };
	struct inside in = { .frame = { .module = u->module, .function = die },
		.scope = &range };

	ranges_of(u, die, &range);
	struct_begin(&u->out,
		&(struct struct_element){ .tag = "P",
			.name = module_die_name(u->arena, die),
			.link = link_name(die),
			.line = module_die_number(die, DW_AT_decl_line),
			.range = &range });
	write_scope(u, &in, die, 0);
	struct_unit_code(u, &range);
	struct_end(&u->out, "P");
}
