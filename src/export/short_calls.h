/* SPDX-License-Identifier: MIT */
/*
 * short_calls.h - calls that were too short to be recorded one by one, by kind
 * and place in the code: an emulation adds them up beside its records
 * (emu_options.short_calls).
 */
#ifndef WEFT_EXPORT_SHORT_CALLS_H
#define WEFT_EXPORT_SHORT_CALLS_H

#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"

struct arena;

enum { SHORT_KINDS = 64 };

/* Calls of one kind, such as "Read", from one place. */
struct short_calls_sum {
	const char *kind;
	const char *line; /* NULL: not known */
	uint64_t calls, time;
};

struct short_calls {
	struct arena *arena; /* of the sums and their lines; borrowed */
	VEC(struct short_calls_sum) sum;
	struct map at; /* kind and line -> index + 1; freed by map_fini() */
};

#endif
