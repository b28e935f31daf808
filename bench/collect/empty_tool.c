/* SPDX-License-Identifier: MIT */
/* empty_tool.c - a tool of OpenMP's interface that sets no callback: what
 * LLVM's runtime costs with any tool. */
#include <stddef.h>

struct start {
	int (*initialize)(void *lookup, int device, void *data);
	void (*finalize)(void *data);
	unsigned long long data;
};

static int
initialize(void *lookup, int device, void *data)
{
	(void)lookup;
	(void)device;
	(void)data;
	return 1;
}

static void
finalize(void *data)
{
	(void)data;
}

__attribute__((visibility("default"))) struct start *ompt_start_tool(
	unsigned version, const char *runtime);

struct start *
ompt_start_tool(unsigned version, const char *runtime)
{
	static struct start start = { initialize, finalize, 0 };

	(void)version;
	(void)runtime;
	return &start;
}
