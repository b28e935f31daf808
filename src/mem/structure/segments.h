/* SPDX-License-Identifier: MIT */
/*
 * segments.h - where the parts of an ELF file lie once a loader has mapped it:
 * its program headers alone, so it is cheap to ask of each library of a
 * machine.
 *
 *	if (segments_read("/usr/lib/libz.so.1", &s) &&
 *		segments_bias(&s, address, offset, &bias))
 *		it lies from bias + s.lo up to bias + s.hi
 */
#ifndef WEFT_MEM_STRUCTURE_SEGMENTS_H
#define WEFT_MEM_STRUCTURE_SEGMENTS_H

#include <stdbool.h>
#include <stdint.h>

#define SEGMENTS_MOST 16

struct segment {
	uint64_t offset, size; /* in the file */
	uint64_t address;      /* of the file; the bias is added */
	bool is_code;
};

struct segments {
	struct segment at[SEGMENTS_MOST];
	int n;
	uint64_t lo,
		hi; /* of all, with what the file has no bytes for (.bss) */
};

/* False: unreadable, or no ELF file of 64 bits of this machine's order. */
bool segments_read(const char *path, struct segments *s);

/* The bias of a file whose code was mapped from an offset on to an address;
 * false: it has no code there. */
bool segments_bias(const struct segments *s, uint64_t address, uint64_t offset,
	uint64_t *bias);

#endif
