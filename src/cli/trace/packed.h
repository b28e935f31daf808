/* SPDX-License-Identifier: MIT */
/*
 * packed.h - archives that weft pack wrote: the files of a trace with their
 * hashes, and the trace as the input of a command.
 */
#ifndef WEFT_CLI_TRACE_PACKED_H
#define WEFT_CLI_TRACE_PACKED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "cli/cmd.h"

struct arena;
struct err;
struct findings;

/* A file of a trace. */
struct packed_file {
	const char *path, *name; /* name: in the archive */
	uint64_t bytes, hash;    /* XXH64 */
	int64_t mtime;           /* seconds since 1970 */
};

struct packed_files {
	VEC(struct packed_file) list; /* by name */
	uint64_t bytes;
};

/* Lists the regular files of a directory, or the file itself, and computes
 * their hashes. `top` becomes the first directory of their names. Returns false
 * with err. */
bool packed_list(struct arena *a, const char *path, const char *top,
	struct packed_files *to, struct err *err);

/*
 * Returns the path to read: unpacks archives and compressed files, also in each
 * other, and adds a finding for each file that differs from what was packed. In
 * an archive without a directory of a trace, the trace is the only file that a
 * reader knows. Returns NULL after printing an error; then *several is true if
 * the archive has several traces. max_bytes: as in archive.h.
 *
 * The files, and the returned text, stay until the process ends, so the same
 * archive is unpacked and compared once. One thread at a time may call this.
 */
const char *packed_path(struct arena *a, const char *path, int64_t max_bytes,
	struct findings *fs, bool *several);

/* Does the same for commands that have no list of findings: prints them. On
 * failure sets the exit code. */
const char *packed_input(
	struct arena *a, const char *path, enum exit_code *code);

#endif
