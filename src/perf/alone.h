/* SPDX-License-Identifier: MIT */
/*
 * alone.h - do only threads of ours keep this process?
 *
 * A program whose main thread calls pthread_exit() ends with its last thread.
 * A thread of ours would keep it for ever, and two of them each other, so each
 * asks now and then, and ends if it is so. They are known by their names, which
 * no thread of a program has but one that it gives such a name itself.
 */
#ifndef WEFT_PERF_ALONE_H
#define WEFT_PERF_ALONE_H

#include <stdbool.h>

#define ALONE_WRITER "weft-writer" /* of src/inproc */
#define ALONE_MEM "weft-mem"       /* of src/inproc/mem */

/* Has the main thread ended, and is no other one left but those? Opens and
 * reads files of the kernel. */
bool weft_is_left_alone(void);

#endif
