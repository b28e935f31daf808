/* SPDX-License-Identifier: MIT */
/*
 * meta_nosv.h - what nOS-V adds to stream.json, under "nosv".
 *
 *	"nosv": { "can_breakdown": true,
 *	          "hwc": { "0": { "name": "PAPI_TOT_INS" }, ... } }
 *
 * Both are optional, and mean something only if the model nosv is on: what is
 * wrong is kept, and reported then.
 */
#ifndef WEFT_TRACE_OBS_META_NOSV_H
#define WEFT_TRACE_OBS_META_NOSV_H

struct json_object;
struct trace;

/* Reads both for a thread. file: path of the metadata, borrowed. */
void obs_meta_nosv(
	struct trace *t, struct json_object *doc, const char *file, int thread);

#endif
