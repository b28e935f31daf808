/* SPDX-License-Identifier: MIT */
/* Adds the places of declaration to the variables of a module. */
#include <dwarf.h>

#include "mem/structure/module_dwarf.h"

/* Returns true for an operation that turns an offset into a thread-local
 * address. */
static bool
is_local(const Dwarf_Op *op)
{
	return op->atom == DW_OP_GNU_push_tls_address ||
		op->atom == DW_OP_form_tls_address;
}

/* Reads the address that an operation pushes: its own operand, or an entry of
 * the unit's table. */
static bool
operand_of(Dwarf_Attribute *attr, const Dwarf_Op *op, uint64_t *value)
{
	Dwarf_Attribute in_table;
	Dwarf_Addr address;

	*value = op->number;
	if (op->atom != DW_OP_addrx && op->atom != DW_OP_GNU_addr_index &&
		op->atom != DW_OP_constx && op->atom != DW_OP_GNU_const_index)
		return true;
	if (dwarf_getlocation_attr(attr, op, &in_table) != 0)
		return false;
	if (dwarf_formaddr(&in_table, &address) == 0)
		*value = address;
	else if (dwarf_formudata(&in_table, value) != 0)
		return false;
	return true;
}

static bool
is_address(const Dwarf_Op *op)
{
	return op->atom == DW_OP_addr || op->atom == DW_OP_addrx ||
		op->atom == DW_OP_GNU_addr_index;
}

/* Turns an address in the file's image of thread-local storage into an offset:
 * with -gsplit-dwarf gcc's table of addresses has such addresses. */
static uint64_t
local_offset(const struct module *m, uint64_t value)
{
	const struct module_dwfl *d = m->dwfl;

	if (value >= d->local_bytes && value >= d->local_from &&
		value - d->local_from < d->local_bytes)
		return value - d->local_from;
	return value;
}

bool
module_die_fixed(const struct module *m, Dwarf_Die *die, struct fixed *to)
{
	Dwarf_Attribute attr;
	Dwarf_Op *op;
	size_t n;

	if (dwarf_attr(die, DW_AT_location, &attr) == NULL ||
		dwarf_getlocation(&attr, &op, &n) != 0 || n < 1 || n > 2 ||
		!operand_of(&attr, &op[0], &to->address))
		return false;
	to->is_local = n == 2 && is_local(&op[1]);
	if (to->is_local)
		to->address = local_offset(m, to->address);
	if (to->is_local)
		return true;
	if (!is_address(&op[0]))
		return false;
	if (n == 2 && op[1].atom == DW_OP_plus_uconst)
		to->address += op[1].number; /* a member of a common block */
	return n == 1 || op[1].atom == DW_OP_plus_uconst;
}

bool
module_common_fixed(const struct module *m, Dwarf_Die *block, struct fixed *to)
{
	const struct variable *v = NULL;
	Dwarf_Die die;

	if (module_die_fixed(m, block, to))
		return true;
	if (dwarf_child(block, &die) != 0)
		return false;
	do {
		if (module_die_fixed(m, &die, to) && !to->is_local)
			v = module_variable(m, to->address);
	} while (v == NULL && dwarf_siblingof(&die, &die) == 0);
	if (v == NULL)
		return false;
	*to = (struct fixed){ .address = v->address };
	return true;
}

/* Sets the file and line of a variable whose DIE has a fixed address. */
static void
declare(struct module *m, Dwarf_Die *die)
{
	struct variable *v;
	struct fixed at;

	if (dwarf_tag(die) == DW_TAG_common_block
			? !module_common_fixed(m, die, &at)
			: !module_die_fixed(m, die, &at))
		return;
	v = module_variable_at(
		at.is_local ? &m->local : &m->variable, at.address);
	if (v == NULL || v->file != NULL)
		return;
	v->file = module_die_file(m->arena, die, DW_AT_decl_file);
	v->line = module_die_number(die, DW_AT_decl_line);
}

/* Declares the variables of a unit and, recursively, those of its functions. */
static void
declare_all(struct module *m, Dwarf_Die *parent, int depth)
{
	Dwarf_Die die;

	if (depth > MODULE_DEPTH || dwarf_child(parent, &die) != 0)
		return;
	do {
		switch (dwarf_tag(&die)) {
		case DW_TAG_variable:
		case DW_TAG_common_block:
			declare(m, &die);
			break;
		case DW_TAG_subprogram:
		case DW_TAG_lexical_block:
		case DW_TAG_namespace:
		case DW_TAG_module:
		case DW_TAG_inlined_subroutine:
			declare_all(m, &die, depth + 1);
			break;
		default:
			break;
		}
	} while (dwarf_siblingof(&die, &die) == 0);
}

void
module_declare(struct module *m)
{
	Dwarf_Addr bias = 0;
	Dwarf_Die *cu = NULL;

	if (m->dwfl == NULL || m->dwfl->declared || !m->has_lines)
		return;
	m->dwfl->declared = true;
	while ((cu = dwfl_module_nextcu(m->dwfl->module, cu, &bias)) != NULL) {
		Dwarf_Die split;

		units_say_missing(m, cu);
		declare_all(m, units_split(cu, &split) ? &split : cu, 0);
	}
}
