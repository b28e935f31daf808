/* SPDX-License-Identifier: MIT */
/* weft.c - ns per event of this project, in the loop of the others. */
#include "weft/trace.h"

#include "loop.h"

int
main(int argc, char **argv)
{
	long n = peer_start(argc, argv);

	PEER_TIME("rdtsc", n, peer_tsc());
	PEER_TIME("event", n, weft_ev_u64("OB.", (uint64_t)i));
	return 0;
}
