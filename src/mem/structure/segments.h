/* SPDX-License-Identifier: MIT */
/*
 * segments.h - where the segments of an ELF file lie once a loader has mapped
 * the file. Reads the program headers only, so the query is cheap for every
 * library of a machine.
 *
 *	if (segments_read("/usr/lib/libz.so.1", &s) &&
 *		segments_bias(&s, address, offset, &bias))
 *		the file lies from bias + s.lo to bias + s.hi
 */
#ifndef WEFT_MEM_STRUCTURE_SEGMENTS_H
#define WEFT_MEM_STRUCTURE_SEGMENTS_H

#include <stdbool.h>
#include <stdint.h>

#define SEGMENTS_MOST 16

struct segment {
	uint64_t offset, size; /* byte offset and size in the file */
	uint64_t address;      /* as in the file, without the bias */
	bool is_code;
};

struct segments {
	struct segment at[SEGMENTS_MOST];
	int n;
	uint64_t lo, hi; /* range of all segments, including memory without
	                  * bytes in the file (.bss) */
};

/* Reads the program headers. Returns false if the file is unreadable or no
 * 64-bit ELF file of this machine's byte order. */
bool segments_read(const char *path, struct segments *s);

/* Computes the bias of a file whose code from an offset on was mapped at an
 * address. Returns false if the file has no code at the offset. */
bool segments_bias(const struct segments *s, uint64_t address, uint64_t offset,
	uint64_t *bias);

#endif
