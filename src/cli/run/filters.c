/* SPDX-License-Identifier: MIT */
#include "cli/run/filters.h"

#include <stdlib.h>
#include <string.h>

#include "perf/smallfile.h"

void
filters_tell(void)
{
	static const char key[] = "\nSeccomp_filters:\t";
	char text[8192], *at;

	unsetenv("WEFT_FILTERS");
	if (!smallfile_read("/proc/self/status", text, sizeof text) ||
		(at = strstr(text, key)) == NULL)
		return;
	at += sizeof key - 1;
	at[strcspn(at, "\n")] = '\0';
	setenv("WEFT_FILTERS", at, 1);
}
