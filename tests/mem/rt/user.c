/* SPDX-License-Identifier: MIT */
/* user.c - a program that allocates its memory through a library's
 * allocator. */
#include <stddef.h>
#include <stdio.h>

void *pool_get(const char *pool, int n, size_t bytes);
void pool_put(const char *pool, void *p);

int
main(void)
{
	for (int i = 0; i < 10; i++) {
		char *p = pool_get("pool", 3, 5000);

		p[i] = 1;
		if (i < 4)
			pool_put("pool", p);
	}
	puts("ten");
	return 0;
}
