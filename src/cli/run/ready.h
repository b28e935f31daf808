/* SPDX-License-Identifier: MIT */
/*
 * ready.h - samples how long each thread of a program ran, and how long it was
 * ready to run but had no CPU (proc_tree.h).
 *
 * Every user may read this of his own processes, also where context switches
 * are not reported.
 */
#ifndef WEFT_CLI_RUN_READY_H
#define WEFT_CLI_RUN_READY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"

/* The times of a thread from its begin until a sample, ns. */
struct ready_sample {
	int64_t time;
	uint64_t ran, waited;
};

/* A time in which a thread was seen to be stopped: from the first sample that
 * saw it to the last one. */
struct ready_stop {
	int64_t first, last;
};

enum { READY_NAME = 16 };

struct ready_thread {
	uint64_t key; /* ready_key() */
	int32_t pid, tid;
	char name[READY_NAME];
	int fd; /* of its file; -1: opened for each sample */
	struct ready_sample *sample; /* those that differ from the one before */
	int n, cap;
	int64_t looked; /* time of the last sample, also of an equal one */
	bool is_still;  /* it did not run between the last two samples */
	bool is_stopped;
	VEC(struct ready_stop) stop;
	uint32_t seen; /* the round that found it */
};

struct ready {
	struct arena arena;
	struct map index; /* ready_key() -> index + 1 */
	VEC(struct ready_thread) threads;
	VEC(int) processes;
	int64_t total; /* samples */
	uint32_t round;
	int nfds, step;        /* each step-th round takes samples */
	int least_ms, wait_ms; /* pause between rounds: at least; now */
	bool may_grow;
	int64_t begin;
};

/* Returns the key of a thread; directories of a trace may have a multiple of
 * 2^22 added to the pid. */
static inline uint64_t
ready_key(uint64_t pid, uint64_t tid)
{
	return (pid & ((1u << 22) - 1)) << 32 | tid;
}

/* least_ms: the pause between two samples of a program whose threads run;
 * may_grow: it gets longer while the program runs, because each sample takes a
 * CPU from the program. */
void ready_open(struct ready *r, int pid, int least_ms, bool may_grow);

/* Samples the process and its descendants. Returns for how many ms to wait
 * before the next sample, so that sampling takes a few per cent of a CPU. */
int ready_look(struct ready *r);

/* Returns the thread, or NULL if it has no sample. */
const struct ready_thread *ready_find(const struct ready *r, uint64_t key);

/* Adds a sample at the end of each thread that did not run when it was last
 * looked at: it was ready since then, unless it recorded a wait. Call before
 * ready_find() if nothing else tells when threads were ready. */
void ready_finish(struct ready *r);

/* Returns true if the thread, or NULL, was seen to be stopped between two
 * times.
 */
bool ready_was_stopped(const struct ready_thread *th, int64_t from, int64_t to);

void ready_close(struct ready *r);

#endif
