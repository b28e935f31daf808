/* SPDX-License-Identifier: MIT */
/* Lists local variables by the scopes of DWARF around an address. */
#include <dwarf.h>

#include "base/arena.h"
#include "mem/structure/frame_rule.h"
#include "mem/structure/module_dwarf.h"
#include "mem/structure/types.h"

struct lister {
	struct frame_at frame;
	const char *function;
	VEC(struct local) list;
};

static void
add_local(struct lister *l, Dwarf_Die *die)
{
	struct module *m = l->frame.module;
	Dwarf_Attribute attr;
	int64_t offset;
	Dwarf_Op *op;
	struct local *new;
	const char *name = dwarf_diename(die);
	size_t n;

	if (name == NULL || dwarf_attr(die, DW_AT_location, &attr) == NULL ||
		dwarf_getlocation_addr(&attr, l->frame.pc, &op, &n, 1) != 1 ||
		!frame_offset(&l->frame, op, n, &offset))
		return;
	new = VEC_ADD(&l->list, m->arena);
	new->name = arena_strdup(m->arena, name);
	new->function = l->function;
	new->type = type_name(m->arena, die);
	new->file = module_die_file(m->arena, die, DW_AT_decl_file);
	new->line = module_die_number(die, DW_AT_decl_line);
	new->offset = offset;
	new->size = type_size(die);
	if (new->size == 0)
		new->size = 1;
	new->is_parameter = dwarf_tag(die) == DW_TAG_formal_parameter;
}

static void
add_scope(struct lister *l, Dwarf_Die *scope)
{
	Dwarf_Die die;

	if (dwarf_child(scope, &die) != 0)
		return;
	do {
		int tag = dwarf_tag(&die);

		if (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter)
			add_local(l, &die);
	} while (dwarf_siblingof(&die, &die) == 0);
}

/* Returns the index of the function that owns the frame, or -1. */
static int
owner_of(Dwarf_Die *chain, int depth)
{
	for (int i = 0; i < depth; i++)
		if (dwarf_tag(&chain[i]) == DW_TAG_subprogram)
			return i;
	return -1;
}

/* Sets the name of the function of scope i: that of the inlined call or of the
 * function around the scope. */
static void
name_function(struct lister *l, Dwarf_Die *chain, int i)
{
	while (dwarf_tag(&chain[i]) != DW_TAG_inlined_subroutine &&
		dwarf_tag(&chain[i]) != DW_TAG_subprogram)
		i++;
	l->function = module_die_name(l->frame.module->arena, &chain[i]);
	if (l->function == NULL)
		l->function = "?";
}

struct locals
module_dwarf_locals(struct module *m, uint64_t address)
{
	struct lister l = { .frame.module = m };
	Dwarf_Die *chain = NULL;
	Dwarf_Addr bias = 0;
	int depth, last;

	if (!m->has_lines || module_unit_at(m, address, &bias) == NULL)
		return (struct locals){ 0 };
	depth = module_scopes_at(m, address, &chain);
	last = owner_of(chain, depth);
	l.frame.pc = address - bias;
	for (int i = 0; i <= last; i++) {
		l.frame.function = &chain[last];
		name_function(&l, chain, i);
		add_scope(&l, &chain[i]);
	}
	mem_free(chain);
	return (struct locals){ l.list.at, l.list.n };
}
