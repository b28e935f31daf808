/* SPDX-License-Identifier: MIT */
/* faults - a program that spends its time in page faults: at stores that follow
 * arithmetic. */
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { BYTES = 64 << 20, PAGE = 4096, ROUNDS = 16 };

static char *
map(void)
{
	char *p = mmap(NULL, BYTES, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		exit(1);
	madvise(p, BYTES, MADV_NOHUGEPAGE);
	return p;
}

int
main(void)
{
	uint64_t x = 1;

	for (int round = 0; round < ROUNDS; round++) {
		char *pages = map();

		for (size_t i = 0; i < BYTES; i += PAGE) {
			x = x * 1664525u + 1013904223u;
			pages[i] = (char)(x >> 32);
		}
		munmap(pages, BYTES);
	}
	return 0;
}
