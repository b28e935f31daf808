/* SPDX-License-Identifier: MIT */
/*
 * repair_meta.h - stream.json with what its writer did not live to say.
 */
#ifndef WEFT_TRACE_OBS_REPAIR_META_H
#define WEFT_TRACE_OBS_REPAIR_META_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct arena;
struct findings;
struct repair_model;
struct stream;
struct trace_cpu;

enum repair_cpus {
	CPUS_KEEP,    /* as they are */
	CPUS_REMOVE,  /* another stream of the node lists them */
	CPUS_REPLACE, /* by cpu[0..ncpus-1] */
};

#define REPAIR_MARKS 100 /* types 0..99 */

/* What one stream's metadata must say in the end. */
struct repair_meta {
	const struct stream *stream; /* whose metadata is read */
	const char *loom; /* of a stream without metadata, as the next */
	int64_t pid, tid;
	const struct repair_model *model; /* borrowed */
	int nmodels;
	uint32_t used;   /* bit i: model i has events here */
	uint32_t orphan; /* bit i: no thread requires model i */
	enum repair_cpus cpus;
	const struct trace_cpu *cpu;
	int ncpus;
	int64_t app_id; /* to be said; 0: it is, or another thread does */
	/* 0, or how an undeclared mark type is used: 1 single, 2 stack */
	const uint8_t *mark;
	struct findings *done;
};

/* Writes the completed copy. False with err when it cannot be written. */
bool repair_meta(struct arena *a, const struct repair_meta *m, const char *to,
	struct err *err);

#endif
