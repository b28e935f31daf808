/* SPDX-License-Identifier: MIT */
/*
 * watch.h - where the threads of a program run, written as an ovni trace.
 *
 * Somebody sees threads run and stop (watch_perf.c: every switch, told by the
 * kernel; watch_proc.c: by looking at /proc now and then) and says so here, in
 * order of time. A stream for each thread has OHx, OHp, OHr and OHe; a thread
 * that goes on elsewhere warms up (OHw) and moves (OAs) before it runs, so that
 * it is never seen to run on a CPU that is another's by now.
 */
#ifndef WEFT_CLI_RUN_WATCH_H
#define WEFT_CLI_RUN_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/map.h"
#include "base/vec.h"

#define WATCH_LOST_MAX 64 /* intervals kept; the last is widened */

enum watch_state { WATCH_DEAD, WATCH_RUNS, WATCH_STOPPED };

struct watch_lost {
	int64_t from, to; /* ns */
	uint64_t count;
};

struct watch_thread {
	int32_t pid, tid, cpu;
	enum watch_state state;
	int64_t last;  /* time of its last event */
	uint8_t *buf;  /* owned */
	size_t n, cap; /* bytes not yet in the file */
	bool has_file;
	struct watch_lost cut; /* by the limit */
};

struct watch_cpu {
	int32_t on;   /* the thread that runs there, or did last, + 1 */
	int64_t free; /* ... and when it stopped, ns */
};

struct watch {
	struct arena arena;
	const char *folder; /* of the trace */
	const char *loom;
	int64_t hz; /* 0: every switch; else so often looked at */
	int ncpus;
	struct watch_cpu *cpu;
	uint64_t events, lost;
	uint64_t room; /* bytes of events left by the limit */
	uint64_t cut;  /* events that the limit refused */
	VEC(struct watch_lost) gaps;
	struct watch_lost unseen; /* by the limit, of threads without events */
	struct map index;         /* pid and tid -> thread + 1 */
	VEC(struct watch_thread) threads;
	struct err err; /* the first failure; then nothing more is written */
};

/* max: bytes of events, but for ends of threads: what comes then is counted as
 * lost; 0: all are recorded. */
void watch_init(struct watch *w, const char *folder, int64_t hz, uint64_t max);

/* The thread runs on the CPU from that time on. */
void watch_runs(
	struct watch *w, int32_t pid, int32_t tid, int32_t cpu, int64_t time);

/* It does not; nothing of a thread that was never seen. */
void watch_stops(struct watch *w, int32_t pid, int32_t tid, int64_t time);
void watch_ends(struct watch *w, int32_t pid, int32_t tid, int64_t time);

/* So many switches between two times were not seen. */
void watch_lost(struct watch *w, int64_t from, int64_t to, uint64_t count);

/* Does it run there, as far as was said? */
bool watch_is_on(const struct watch *w, int32_t pid, int32_t tid, int32_t cpu);

/* All that are left end; the streams and their metadata are written. False
 * with err if they could not be. */
bool watch_close(struct watch *w, int64_t time, struct err *err);

void watch_fini(struct watch *w);

/* CLOCK_MONOTONIC, ns. */
int64_t watch_now(void);

#endif
