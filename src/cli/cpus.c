/* SPDX-License-Identifier: MIT */
#include "cli/cpus.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool
cpus_one_is_free_of(int cpus, const char *loadavg)
{
	/* "0.31 0.20 0.11 2/345 6789": 2 of 345 threads run or wait for a
	 * CPU. */
	const char *slash = loadavg == NULL ? NULL : strchr(loadavg, '/');
	long running = 1; /* this thread */

	while (slash != NULL && slash > loadavg && slash[-1] != ' ')
		slash--;
	if (slash != NULL)
		running = strtol(slash, NULL, 10);
	return running < cpus;
}

static int
count_cpus(void)
{
	cpu_set_t set;

	/* The call fails on a machine with more CPUs than the set holds. */
	return sched_getaffinity(0, sizeof set, &set) != 0 ? CPU_SETSIZE
							   : CPU_COUNT(&set);
}

bool
cpus_one_is_free(void)
{
	char text[128];
	FILE *file = fopen("/proc/loadavg", "re");
	bool known = file != NULL && fgets(text, sizeof text, file) != NULL;

	if (file != NULL)
		fclose(file);
	return cpus_one_is_free_of(count_cpus(), known ? text : NULL);
}
