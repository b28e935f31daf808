/* SPDX-License-Identifier: MIT */
/*
 * repair_result.h - what a repair did.
 */
#ifndef WEFT_TRACE_OBS_REPAIR_RESULT_H
#define WEFT_TRACE_OBS_REPAIR_RESULT_H

#include <stdint.h>

struct repair_result {
	int streams;         /* streams written */
	uint64_t events;     /* events copied */
	uint64_t added;      /* events inferred and inserted */
	uint64_t dropped;    /* events that were left out */
	uint64_t clocks;     /* clocks set to the previous clock */
	uint64_t lost_bytes; /* bytes after the last whole event */
};

#endif
