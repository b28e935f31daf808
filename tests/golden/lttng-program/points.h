/* SPDX-License-Identifier: MIT */
/* points.h - tracepoints of LTTng with fields of every kind. */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER weft_test

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "points.h"

#if !defined(POINTS_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define POINTS_H

#include <lttng/tracepoint.h>

/* clang-format off */
LTTNG_UST_TRACEPOINT_ENUM(weft_test, kind,
	LTTNG_UST_TP_ENUM_VALUES(
		lttng_ust_field_enum_value("ONE", 1)
		lttng_ust_field_enum_range("FEW", 2, 5)))

LTTNG_UST_TRACEPOINT_EVENT(weft_test, all,
	LTTNG_UST_TP_ARGS(int, i, const char *, text, int *, array),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_integer(int, number, i)
		lttng_ust_field_integer_hex(long, hex, i * 77L)
		lttng_ust_field_integer_network(int, network, i)
		lttng_ust_field_float(double, real, i / 3.0)
		lttng_ust_field_string(string, text)
		lttng_ust_field_array(int, array, array, 3)
		lttng_ust_field_sequence(int, some, array, unsigned, i % 4)
		lttng_ust_field_array_text(char, letters, text, 3)
		lttng_ust_field_sequence_text(char, word, text, unsigned, 1 + i % 4)
		lttng_ust_field_enum(weft_test, kind, int, kind, i % 8)))

LTTNG_UST_TRACEPOINT_EVENT(weft_test, none,
	LTTNG_UST_TP_ARGS(), LTTNG_UST_TP_FIELDS())
/* clang-format on */

#endif

#include <lttng/tracepoint-event.h>
