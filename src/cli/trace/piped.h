/* SPDX-License-Identifier: MIT */
/* piped.h - standard input, and compressed files, as the input of a command. */
#ifndef WEFT_CLI_TRACE_PIPED_H
#define WEFT_CLI_TRACE_PIPED_H

#include <stdint.h>

struct arena;

/*
 * Copies standard input into a file below TMPDIR that is removed when the
 * process ends, because most readers go back and forth. Returns its path;
 * NULL after printing an error. Text that is no Paraver trace gets a name that
 * ends in .tt, as a trace by hand needs.
 */
const char *piped_open(struct arena *a);

/*
 * Decompresses a gzip, zstd, xz or bzip2 file in the same way, and returns the
 * path of what was in it, with the name of the file less its extension. Returns
 * `path` if the file is not such a file, or holds records that their readers
 * decompress on their way; NULL after printing an error. max_bytes: as in
 * archive.h.
 */
const char *piped_inflate(struct arena *a, const char *path, int64_t max_bytes);

#endif
