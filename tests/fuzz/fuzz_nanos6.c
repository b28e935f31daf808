/* SPDX-License-Identifier: MIT */
/* The input is a stream of Nanos6 whose metadata is lost: the reader tries each
 * version of Nanos6, with each number of counters, until one fits. */
#include <stdio.h>

#include "harness.h"
#include "read_ctf.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct harness h;
	char path[80];

	harness_write(&h, "nanos6/channel_0", data, size);
	snprintf(path, sizeof path, "%s/nanos6", h.dir);
	read_ctf(path);
	return 0;
}
