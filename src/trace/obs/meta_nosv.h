/* SPDX-License-Identifier: MIT */
/*
 * meta_nosv.h - the keys that nOS-V adds to stream.json, under "nosv".
 *
 *	"nosv": { "can_breakdown": true,
 *	          "hwc": { "0": { "name": "PAPI_TOT_INS" }, ... } }
 *
 * A model that a user defines may have counters, too, below its own name. Both
 * keys are optional, and have a meaning only if the model is on. A malformed
 * value is kept and reported when the model is turned on.
 */
#ifndef WEFT_TRACE_OBS_META_NOSV_H
#define WEFT_TRACE_OBS_META_NOSV_H

struct json_object;
struct trace;

/* Reads both keys for a thread. file: path of the metadata, borrowed. */
void obs_meta_nosv(
	struct trace *t, struct json_object *doc, const char *file, int thread);

#endif
