/* SPDX-License-Identifier: MIT */
/*
 * repair_scan.h - the state of a repair, and its first walk, stream by stream:
 * which models, CPUs, marks, types and moves there are at all.
 */
#ifndef WEFT_TRACE_OBS_REPAIR_SCAN_H
#define WEFT_TRACE_OBS_REPAIR_SCAN_H

#include "base/map.h"
#include "trace/obs/repair_meta.h"
#include "trace/obs/repair_out.h"
#include "trace/obs/repair_result.h"
#include "trace/obs/stream.h"
#include "trace/trace.h"

enum repair_state {
	STATE_UNKNOWN,
	STATE_RUNNING,
	STATE_PAUSED,
	STATE_DEAD,
	STATE_COOLING,
	STATE_WARMING,
};

/* A stream, and the thread that wrote it. */
struct repair_thread {
	struct obs_stream in;
	const struct stream *stream;
	int node, process; /* TRACE_NONE: nobody's, left out */
	int32_t tid;
	struct edits edits;

	/* From the scan. */
	uint64_t events;
	int64_t first; /* time */
	uint64_t lost_bytes, backwards;
	uint32_t used;              /* models, as bits */
	uint8_t mark[REPAIR_MARKS]; /* 1 set, 2 pushed or popped */

	/* In the walk. */
	enum repair_state state;
	int64_t cpu;    /* index; -1: virtual, or none */
	int64_t placed; /* when that was said */
	bool ended;     /* no more events */
	int nflushes;   /* that have begun, and not ended */
	uint64_t evicted, dropped, tasks;
};

struct repair_node {
	int64_t top_cpu;    /* highest index that an event names, or -1 */
	struct map threads; /* tid -> thread + 1 */
	struct map running; /* CPU -> thread + 1 */
};

struct repair_process {
	struct map threads; /* tid -> thread + 1 */
	struct map types, tasks;
	uint32_t top_type;
	uint32_t unknown[32]; /* made-up type of each model, or 0 */
};

struct repair {
	struct arena *arena;
	const struct trace *trace;
	const struct repair_options *options;
	struct findings quiet;         /* counts what the reader says */
	struct repair_thread *threads; /* as trace.streams */
	struct repair_node *nodes;
	struct repair_process *processes;
	int64_t first; /* time of the first event of all */
	size_t window;
	bool keep_open;
	int nedits;
	bool lacks_tables; /* events tell of CPUs, models and marks */
	/* In the walk: as the emulator, which infers nothing in a whole trace.
	 */
	bool incomplete; /* events are missing: those that are not there made
	                  * tasks */
	bool any_cut;    /* ... or moved threads */
};

/* The letters of an event: REPAIR_KEY('O', 'H', 'x'). */
#define REPAIR_KEY(a, b, c) ((uint32_t)((a) | (b) << 8 | (c) << 16))

static inline uint32_t
repair_key(const struct obs_stream *s)
{
	return s->key & 0xffffff;
}

/* The 32 bits at a place of the payload, which is long enough. */
uint32_t repair_u32(const struct obs_stream *s, uint32_t at);

/* Index of the model whose event this is, or -1. */
int repair_model_of(const struct repair *r, const struct obs_stream *s);

/* The thread that an OAr of this one moves, or NULL. */
struct repair_thread *repair_target(
	struct repair *r, struct repair_thread *th, int32_t tid);

/* Opens the input of a thread at its begin. */
bool repair_open(struct repair *r, struct repair_thread *th);

/* Fills in the threads, nodes and processes. */
void repair_scan(struct repair *r);

/* Frees what the maps own. */
void repair_scan_fini(struct repair *r);

#endif
