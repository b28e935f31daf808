/* SPDX-License-Identifier: MIT */
/*
 * totals.h - counters added up by task type and by what the runtime did, for a
 * table in the end: WEFT_COUNTERS_TOTALS=1 (standard error) or a file.
 */
#ifndef WEFT_INPROC_CTF_TOTALS_H
#define WEFT_INPROC_CTF_TOTALS_H

#include <stdbool.h>
#include <stdint.h>

#include "inproc/ctf/hwc.h"

enum totals_of { TOTALS_TASK, TOTALS_RUNTIME };

/* Begins, with the trace: looks whether they are asked for. */
void weft_rt_totals_start(void);
extern bool weft_rt_totals_wanted;

/* what: the task type, the section of the runtime; a text that stays. */
void weft_rt_totals_add(
	enum totals_of of, const char *what, struct hwc_values v);

/* The calling thread ends; what it added up stays. */
void weft_rt_totals_thread_end(void);

/* Prints them, if that was asked for; once. */
void weft_rt_totals_say(void);

#endif
