/* SPDX-License-Identifier: MIT */
/*
 * callers.h - the place in the code from which a wrapper is called, with the
 * calls around it.
 *
 * In programs of C++ and Rust the caller of a wrapper is mostly a function of
 * the standard library, in a file of its own or as code in the program itself.
 * The line of the program is some calls above: so the innermost calls are
 * recorded, too.
 */
#ifndef WEFT_INPROC_COLLECT_CALLERS_H
#define WEFT_INPROC_COLLECT_CALLERS_H

#include <stdbool.h>
#include <stdint.h>

#include "inproc/collect/objects.h"

/* Looks whether the program is of that kind: it has the library that unwinds
 * stacks for exceptions. Called at load. */
void callers_load(void);

/* Set at load. */
extern bool callers_has __attribute__((visibility("hidden")));

uint32_t callers_walk(const void *caller, uint32_t region);

/* Returns the number of the place. caller: the return address of a wrapper that
 * has not returned; region: the site of the OpenMP region in which it lies, or
 * 0. */
static inline uint32_t
callers_site(const void *caller, uint32_t region)
{
	return __builtin_expect(callers_has, 0) ? callers_walk(caller, region)
						: site_number(caller, region);
}

#endif
