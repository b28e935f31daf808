/* SPDX-License-Identifier: MIT */
/*
 * short_calls.h - calls that were too short to be recorded one by one, by kind:
 * an emulation adds them up beside its records (emu_options.short_calls).
 */
#ifndef WEFT_EXPORT_SHORT_CALLS_H
#define WEFT_EXPORT_SHORT_CALLS_H

#include <stdint.h>

enum { SHORT_KINDS = 64 };

/* Calls of one kind, such as "Read". */
struct short_calls_kind {
	const char *name; /* NULL: none were counted */
	uint64_t calls, time;
};

struct short_calls {
	struct short_calls_kind of[SHORT_KINDS]; /* by state of wait.wait */
};

#endif
