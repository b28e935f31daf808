/* SPDX-License-Identifier: MIT */
/*
 * kernel.h - adds to the streams of a trace what the kernel reported of their
 * threads: when each ran, was ready to run, or was blocked.
 *
 * The context switches of the program (watch.h) become events of the model
 * wait, in order of time among those that the program recorded. A thread that
 * recorded nothing gets a stream, unless it still runs. Samples of how long
 * threads were ready (ready.h) add what switches do not tell; where the kernel
 * reports no switches they are all there is.
 */
#ifndef WEFT_CLI_RUN_KERNEL_H
#define WEFT_CLI_RUN_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct launch;
struct ready;

/* Merges the trace of context switches in the directory `seen`, and the
 * samples, into the trace `own`; seen NULL: only samples. launch: tells when
 * the program was stopped, its descendants not counted. Sets *added to the
 * number of events. Returns false and sets err on failure: streams that were
 * not yet merged are as they were. */
bool kernel_merge(const char *seen, const char *own,
	const struct launch *launch, struct ready *ready, uint64_t *added,
	struct err *err);

#endif
