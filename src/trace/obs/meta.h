/* SPDX-License-Identifier: MIT */
/*
 * meta.h - stream.json: who wrote a stream of an ovni trace.
 */
#ifndef WEFT_TRACE_OBS_META_H
#define WEFT_TRACE_OBS_META_H

#include <stdbool.h>

struct arena;
struct trace;

/*
 * Reads one stream.json into the tables: node, process, CPUs, thread (with
 * the given stream), requires, marks. What breaks a rule is a finding with
 * file and key. Returns the index of the thread, or TRACE_NONE when the file
 * does not say which thread this is: its events belong to nobody then.
 * *lib receives version and commit of the library, or NULL.
 *
 * A file that is missing or no JSON is a finding, too; the thread is then the
 * one that the folder is called after, loom.X/proc.PID/thread.TID.
 */
int obs_meta_read(struct trace *t, struct arena *scratch, const char *file,
	int stream, const char **lib);

/* True if the folder of the file is called after a thread. */
bool obs_meta_has_name(struct arena *scratch, const char *file);

#endif
