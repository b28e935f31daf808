/* SPDX-License-Identifier: MIT */
/* The input is a file of perf record, printed and reported. */
#include <stdio.h>

#include "base/arena.h"
#include "base/bug.h"
#include "cli/mem/mem.h"
#include "harness.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct harness h;
	struct mem_options o = { .min_bytes = -1 };
	struct arena a = { 0 };
	char path[96];

	if (h.dir[0] == '\0')
		BUG_ON(freopen("/dev/null", "w", stdout) == NULL);
	harness_write(&h, "perf.data", data, size);
	snprintf(path, sizeof path, "%s/perf.data", h.dir);
	mem_dump_perf(&a, path);
	o.view = (int)(size % 9);
	mem_report(&a, path, &o);
	arena_fini(&a);
	return 0;
}
