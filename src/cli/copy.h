/* SPDX-License-Identifier: MIT */
/*
 * copy.h - a trace that is written anew beside the one that was given.
 *
 * Commands never change their input. What they write goes into a folder that
 * is new or empty, with the same files at the same relative paths.
 */
#ifndef WEFT_CLI_COPY_H
#define WEFT_CLI_COPY_H

#include <stdbool.h>

#include "base/err.h"

struct arena;

/* The folder of a trace that is named by its folder, or by a stream.* or the
 * metadata in it. */
const char *copy_root(struct arena *a, const char *trace);

/* True if it is a node, process or thread of a larger trace, by its name: what
 * lies beside it lies in that one. */
bool copy_is_part(struct arena *a, const char *trace);

/* The folder beside the trace, or here if that one cannot be written to:
 * "TRACE" and the suffix. */
const char *copy_folder(struct arena *a, const char *trace, const char *suffix);

/* The same, but always beside the trace. */
const char *copy_beside(struct arena *a, const char *trace, const char *suffix);

/* Makes the folder. False with err if it has something in it, or lies in the
 * trace. */
bool copy_begin(const char *trace, const char *folder, struct err *err);

/* Copies one regular file, making the folders above it. */
bool copy_file(
	struct arena *a, const char *from, const char *to, struct err *err);

/* Makes the folders above a file. */
bool copy_parents(struct arena *a, const char *path, struct err *err);

/* Removes a file of an unfinished copy, and the folders that are then empty,
 * but not the copy's own. */
void copy_undo(struct arena *a, const char *folder, const char *relative);

#endif
