/* SPDX-License-Identifier: MIT */
/*
 * meta_clocks.h - reads what our recorder writes to stream.json about the
 * machine and its clocks: "weft.boot", "weft.clocks", "weft.suspended". All of
 * these keys are optional: keys that are missing or malformed are ignored.
 */
#ifndef WEFT_TRACE_OBS_META_CLOCKS_H
#define WEFT_TRACE_OBS_META_CLOCKS_H

#include <stdint.h>

struct json_object;
struct trace;

/* Reads the object "weft" of the metadata. process: an index. */
void obs_meta_clocks(struct trace *t, struct json_object *weft, int process);

/* Reads the list weft.suspended; adds `shift` to its clocks. */
void obs_meta_suspended(
	struct trace *t, struct json_object *list, int process, int64_t shift);

#endif
