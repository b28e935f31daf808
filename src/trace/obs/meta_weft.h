/* SPDX-License-Identifier: MIT */
/*
 * meta_weft.h - what our own recorder adds to stream.json, under "weft".
 *
 *	"weft": { "ring": { "kind": "tmpfs", "id": "0123...", "file": "/..." },
 *	          "lost": [ [from, to, count], ... ],
 *	          "sampled": 100 }
 *
 * All keys are optional: keys that are missing or malformed are ignored.
 */
#ifndef WEFT_TRACE_OBS_META_WEFT_H
#define WEFT_TRACE_OBS_META_WEFT_H

#include <stdbool.h>
#include <stdint.h>

struct json_object;
struct trace;

/*
 * Reads the ring and the losses of the thread's stream, and adds notes about
 * missing events. file: path of the metadata. Returns true if the thread still
 * runs.
 */
bool obs_meta_weft(
	struct trace *t, struct json_object *doc, const char *file, int thread);

/* Warns about lost events. start: the clock of the first event, from which
 * reported times count. */
void obs_meta_report_lost(const struct trace *t, int stream, int64_t start);

#endif
