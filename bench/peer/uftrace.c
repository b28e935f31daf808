/* SPDX-License-Identifier: MIT */
/* uftrace.c - ns per event of uftrace: a call is two events, entry and exit. */
#include "loop.h"

__attribute__((noinline)) static void
called(void)
{
	__asm__ volatile("" : : : "memory");
}

int
main(int argc, char **argv)
{
	long n = peer_start(argc, argv);

	PEER_TIME("rdtsc", n, peer_tsc());
	PEER_TIME("call", n, called());
	return 0;
}
