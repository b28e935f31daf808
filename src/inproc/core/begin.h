/* SPDX-License-Identifier: MIT */
/*
 * begin.h - begins the recording of a process, and stops its writer at rest.
 */
#ifndef WEFT_INPROC_CORE_BEGIN_H
#define WEFT_INPROC_CORE_BEGIN_H

#include <stdbool.h>

#include "inproc/core/part.h"

extern const struct part weft_rt_core_part;

/* Starts clock and writer. Call under the process's lock. */
void weft_rt_begin(void);

/* Does the same; if the process has begun, only starts the writer. */
void weft_rt_begin_again(void);

/* Stops the writer if there are no streams. */
void weft_rt_rest(void);

/* Returns true in a child of fork of a traced process, if the child itself is
 * not traced. */
bool weft_rt_is_child(void);

#endif
