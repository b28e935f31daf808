/* SPDX-License-Identifier: MIT */
/* The input is metadata of CTF up to its first NUL, and after it a stream. */
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "read_ctf.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct harness h;
	size_t n = size == 0 ? 0 : strnlen((const char *)data, size);
	size_t begin = n < size ? n + 1 : size;
	char path[80];

	harness_write(&h, "ctf/metadata", data, n);
	harness_write(&h, "ctf/stream", data + begin, size - begin);
	snprintf(path, sizeof path, "%s/ctf", h.dir);
	read_ctf(path);
	return 0;
}
