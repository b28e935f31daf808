/* SPDX-License-Identifier: MIT */
/*
 * begin.h - the recording of a process begins, and rests when nothing records.
 */
#ifndef WEFT_INPROC_CORE_BEGIN_H
#define WEFT_INPROC_CORE_BEGIN_H

#include <stdbool.h>

#include "inproc/core/part.h"

extern const struct part weft_rt_core_part;

/* Starts clock and writer. Under the process's lock. */
void weft_rt_begin(void);

/* The same, or only the writer of a process that has begun. */
void weft_rt_begin_again(void);

/* Stops the writer if there are no streams. */
void weft_rt_rest(void);

/* A child of fork, of a process that was traced, that is not itself? */
bool weft_rt_is_child(void);

#endif
