/* SPDX-License-Identifier: MIT */
/* A program to be recorded with LTTng: two tracepoints, 400 times each. */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "points.h"

int
main(void)
{
	int array[] = { 1, -2, 3 };

	for (int i = 0; i < 400; i++) {
		lttng_ust_tracepoint(
			weft_test, all, i, "h\xc3\xa9llo \"you\"\n", array);
		lttng_ust_tracepoint(weft_test, none);
	}
	return 0;
}
