/* SPDX-License-Identifier: MIT */
/*
 * changes.h - what the kernel did with a thread, as changes in order of time:
 * it runs, is ready to run, or is blocked.
 *
 * The base is either a stream of context switches (watch.h), or the thread's
 * own waits, in which it is blocked. The first tells when another thread of the
 * program woke a thread, if the kernel permits that. Else both do not tell when
 * a thread that was blocked could go on, but had to wait for a CPU; the second
 * does not tell either when it lost its CPU. Samples of the kernel's sums
 * (ready.h) tell how long that was between two samples, and the times are
 * placed there: at the ends of blocked times, and in times in which the thread
 * ran less than it should have.
 */
#ifndef WEFT_CLI_RUN_CHANGES_H
#define WEFT_CLI_RUN_CHANGES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"
#include "cli/run/raw.h"
#include "export/wait_values.h"

struct ready_thread;

struct change {
	int64_t time;
	enum reason reason; /* never REASON_DISK and REASON_STOPPED: these are
	                     * REASON_BLOCKED */
	int32_t waker;      /* of REASON_WOKEN: the thread that did it; 0: not
	                     * known */
};

struct changes {
	struct raw raw;
	bool is_own;           /* `raw` is the thread's own stream */
	struct change life[2]; /* begin and end of a thread without a stream */
	int lived;             /* how many of them were read */
	int depth;             /* open waits */
	const struct ready_thread *ready; /* or NULL */
	int sample;                       /* the next one */
	int64_t begin;                    /* end of the last interval */
	uint64_t ran, waited;             /* sums of the sample there */
	int64_t owed; /* in which it did not run, nobody knows why yet, ns */
	struct change now;   /* the last change of the base before it */
	struct change ahead; /* the first one behind it */
	bool has_ahead;
	struct arena arena;
	VEC(struct change) base, list; /* of the interval */
	int at;                        /* in `list` */
};

/* Begins to read the changes of the thread whose stream lies in the folder.
 * ready: its samples, or NULL; borrowed. Returns false if there is no stream.
 */
bool changes_open(struct changes *c, const char *folder, bool is_own,
	const struct ready_thread *ready);

/* Notes that the thread was made at a time before its first change: since then
 * it was ready. Call before the first changes_peek(). */
void changes_begin(struct changes *c, int64_t made);

/* Begins to read the changes of a thread without a stream, which seems to run
 * from its begin to its end. */
void changes_between(struct changes *c, int64_t begin, int64_t end,
	const struct ready_thread *ready);

/* Returns the next change without taking it, or NULL. */
const struct change *changes_peek(struct changes *c);

/* Takes the change that changes_peek() returned. */
void changes_take(struct changes *c);

void changes_close(struct changes *c);

#endif
