/* SPDX-License-Identifier: MIT */
/*
 * cfi.h - what .eh_frame says about one address, as a recipe of eight bytes.
 *
 * Compilers describe how to leave a function at each of its instructions. Of
 * that, a call path needs three things: where the frame of the caller begins
 * (CFA), where the return address lies (8 below it, on x86-64) and where the
 * caller's frame pointer was saved. Nearly every address needs no more than a
 * register and an offset; anything else is RECIPE_NONE.
 *
 * Based on the DWARF 5 standard, section 6.4, and the LSB's .eh_frame_hdr.
 * Finding the module uses the loader's lock-free table (_dl_find_object), so
 * all of this may run in a handler, as long as the module stays loaded.
 */
#ifndef WEFT_INPROC_CODE_CFI_H
#define WEFT_INPROC_CODE_CFI_H

#include <stdbool.h>
#include <stdint.h>

enum recipe_kind {
	RECIPE_NONE,     /* nothing is known */
	RECIPE_SP,       /* CFA = sp + offset */
	RECIPE_BP,       /* CFA = bp + offset */
	RECIPE_DEREF_BP, /* CFA = *(bp + offset): a realigned stack */
	RECIPE_SIGNAL,   /* the kernel's frame: all registers are at sp */
	RECIPE_END       /* the outermost function */
};

struct recipe {
	int32_t offset; /* of the CFA */
	int16_t bp;     /* the caller's bp is at CFA + bp; 0: unchanged */
	uint8_t kind;   /* enum recipe_kind */
	uint8_t epoch;  /* for caches */
};

/* The recipe at an instruction (for a return address: of the one before). */
struct recipe cfi_recipe(uint64_t ip);

/* The function that holds ip, as .eh_frame knows it. */
bool cfi_function(uint64_t ip, uint64_t *lo, uint64_t *hi);

#endif
