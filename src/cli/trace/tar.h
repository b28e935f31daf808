/* SPDX-License-Identifier: MIT */
/*
 * tar.h - writes a tar file in the pax format (POSIX.1-2001): the same files
 * give the same bytes.
 */
#ifndef WEFT_CLI_TRACE_TAR_H
#define WEFT_CLI_TRACE_TAR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct outfile;

/* Appends the head of a regular file of `size` bytes, which the caller writes
 * next, followed by tar_pad(). mtime: seconds since 1970. */
void tar_file(
	struct outfile *f, const char *name, uint64_t size, int64_t mtime);

/* Fills the last block of a file of `size` bytes. */
void tar_pad(struct outfile *f, uint64_t size);

/* Ends the archive. */
void tar_end(struct outfile *f);

#endif
