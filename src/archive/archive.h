/* SPDX-License-Identifier: MIT */
/*
 * archive.h - traces in archives: unpacks a tar or zip file, also compressed,
 * into a temporary directory that is removed when the process ends, however it
 * ends.
 *
 *	path = archive_open(&arena, "fib.tar.zst", &options, &err);
 *	... (path is the trace in it; or the name itself, if it is no archive)
 *
 * Only regular files and directories are unpacked; entries whose names lead
 * outside are left out and counted. An archive that grows beyond its limits is
 * refused.
 */
#ifndef WEFT_ARCHIVE_ARCHIVE_H
#define WEFT_ARCHIVE_ARCHIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "archive/limit.h"
#include "base/err.h"

struct arena;

/* A file of an archive that describes it, and is no part of the trace. */
#define ARCHIVE_ABOUT "weft-pack.json"

struct archive_options {
	int64_t max_bytes; /* most bytes to unpack; 0: the default, 64 GiB */
	/* Prints a warning: entries that were left out, a cut archive. */
	void (*warning)(const char *text);
};

/* Returns how much a file may unpack into the directory: max (0: the default),
 * but not much more than files of traces do, nor more than half of the room
 * there. */
struct archive_limit archive_limit(
	const char *path, const char *dir, int64_t max);

/* Returns true if the name is that of an archive, or of a path in one
 * ("x.tar:path/in/it"). Reads as little as possible. */
bool archive_is(struct arena *a, const char *name);

/* Returns the path of the archive in such a name: "x.tar" for
 * "x.tar:path/in/it". */
const char *archive_file(struct arena *a, const char *name);

/*
 * Unpacks an archive and returns the path of the trace in it: the part after
 * ":" of "x.tar.zst:path/in/it" (then *named is true), else the only file, or
 * the directory that holds all that was unpacked. *top is the directory of all,
 * which messages show by the name of the archive (base/alias.h). Returns NULL
 * with err.
 */
const char *archive_open(struct arena *a, const char *name,
	const struct archive_options *options, const char **top, bool *named,
	struct err *err);

/* Returns true if the file begins as one that xz or bzip2 wrote. */
bool archive_is_squeezed(const char *path);

/* Decompresses such a file into `to`. Returns false with err. */
bool archive_inflate(const char *path, const char *to,
	struct archive_limit most, const struct archive_options *options,
	struct err *err);

#endif
