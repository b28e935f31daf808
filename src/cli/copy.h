/* SPDX-License-Identifier: MIT */
/*
 * copy.h - writes a copy of a trace beside the trace.
 *
 * Commands never change their input. They write into a directory that is new or
 * empty, with the same files at the same relative paths.
 */
#ifndef WEFT_CLI_COPY_H
#define WEFT_CLI_COPY_H

#include <stdbool.h>

#include "base/err.h"

struct arena;

/* Returns the directory of a trace. `trace` is that directory, or a stream.* or
 * the metadata in it. */
const char *copy_root(struct arena *a, const char *trace);

/* Returns the directory whose files are the trace: X.weft/ovni for X.weft,
 * which `weft run` made; otherwise the path itself. */
const char *copy_inputs(struct arena *a, const char *trace);

/* Returns a name of the trace for people: "fib" for fib.weft/ovni and
 * fib.weft/, since `weft run` calls each trace ovni. */
const char *copy_title(struct arena *a, const char *trace);

/* Returns true if, by its name, the trace is a node, process or thread of a
 * larger trace: files beside it are in the larger trace. */
bool copy_is_part(struct arena *a, const char *trace);

/* Returns the trace's path with the suffix, or, if the directory that contains
 * the trace is not writable, the same name in the current directory. */
const char *copy_folder(struct arena *a, const char *trace, const char *suffix);

/* Returns the trace's path with the suffix. */
const char *copy_beside(struct arena *a, const char *trace, const char *suffix);

/* Returns true if the path, or the part of it that exists, lies in the
 * directory. */
bool copy_lies_in(const char *path, const char *folder);

/* Creates the directory. Returns false and sets err if it is not empty or lies
 * in the trace. */
bool copy_begin(const char *trace, const char *folder, struct err *err);

/* Copies a regular file and creates the directories above the copy. */
bool copy_file(
	struct arena *a, const char *from, const char *to, struct err *err);

/* Creates the directories above a file. */
bool copy_parents(struct arena *a, const char *path, struct err *err);

/* Removes a file of an unfinished copy and the directories that become empty,
 * except the copy's own directory. */
void copy_undo(struct arena *a, const char *folder, const char *relative);

#endif
