/* SPDX-License-Identifier: MIT */
/*
 * watch.h - records as an ovni trace where the threads of a program run.
 *
 * A source observes threads (watch_perf.c: every context switch, reported by
 * the kernel; watch_proc.c: samples of /proc) and calls these functions in time
 * order. Each thread has a stream of OHx, OHp, OHr and OHe. A thread that
 * resumes on another CPU first warms up (OHw) and moves (OAs), so it never
 * seems to run on a CPU that another thread has meanwhile.
 */
#ifndef WEFT_CLI_RUN_WATCH_H
#define WEFT_CLI_RUN_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/map.h"
#include "base/vec.h"
#include "cli/run/watch_clocks.h"

#define WATCH_LOST_MAX \
	64 /* intervals of losses that are kept; further ones \
	    * widen the last */

enum { WATCH_SNAPS = 2 }; /* at the begin and at the end */

enum watch_state { WATCH_DEAD, WATCH_RUNS, WATCH_STOPPED };

struct watch_lost {
	int64_t from, to; /* ns */
	uint64_t count;
};

struct watch_thread {
	int32_t pid, tid, cpu;
	enum watch_state state;
	int64_t last;  /* time of its last event, ns */
	uint8_t *buf;  /* owned */
	size_t n, cap; /* bytes not yet in the file */
	size_t held;   /* the part of `held` below */
	bool has_file;
	bool is_ours;          /* of a recorder: not written */
	struct watch_lost cut; /* events that the limit refused */
};

struct watch_cpu {
	int32_t on;   /* index + 1 of the thread that runs there or ran last */
	int64_t free; /* when that thread stopped, ns */
};

struct watch {
	struct arena arena;
	const char *folder; /* directory of the trace */
	const char *loom;
	int64_t hz; /* samples a second; 0: every context switch */
	int ncpus;
	struct watch_cpu *cpu;
	uint64_t events, lost;
	uint64_t room;     /* bytes of events left until the limit */
	uint64_t cut;      /* events that the limit refused */
	size_t hold, held; /* most bytes of buffers that wait in memory for
	                    * watch_close(), and those of threads without
	                    * file */
	bool has_file;     /* a thread has one */
	VEC(struct watch_lost) gaps;
	struct watch_lost unseen; /* refused events of threads without a
	                           * stream */
	struct map index;         /* (PID, TID) -> index in `threads` + 1 */
	struct map tids;          /* TID -> the last of them */
	bool has_wakes;           /* a stream has events of the model wait */
	VEC(struct watch_thread) threads;
	struct watch_snap snap[WATCH_SNAPS];
	struct err err; /* the first failure, after which nothing is written */
};

/* Initialises w. max: limit for the bytes of events, 0: no limit; later events
 * are counted as lost, but the ends of threads are written. */
void watch_init(struct watch *w, const char *folder, int64_t hz, uint64_t max);

/* Lets streams wait in memory until watch_close(), up to n bytes: a program may
 * have thousands of short threads, whose files take longer than they do. */
void watch_hold(struct watch *w, size_t n);

/* Moves the trace to another directory. Returns false if a file of it is
 * there. folder: borrowed. */
bool watch_place(struct watch *w, const char *folder);

/* Notes that the thread runs on the CPU from that time on. */
void watch_runs(
	struct watch *w, int32_t pid, int32_t tid, int32_t cpu, int64_t time);

/* Note that the thread stops running, or ends. Threads that were never seen are
 * ignored. */
void watch_stops(struct watch *w, int32_t pid, int32_t tid, int64_t time);

/* Like watch_stops(), of a thread that could go on: the kernel gave its CPU to
 * another one. */
void watch_preempted(struct watch *w, int32_t pid, int32_t tid, int64_t time);

/* Notes that a thread that has stopped was woken by another one, or by an
 * interrupt (waker 0). */
void watch_woken(struct watch *w, int32_t tid, int32_t waker, int64_t time);

/* Notes that the thread is one of a recorder, which is left out. */
void watch_is_ours(struct watch *w, int32_t pid, int32_t tid);

void watch_ends(struct watch *w, int32_t pid, int32_t tid, int64_t time);

/* Notes that a number of context switches between two times were not seen. */
void watch_lost(struct watch *w, int64_t from, int64_t to, uint64_t count);

/* Returns true if the thread runs on the CPU according to the notes so far. */
bool watch_is_on(const struct watch *w, int32_t pid, int32_t tid, int32_t cpu);

/* Ends all remaining threads and writes the streams and their metadata. Returns
 * false and sets err on failure. */
bool watch_close(struct watch *w, int64_t time, struct err *err);

void watch_fini(struct watch *w);

#endif
