/* SPDX-License-Identifier: MIT */
/*
 * piece.h - compresses one piece to a gzip member or a zstd frame.
 */
#ifndef WEFT_EXPORT_PIECE_H
#define WEFT_EXPORT_PIECE_H

#include <stdbool.h>
#include <stddef.h>

enum compress_kind { COMPRESS_NONE, COMPRESS_GZIP, COMPRESS_ZSTD };

struct piece_packer;

/* Returns true if this build has the library. */
bool piece_can(enum compress_kind kind);

/* Opens a compressor for one thread. Level 0 means 1. */
struct piece_packer *piece_open(enum compress_kind kind, int level);
void piece_close(struct piece_packer *p);

/* Returns the most bytes that n bytes become. */
size_t piece_bound(size_t n);

/* Compresses n bytes. Returns the number of bytes at `to`; 0: the library
 * failed. */
size_t piece_pack(struct piece_packer *p, char *to, size_t room,
	const char *from, size_t n);

/* Writes n bytes without compressing them, as compress_stored(). */
size_t piece_stored(
	enum compress_kind kind, char *to, const char *from, size_t n);

#endif
