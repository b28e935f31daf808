/* SPDX-License-Identifier: MIT */
/*
 * salvage.h - moves the contents of rings, which killed processes left, into
 * the trace.
 *
 * The bytes of a ring are appended to stream.obs, its losses are added to
 * stream.json, and the ring is removed. Rings of processes that still run are
 * left alone. This is for the recorder's own directory: a reader never writes.
 */
#ifndef WEFT_TRACE_OBS_SALVAGE_H
#define WEFT_TRACE_OBS_SALVAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct arena;
struct json_object;
struct salvage;
struct stream;
struct trace;

/* Does what source_ops.salvage requires. */
bool obs_salvage(
	const struct trace *t, struct salvage *result, struct err *err);

/* Removes the spare rings that a killed process left in the directory. Rings of
 * a process that still runs stay. */
void obs_salvage_spares(struct arena *a, const char *folder, int pid);

/* Removes the ring from the metadata, and adds the losses. */
void obs_salvage_meta(struct json_object *doc, const struct stream *s);

#endif
