/* SPDX-License-Identifier: MIT */
/* lttng.h - one event with 8 bytes, as LTTng-UST has programs declare it. */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER weft_peer
#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "./lttng.h"

#if !defined(WEFT_PEER_LTTNG_H) || \
	defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define WEFT_PEER_LTTNG_H
#include <lttng/tracepoint.h>

/* clang-format off */
LTTNG_UST_TRACEPOINT_EVENT(weft_peer, event,
	LTTNG_UST_TP_ARGS(uint64_t, value),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_integer(uint64_t, value, value)))
/* clang-format on */

#endif
#include <lttng/tracepoint-event.h>
