/* SPDX-License-Identifier: MIT */
#include "mem/structure/frame_rule.h"

#include <dwarf.h>

#include "base/arena.h"
#include "mem/structure/module_dwarf.h"

/* Reads "register + constant". */
static bool
is_register(const Dwarf_Op *op, size_t n, unsigned *reg, int64_t *offset)
{
	if (n != 1)
		return false;
	if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31) {
		*reg = op->atom - DW_OP_breg0;
		*offset = (int64_t)op->number;
		return true;
	}
	if (op->atom == DW_OP_bregx) {
		*reg = (unsigned)op->number;
		*offset = (int64_t)op->number2;
		return true;
	}
	return false;
}

static bool
read_rule(Dwarf_CFI *cfi, Dwarf_Addr pc, struct frame_rule *rule)
{
	Dwarf_Frame *frame = NULL;
	Dwarf_Op *op;
	size_t n;
	bool is_read;

	if (cfi == NULL || dwarf_cfi_addrframe(cfi, pc, &frame) != 0)
		return false;
	is_read = dwarf_frame_cfa(frame, &op, &n) == 0 &&
		is_register(op, n, &rule->reg, &rule->offset);
	mem_free(frame);
	return is_read;
}

/* Finds how the CFA is computed: in .eh_frame, else in .debug_frame. */
static void
find_rule(struct frame_at *f)
{
	Dwfl_Module *module = f->module->dwfl->module;
	struct frame_rule *rule = &f->rule;
	Dwarf_Addr bias = 0;
	Dwarf_CFI *cfi;

	if (rule->is_read && rule->pc == f->pc)
		return;
	*rule = (struct frame_rule){ .is_read = true, .pc = f->pc };
	cfi = dwfl_module_eh_cfi(module, &bias);
	rule->is_known = read_rule(cfi, f->pc - bias, rule);
	if (rule->is_known)
		return;
	cfi = dwfl_module_dwarf_cfi(module, &bias);
	rule->is_known = read_rule(cfi, f->pc - bias, rule);
}

static bool
from_register(struct frame_at *f, unsigned reg, int64_t value, int64_t *offset)
{
	find_rule(f);
	if (!f->rule.is_known || f->rule.reg != reg)
		return false;
	return !__builtin_sub_overflow(value, f->rule.offset, offset);
}

/* Adds the frame base to the offset of DW_OP_fbreg. */
static bool
from_base(struct frame_at *f, int64_t value, int64_t *offset)
{
	Dwarf_Attribute attr;
	int64_t add = 0;
	unsigned reg;
	Dwarf_Op *op;
	size_t n;

	if (dwarf_attr_integrate(f->function, DW_AT_frame_base, &attr) ==
			NULL ||
		dwarf_getlocation_addr(&attr, f->pc, &op, &n, 1) != 1 || n != 1)
		return false;
	if (op->atom == DW_OP_call_frame_cfa) {
		*offset = value;
		return true;
	}
	if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31)
		reg = op->atom - DW_OP_reg0;
	else if (op->atom == DW_OP_regx)
		reg = (unsigned)op->number;
	else if (!is_register(op, n, &reg, &add))
		return false;
	return !__builtin_add_overflow(value, add, &value) &&
		from_register(f, reg, value, offset);
}

bool
frame_offset(struct frame_at *f, const Dwarf_Op *op, size_t n, int64_t *offset)
{
	int64_t value;
	unsigned reg;

	if (n == 1 && op->atom == DW_OP_fbreg)
		return from_base(f, (int64_t)op->number, offset);
	return is_register(op, n, &reg, &value) &&
		from_register(f, reg, value, offset);
}
