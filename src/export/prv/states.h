/* SPDX-License-Identifier: MIT */
/*
 * states.h - what a Paraver trace that was read (export/prv_in) has beside
 * events: states, which become state lines (1:) again, and the CPUs of lines.
 */
#ifndef WEFT_EXPORT_PRV_STATES_H
#define WEFT_EXPORT_PRV_STATES_H

#include <stdint.h>

#include "base/vec.h"
#include "export/prv/lines.h"

struct arena;

/* Types whose records are no event lines. */
enum prv_special {
	PRV_EVENTS, /* all other types */
	PRV_STATES, /* "prv.state" */
	PRV_CPUS,   /* "prv.cpu" */
};

/* Returns what the records of a type with that key are. */
enum prv_special prv_special_of(const char *key);

/* The state of a row that has begun. */
struct prv_open {
	int64_t begin, value; /* VALUE_NONE: none */
	char text[32];        /* of the row, when the state began */
};

struct prv_states {
	struct arena *arena;       /* borrowed */
	VEC(struct prv_open) open; /* by row id */
};

/* Ends the row's state at `time` with a line, and begins another unless value
 * is VALUE_NONE. */
void prv_states_put(struct prv_states *s, struct prv_lines *f, uint32_t id,
	const struct prv_row *row, int64_t time, int64_t value);

#endif
