/* SPDX-License-Identifier: MIT */
/* turns.c - allocates four arrays and touches their pages in turn: page 0 of
 * each, then page 1 of each, and so on. */
#include <stdlib.h>

enum { ARRAYS = 4, BYTES = 12 << 20, PAGE = 4096 };

int
main(void)
{
	volatile char *a[ARRAYS] = { malloc(BYTES), malloc(BYTES),
		malloc(BYTES), malloc(BYTES) };

	for (int at = 0; at < BYTES; at += PAGE)
		for (int i = 0; i < ARRAYS; i++)
			a[i][at] = 1;
	return a[0][0] == 2;
}
