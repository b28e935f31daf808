/* SPDX-License-Identifier: MIT */
/* plugin.c - a library that a program loads and unloads. */
#include <stdlib.h>
#include <string.h>

void *plugin_make(size_t n);

__attribute__((visibility("default"))) void *
plugin_make(size_t n)
{
	void *p = malloc(n);

	return memset(p, 1, n);
}

/* Names parts of one block. */
void *pool_get(const char *pool, int n, size_t bytes);
void pool_put(const char *pool, void *p);

static char room[4 << 20];
static size_t used;

__attribute__((visibility("default"))) void *
pool_get(const char *pool, int n, size_t bytes)
{
	void *p = room + used;

	(void)pool;
	used += (size_t)n * bytes;
	return p;
}

__attribute__((visibility("default"))) void
pool_put(const char *pool, void *p)
{
	(void)pool;
	(void)p;
}
