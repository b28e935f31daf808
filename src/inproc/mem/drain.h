/* SPDX-License-Identifier: MIT */
/*
 * drain.h - the thread that writes samples and allocations to files.
 *
 * Fifty times a second it takes samples from the rings, looks up the memory
 * that they touched, counts freed blocks, and appends to the files. It blocks
 * all signals, and has its own table of descriptors and its own memory. If the
 * thread cannot be started, nothing is recorded.
 */
#ifndef WEFT_INPROC_MEM_DRAIN_H
#define WEFT_INPROC_MEM_DRAIN_H

#include <stdbool.h>

/* Starts the thread. It samples only once the process has used a millisecond of
 * CPU time: most programs that scripts start have ended by then. */
void drain_start(void);

/* Waits until the thread samples; called before the program's first thread,
 * which would otherwise have no events. */
void drain_sample_now(void);

/* Does a last round, with the end mark if the program ends regularly. Waits for
 * the thread, but not long. May be called in handlers. */
void drain_finish(void);

/* Returns true if the process has only the calling thread and this one. */
bool drain_is_alone(void);

/* Waits until the thread has ended, after drain_finish(). */
void drain_is_gone(void);

/* Called before dlclose in a thread that makes no system calls: samples are not
 * looked up any more. */
void drain_never_looks(void);

/* Called around dlclose: before the call, the drain looks up all samples in the
 * library; during the call, it touches none of the library's memory. */
void drain_before_unload(void);
void drain_after_unload(void);

/* Called around fork: keeps the thread between two rounds. */
void drain_hold(void);
void drain_let_go(void);
void drain_forked(void);

#endif
