/* SPDX-License-Identifier: MIT */
/*
 * drain.h - the thread that turns what was noted into files.
 *
 * Fifty times a second it takes the samples out of the rings, looks up what
 * they touched, counts what was freed, and appends to the files. It runs with
 * all signals blocked, a table of descriptors of its own, and its memory is not
 * the program's. Where it cannot be made, nothing is recorded.
 */
#ifndef WEFT_INPROC_MEM_DRAIN_H
#define WEFT_INPROC_MEM_DRAIN_H

#include <stdbool.h>

/* Makes the thread, which samples once the process has used a millisecond: most
 * programs that scripts start have ended then. */
void drain_start(void);

/* Waits until it samples: before the first thread, which would have no events
 * else. */
void drain_sample_now(void);

/* One last round, and the end mark if the program ends in order. Waits for the
 * thread, but not for long. In handlers, too. */
void drain_finish(void);

/* Around dlclose: samples of what is to go are looked up before, and none of
 * it is touched during. */
void drain_before_unload(void);
void drain_after_unload(void);

/* Around fork: the thread is between two rounds. */
void drain_hold(void);
void drain_let_go(void);
void drain_forked(void);

#endif
