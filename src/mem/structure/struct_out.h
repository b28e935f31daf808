/* SPDX-License-Identifier: MIT */
/*
 * struct_out.h - writes the elements of a structure file (struct_file.h) one by
 * one; struct_write.c decides which.
 */
#ifndef WEFT_MEM_STRUCTURE_STRUCT_OUT_H
#define WEFT_MEM_STRUCTURE_STRUCT_OUT_H

#include "mem/structure/struct_file.h"

struct struct_range {
	int64_t lo, hi;
};

struct struct_ranges {
	VEC(struct struct_range) list;
};

struct struct_out {
	struct xml_writer *xml;
	long long number; /* number of the last element */
	const char *file; /* file of the F element that is open, or NULL */
};

/* What an element says; members that are 0 or NULL are left out. */
struct struct_element {
	const char *tag;
	const char *name;
	const char *link; /* name for the linker */
	const char *file; /* left out if it is that of the F element */
	int line;
	const struct struct_ranges *range;
	const char *type, *kind, *section;
	const struct struct_ranges *live; /* code in which a local variable has
	                                   * its place */
};

/* Begins an element; struct_end() ends it. */
void struct_begin(struct struct_out *o, const struct struct_element *e);
void struct_end(struct struct_out *o, const char *tag);

/* Ends the open F element and begins one for another file, unless it is open
 * already. NULL: ends it only. */
void struct_in_file(struct struct_out *o, const char *file);

/* Adds the range of `size` bytes from lo on. */
void struct_add_range(
	struct struct_ranges *r, struct arena *a, int64_t lo, uint64_t size);

/* Sorts the ranges and joins those that touch. */
void struct_join(struct struct_ranges *r);

#endif
