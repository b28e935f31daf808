/* SPDX-License-Identifier: MIT */
/*
 * repair_result.h - what a repair is asked for, and what it did.
 */
#ifndef WEFT_TRACE_OBS_REPAIR_RESULT_H
#define WEFT_TRACE_OBS_REPAIR_RESULT_H

#include <stdbool.h>
#include <stdint.h>

struct findings;

/* A model whose events may be in the trace. */
struct repair_model {
	const char *name, *version;
	char id;    /* first letter of its events */
	bool tasks; /* it has ?Yc, ?Tc, ?Tx, ?Te, ?Tp and ?Tr */
};

struct repair_options {
	const char *folder;               /* where the copy goes */
	const struct repair_model *model; /* borrowed */
	int nmodels;                      /* up to 32 */
	struct findings *done;            /* what was done; borrowed */
};

struct repair_result {
	int streams;         /* written */
	uint64_t events;     /* copied */
	uint64_t added;      /* events that were inferred */
	uint64_t dropped;    /* events that were left out */
	uint64_t clocks;     /* clocks that were set to the one before */
	uint64_t lost_bytes; /* behind the last whole event */
};

#endif
