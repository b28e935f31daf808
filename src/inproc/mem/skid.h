/* SPDX-License-Identifier: MIT */
/*
 * skid.h - is it the instruction before the interrupted one that waits? What
 * the self-test (calibrate.h) found with the source in use.
 */
#ifndef WEFT_INPROC_MEM_SKID_H
#define WEFT_INPROC_MEM_SKID_H

#include <stdbool.h>
#include <stdint.h>

#include "mem/wire.h"

struct skid {
	enum mem_source source; /* that it was found with */
	enum mem_skid skid;
	uint32_t before, at, tried; /* interruptions of the test */
	const char *load, *next;    /* the test's load, what comes after it */
};
extern struct skid skid;

/* Is it the instruction before? Also where that is not certain. */
bool skid_is_there(void);

/* Fills in what was found. */
void skid_write(struct mem_setup *r);

/* The test, for sources: an interruption at this address. */
void skid_note(uint64_t ip);

#endif
