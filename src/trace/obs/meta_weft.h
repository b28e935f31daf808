/* SPDX-License-Identifier: MIT */
/*
 * meta_weft.h - what our own recorder adds to stream.json, under "weft".
 *
 *	"weft": { "ring": { "kind": "tmpfs", "id": "0123...", "file": "/..." },
 *	          "lost": [ [from, to, count], ... ],
 *	          "sampled": 100 }
 *
 * Nothing of it is needed: a trace without it, or with something else there,
 * is as good.
 */
#ifndef WEFT_TRACE_OBS_META_WEFT_H
#define WEFT_TRACE_OBS_META_WEFT_H

#include <stdbool.h>
#include <stdint.h>

struct json_object;
struct trace;

/*
 * Fills in the ring and the losses of the thread's stream, with notes about
 * what is missing. file: of the metadata. True if the thread still runs.
 */
bool obs_meta_weft(
	struct trace *t, struct json_object *doc, const char *file, int thread);

/* Warns of what was lost; start: the time of the first event, so that times
 * are as elsewhere. */
void obs_meta_report_lost(const struct trace *t, int stream, int64_t start);

#endif
