/* SPDX-License-Identifier: MIT */
/* The input is a trace written by hand. */
#include "harness.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct harness h;

	harness_write(&h, "trace.tt", data, size);
	harness_emulate(&h, "trace.tt", "prv,csv");
	return 0;
}
