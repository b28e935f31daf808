/* SPDX-License-Identifier: MIT */
/*
 * aside.h - a way out for a program that has used up its descriptors.
 *
 * The name of a region, the last events of a thread and its end have to be
 * written where the program calls, and that takes a descriptor for a moment.
 * None is kept for it: a program may close all that it did not open. Instead a
 * child does it that shares the memory and closes its copy of the descriptors;
 * the caller stands still meanwhile.
 */
#ifndef WEFT_INPROC_CORE_ASIDE_H
#define WEFT_INPROC_CORE_ASIDE_H

#include <stdbool.h>

/* Does the work, and once more aside if it fails with EMFILE. Work leaves
 * nothing open, and errno if it returns false. */
bool weft_rt_aside(bool (*work)(void *data), void *data);

#endif
