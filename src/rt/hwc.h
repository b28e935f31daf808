/* SPDX-License-Identifier: MIT */
/*
 * hwc.h - the counters of this process.
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

/* Were values scaled, in a thread that has ended? */
bool weft_rt_hwc_is_scaled(void);

#endif
