/* SPDX-License-Identifier: MIT */
/* weft.c - ns per event of Weft, in the same loop as the other tracers. */
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
