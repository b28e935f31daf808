/* SPDX-License-Identifier: MIT */
/*
 * cfi.h - condenses the .eh_frame entry for one address into a recipe of eight
 * bytes.
 *
 * Compilers describe how to leave a function at each of its instructions. A
 * call path needs three facts: where the caller's frame begins (CFA), where the
 * return address lies (8 below the CFA, on x86-64), and where the caller's
 * frame pointer was saved. For nearly every address a register and an offset
 * suffice; anything else is RECIPE_NONE.
 *
 * Based on the DWARF 5 standard, section 6.4, and the LSB's .eh_frame_hdr.
 * The module is found with the loader's lock-free table (_dl_find_object), so
 * all of this may run in a handler, as long as the module stays loaded.
 */
#ifndef WEFT_INPROC_CODE_CFI_H
#define WEFT_INPROC_CODE_CFI_H

#include <stdbool.h>
#include <stdint.h>

enum recipe_kind {
	RECIPE_NONE,     /* unknown */
	RECIPE_SP,       /* CFA = sp + offset */
	RECIPE_BP,       /* CFA = bp + offset */
	RECIPE_DEREF_BP, /* CFA = *(bp + offset): a realigned stack */
	RECIPE_SIGNAL,   /* the kernel's frame: all registers are at sp */
	RECIPE_END       /* the outermost function */
};

struct recipe {
	int32_t offset; /* offset of the CFA */
	int16_t bp;     /* the caller's bp is at CFA + bp; 0: unchanged */
	uint8_t kind;   /* enum recipe_kind */
	uint8_t epoch;  /* epoch of the module map, for caches */
};

/* Returns the recipe for an instruction (for a return address, pass the address
 * before it). */
struct recipe cfi_recipe(uint64_t ip);

/* Finds the function that contains ip, according to .eh_frame. */
bool cfi_function(uint64_t ip, uint64_t *lo, uint64_t *hi);

#endif
