/* SPDX-License-Identifier: MIT */
/*
 * kernel.h - adds to the streams of a trace what the kernel reported of their
 * threads: when each ran, was ready to run, or was blocked.
 *
 * The context switches of the program (watch.h) become events of the model
 * wait, in order of time among those that the program recorded. A thread that
 * recorded nothing gets a stream.
 */
#ifndef WEFT_CLI_RUN_KERNEL_H
#define WEFT_CLI_RUN_KERNEL_H

#include <stdbool.h>

#include "base/err.h"

/* Merges the trace of context switches in the directory `seen` into the trace
 * `own`. Returns false and sets err on failure: streams that were not yet
 * merged are as they were. */
bool kernel_merge(const char *seen, const char *own, struct err *err);

#endif
