/* SPDX-License-Identifier: MIT */
/* meta.h - stream.json: which thread wrote a stream of an ovni trace. */
#ifndef WEFT_TRACE_OBS_META_H
#define WEFT_TRACE_OBS_META_H

#include <stdbool.h>

struct arena;
struct json_object;
struct trace;

/*
 * Reads a stream.json into the tables: node, process, CPUs, thread (with the
 * given stream), requires, marks. Violated rules become findings with file and
 * key. Returns the index of the thread, or TRACE_NONE when the file names no
 * thread: then the events belong to no thread. *lib receives version and commit
 * of the library, or NULL.
 *
 * If the file is missing or not JSON, adds a finding and takes the thread from
 * the names of the directories, loom.X/proc.PID/thread.TID.
 */
int obs_meta_read(struct trace *t, struct arena *scratch, const char *file,
	int stream, const char **lib);

/* Does the same with a document that was parsed already; `file` is for
 * messages. Nothing is taken from the names of directories. */
int obs_meta_take(struct trace *t, struct json_object *doc, const char *file,
	int stream, const char **lib);

/* Returns true if the directory of the file is named after a thread. */
bool obs_meta_has_name(struct arena *scratch, const char *file);

#endif
