/* SPDX-License-Identifier: MIT */
/* lttng.c - ns per event of LTTng-UST, beside rdtsc: lttng EVENTS. */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "lttng.h"

#include "loop.h"

int
main(int argc, char **argv)
{
	long n = peer_start(argc, argv);

	PEER_TIME("rdtsc", n, peer_tsc());
	PEER_TIME("event", n,
		lttng_ust_tracepoint(weft_peer, event, (uint64_t)i));
	return 0;
}
