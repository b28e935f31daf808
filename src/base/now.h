/* SPDX-License-Identifier: MIT */
/*
 * now.h - reads CLOCK_MONOTONIC, to measure durations. Any thread may call
 * these functions.
 */
#ifndef WEFT_BASE_NOW_H
#define WEFT_BASE_NOW_H

#include <stdint.h>
#include <time.h>

static inline int64_t
now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static inline int64_t
now_ms(void)
{
	return now_ns() / 1000000;
}

#endif
