/* SPDX-License-Identifier: MIT */
/* timens.h - the time namespace of this process. Safe in signal handlers. */
#ifndef WEFT_PERF_TIMENS_H
#define WEFT_PERF_TIMENS_H

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "perf/smallfile.h"

/* Returns by how many ns CLOCK_MONOTONIC is ahead of that of the machine. */
static inline int64_t
timens_read(void)
{
	char text[256];
	int64_t seconds = 0, ns = 0;
	const char *at;

	smallfile_read("/proc/self/timens_offsets", text, sizeof(text));
	at = strstr(text, "monotonic");
	if (!at ||
		sscanf(at, "monotonic %" SCNd64 " %" SCNd64, &seconds, &ns) !=
			2)
		return 0;
	return seconds * 1000000000 + ns;
}

#endif
