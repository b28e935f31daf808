/* SPDX-License-Identifier: MIT */
/*
 * infile.h - reads a file from begin to end through a window, and decompresses
 * it if it is a gzip or zstd file.
 *
 *	while (infile_fill(&f))
 *		f.at += use(f.at, f.end);
 *
 * Memory is the window, and what the decompressor needs: at most 32 MiB.
 */
#ifndef WEFT_EXPORT_INFILE_H
#define WEFT_EXPORT_INFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct infile_unpack;

struct infile {
	const char *at, *end; /* bytes that were read and not yet used; one
	                       * byte behind them may be written */
	char *buf;            /* owned */
	size_t cap;           /* bytes of the window, without that byte */
	int fd;
	uint64_t size;                /* bytes of the file; 0: not known */
	uint64_t done;                /* bytes read from the file */
	uint64_t offset;              /* bytes of content before `buf` */
	struct infile_unpack *unpack; /* owned; NULL: not compressed */
	bool is_over;                 /* no more bytes will come */
	const char *trouble; /* why the content ends early: the compressed
	                      * file is cut or damaged, or reading failed;
	                      * NULL: it does not */
};

/* Opens the file with a window of cap bytes. Returns false with err, which does
 * not name the file, if it cannot be read or decompressed. */
bool infile_open(
	struct infile *f, const char *path, size_t cap, struct err *err);

/* Moves the unused bytes to the begin of the window and reads more behind them.
 * Returns false if no byte was added: the window is full, or the content is
 * over. */
bool infile_fill(struct infile *f);

/* Doubles the window. */
void infile_grow(struct infile *f);

/* Starts again. Returns false if the file cannot be read twice (a pipe). */
bool infile_rewind(struct infile *f);

void infile_close(struct infile *f);

#endif
