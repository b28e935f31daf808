/* SPDX-License-Identifier: MIT */
/*
 * hwc.h - the counters of this process, and their totals.
 */
#ifndef WEFT_RT_HWC_H
#define WEFT_RT_HWC_H

#include <stdbool.h>

#include "weft/hwc.h"

/* Opens them in the calling thread, before it is to count. */
void weft_rt_hwc_open(void);

/* Where the values come from, for people; "" if there are none. */
const char *weft_rt_hwc_source(void);

/* Closes those of the calling thread. */
void weft_rt_hwc_thread_end(void);

enum hwc_of { HWC_TASK, HWC_RUNTIME };

/* Adds to what is printed in the end. what: the task type, the section of the
 * runtime; a text that stays. */
void weft_rt_hwc_add(
	enum hwc_of of, const char *what, const uint64_t value[WEFT_HWC_MAX]);

/* Prints the totals, if that was asked for; once. */
void weft_rt_hwc_say(void);

#endif
