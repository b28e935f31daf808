/* SPDX-License-Identifier: MIT */
/*
 * meta_clocks.h - what our recorder says in stream.json about the machine and
 * its clocks: "weft.boot", "weft.clocks", "weft.suspended".
 *
 * None of it is needed: what is missing or of another form is left out.
 */
#ifndef WEFT_TRACE_OBS_META_CLOCKS_H
#define WEFT_TRACE_OBS_META_CLOCKS_H

#include <stdint.h>

struct json_object;
struct trace;

/* weft: the object of that name. process: an index. */
void obs_meta_clocks(struct trace *t, struct json_object *weft, int process);

/* The list of weft.suspended; shift is added to its clocks. */
void obs_meta_suspended(
	struct trace *t, struct json_object *list, int process, int64_t shift);

#endif
