/* SPDX-License-Identifier: MIT */
/*
 * compress.h - compresses an output file on several threads.
 *
 * Pieces of 1 MiB become gzip members or zstd frames of their own, which both
 * formats allow to follow one another: gzip, zcat and zstd read the file as
 * one. So the bytes of the file depend on the level, but not on the number of
 * threads.
 */
#ifndef WEFT_EXPORT_COMPRESS_H
#define WEFT_EXPORT_COMPRESS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "export/piece.h"

struct arena;
struct outfile;

#define COMPRESS_KINDS "none,gzip,zstd" /* words of the kinds, in order */
#define COMPRESS_PIECE (1u << 20)       /* bytes of a piece */
#define COMPRESS_JOBS 64                /* most threads */

struct compress_options {
	enum compress_kind kind;
	int level; /* 1 to 9 (zstd: 19); 0: 1, which is fast */
	int jobs;  /* threads; 0 and 1: the caller's own */
};

/* Returns the kind that the end of a file's name asks for. */
enum compress_kind compress_of_name(const char *path);

/* Returns the end of names: ".gz", ".zst", "". */
const char *compress_extension(enum compress_kind kind);

/* Returns false with err if this build cannot compress so, or has no such
 * level. */
bool compress_check(const struct compress_options *o, struct err *err);

/* Compresses all that is written to the file from now on. Its buffer should
 * hold COMPRESS_PIECE bytes. */
void compress_begin(
	struct outfile *f, struct arena *a, const struct compress_options *o);

/* The most bytes that a stored piece has around its bytes, and the most bytes
 * of such a piece. */
#define COMPRESS_STORED 64
#define COMPRESS_STORED_MAX 65000

/*
 * Writes n bytes as a piece that is not compressed, so that a later call may
 * replace them by as many other bytes. Returns the number of bytes at `to`,
 * which depends on n only; n <= COMPRESS_STORED_MAX; `to` has room for
 * COMPRESS_STORED bytes more.
 */
size_t compress_stored(
	enum compress_kind kind, char *to, const char *from, size_t n);

#endif
