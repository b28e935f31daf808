/* SPDX-License-Identifier: MIT */
/* locals.h - the functions that locals.c and its library share. */
#ifndef LOCALS_H
#define LOCALS_H

#include <stddef.h>

enum { LOCAL_BYTES = 1 << 20 };

/* Writes to each cache line of an array of LOCAL_BYTES bytes; repeats that for
 * the given number of rounds. */
static inline void
local_touch(char *p, int rounds)
{
	while (rounds-- > 0)
		for (size_t i = 0; i < LOCAL_BYTES; i += 64)
			p[i]++;
}

/* Does the same with the library's own array. */
__attribute__((visibility("default"))) void library_touch(int rounds);

#endif
