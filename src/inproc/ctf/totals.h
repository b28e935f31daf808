/* SPDX-License-Identifier: MIT */
/*
 * totals.h - sums counters by task type and by runtime function, and prints a
 * table at the end: WEFT_COUNTERS_TOTALS=1 (standard error) or a file.
 */
#ifndef WEFT_INPROC_CTF_TOTALS_H
#define WEFT_INPROC_CTF_TOTALS_H

#include <stdbool.h>
#include <stdint.h>

#include "inproc/ctf/hwc.h"

enum totals_of { TOTALS_TASK, TOTALS_RUNTIME };

/* Begins with the trace: checks whether totals are asked for. */
void weft_rt_totals_start(void);
extern bool weft_rt_totals_wanted;

/* Adds counts. what: the task type or the runtime function; the text must
 * stay. */
void weft_rt_totals_add(
	enum totals_of of, const char *what, struct hwc_values v);

/* Called when the calling thread ends; its sums stay. */
void weft_rt_totals_thread_end(void);

/* Prints the table once, if it was asked for. */
void weft_rt_totals_say(void);

#endif
