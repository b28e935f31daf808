/* SPDX-License-Identifier: MIT */
/*
 * salvage.h - a trace made independent of the rings that a death left behind.
 *
 * What a ring holds goes where it belongs, to the end of stream.obs; losses go
 * to stream.json, and the ring is removed. Whose process still runs is left
 * alone. This is for the recorder's own folder: a reader never writes.
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

/* See source_ops.salvage. */
bool obs_salvage(
	const struct trace *t, struct salvage *result, struct err *err);

/* Removes the process's rings in the folder that have no owner: a killed one
 * leaves its spare ones. Nothing of one that still runs. */
void obs_salvage_spares(struct arena *a, const char *folder, int pid);

/* Metadata that names no ring any more, and what was lost. */
void obs_salvage_meta(struct json_object *doc, const struct stream *s);

#endif
