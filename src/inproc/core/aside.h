/* SPDX-License-Identifier: MIT */
/*
 * aside.h - writes files for a program that has used up its descriptors.
 *
 * The name of a region, the last events of a thread and its end are written
 * during the program's call, and that takes a descriptor for a moment. The
 * library keeps none in reserve: a program may close all descriptors that it
 * did not open. Instead a child process that shares the memory closes its copy
 * of the descriptors and does the work; the caller waits meanwhile.
 */
#ifndef WEFT_INPROC_CORE_ASIDE_H
#define WEFT_INPROC_CORE_ASIDE_H

#include <stdbool.h>

/* Calls work, and once more in the child if work fails with EMFILE. Work must
 * leave nothing open, and set errno if it returns false. */
bool weft_rt_aside(bool (*work)(void *data), void *data);

#endif
