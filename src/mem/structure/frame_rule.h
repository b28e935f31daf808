/* SPDX-License-Identifier: MIT */
/*
 * frame_rule.h - turns the location of a local variable in DWARF into a
 * distance from the canonical frame address (CFA) of its function.
 *
 * A location may be relative to the CFA itself, or to a register. A register is
 * as good as the CFA where the call-frame information computes the CFA from
 * that register and a constant.
 */
#ifndef WEFT_MEM_STRUCTURE_FRAME_RULE_H
#define WEFT_MEM_STRUCTURE_FRAME_RULE_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stdint.h>

struct module;

/* The CFA at a code address: the value of a register plus a constant. */
struct frame_rule {
	bool is_read, is_known;
	Dwarf_Addr pc;
	unsigned reg; /* number of DWARF */
	int64_t offset;
};

/* A function and the code address at which its variables are wanted. The rule
 * is kept as long as pc stays the same. */
struct frame_at {
	struct module *module;
	Dwarf_Die *function; /* with DW_AT_frame_base */
	Dwarf_Addr pc;       /* as in DWARF */
	struct frame_rule rule;
};

/* Computes the distance from the CFA for n operations of a location. Returns
 * false if the variable is not in the frame, or its place is known only while
 * the program runs. */
bool frame_offset(
	struct frame_at *f, const Dwarf_Op *op, size_t n, int64_t *offset);

#endif
