/* SPDX-License-Identifier: MIT */
/* plugin.c - a library that comes and goes. */
#include <stdlib.h>
#include <string.h>

void *plugin_make(size_t n);

__attribute__((visibility("default"))) void *
plugin_make(size_t n)
{
	void *p = malloc(n);

	return memset(p, 1, n);
}
