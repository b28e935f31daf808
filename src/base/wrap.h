/* SPDX-License-Identifier: MIT */
/* wrap.h - sums of times that wrap around instead of overflowing: numbers of a
 * damaged file may be anything. */
#ifndef WEFT_BASE_WRAP_H
#define WEFT_BASE_WRAP_H

#include <stdint.h>

static inline int64_t
wrap_plus(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

static inline int64_t
wrap_minus(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a - (uint64_t)b);
}

#endif
