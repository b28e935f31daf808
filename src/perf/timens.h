/* SPDX-License-Identifier: MIT */
/* timens.h - the time namespace of this process. Safe in signal handlers. */
#ifndef WEFT_PERF_TIMENS_H
#define WEFT_PERF_TIMENS_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "perf/smallfile.h"

/* Returns by how many ns CLOCK_MONOTONIC is ahead of that of the machine. */
static inline int64_t
timens_read(void)
{
	static const char key[] = "monotonic";
	char text[256], *end;
	int64_t seconds;
	const char *at;

	smallfile_read("/proc/self/timens_offsets", text, sizeof(text));
	at = strstr(text, key);
	if (!at)
		return 0;
	seconds = strtoll(at + sizeof(key) - 1, &end, 10);
	return seconds * 1000000000 + strtoll(end, NULL, 10);
}

#endif
