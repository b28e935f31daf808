/* SPDX-License-Identifier: MIT */
/* sources.h - waits until the recorder of memory has opened its sources. */
#ifndef WEFT_TESTS_MEM_RT_SOURCES_H
#define WEFT_TESTS_MEM_RT_SOURCES_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static inline bool
has_source(void)
{
	char path[64], to[64] = "";
	bool found = false;

	for (int fd = 0; fd < 1024 && !found; fd++) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		found = readlink(path, to, sizeof(to) - 1) > 0 &&
			strstr(to, "perf_event") != NULL;
	}
	return found;
}

/* Waits until the recorder, if there is one, has opened a source; no longer
 * than some seconds, because a timer needs no descriptor. */
static inline void
wait_for_sources(void)
{
	usleep(100000);
	for (int i = 0; i < 20 && getenv("LD_PRELOAD") && !has_source(); i++)
		usleep(100000);
	usleep(100000); /* lets the other threads open sources, too */
}

#endif
