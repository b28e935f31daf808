/* SPDX-License-Identifier: MIT */
/*
 * counters.h - the hardware counters that Nanos6 can record, and the Paraver
 * type of each.
 */
#ifndef WEFT_EMU_MODELS_COUNTERS_H
#define WEFT_EMU_MODELS_COUNTERS_H

#include <stdint.h>

#define COUNTER_UNKNOWN 3900000

struct counter_def {
	const char *name; /* also the name of the field with its value */
	int64_t number;   /* Paraver type */
};

extern const struct counter_def counters[];
extern const int ncounters;

/* Returns the Paraver type of a counter; unknown counters share one. */
int64_t counter_number(const char *name);

#endif
