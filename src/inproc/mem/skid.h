/* SPDX-License-Identifier: MIT */
/*
 * skid.h - the result of the self-test (calibrate.h) with the source in use:
 * whether the instruction before the interrupted one is the one that waits.
 */
#ifndef WEFT_INPROC_MEM_SKID_H
#define WEFT_INPROC_MEM_SKID_H

#include <stdbool.h>
#include <stdint.h>

#include "mem/wire.h"

struct skid {
	enum mem_source source; /* the source that was tested */
	enum mem_skid skid;
	uint32_t before, at, tried; /* interruptions of the test */
	const char *load, *next;    /* the test's load, and the instruction
	                             * after it */
};
extern struct skid skid;

/* Returns true if the instruction before the interrupted one may be to
 * blame. */
bool skid_is_there(void);

/* Fills in the result. */
void skid_write(struct mem_setup *r);

/* For sources, during the test: records an interruption at this address. */
void skid_note(uint64_t ip);

#endif
