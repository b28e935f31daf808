/* SPDX-License-Identifier: MIT */
/* The input is a file of perf record, read as events. */
#include <stdio.h>

#include "harness.h"
#include "read_ctf.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct harness h;
	char path[80];

	harness_write(&h, "perf.data", data, size);
	snprintf(path, sizeof path, "%s/perf.data", h.dir);
	read_ctf(path);
	harness_emulate(&h, "perf.data", NULL);
	return 0;
}
