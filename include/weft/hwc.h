/* SPDX-License-Identifier: MIT */
/*
 * weft/hwc.h - counters of the calling thread: of the hardware, or of Linux.
 *
 *	WEFT_COUNTERS=instructions,cycles,page-faults ./program
 *
 *	uint64_t value[WEFT_HWC_MAX];
 *	weft_hwc_delta(value);        opens them, in this thread
 *	work();
 *	weft_hwc_delta(value);        value[i]: weft_hwc_name(i) during work()
 *
 * Which ones is said by the environment, or by a file. Those of the hardware
 * count in user mode and are read without a system call where Linux allows it
 * (rdpmc); one call reads all others. If they have to share the hardware with
 * those of other programs, values are scaled to all of the time, and the end of
 * the run, the trace and weft check say so. Where perf refuses, those of Linux
 * come from getrusage(). One that cannot be counted is left out, with one
 * warning.
 *
 * What perf does not count, PAPI may: PAPI_FP_OPS, sde:::my_library::steps, any
 * name with "::". It is a module, weft-papi.so, that is loaded when such a name
 * is asked for; without it the warning says so. Values that are no counters, as
 * a queue's length, count 0 where they fall.
 *
 * weft/ctf.h records them at the transitions between tasks and runtime, and
 * adds them up by task type and by what the runtime did.
 *
 * Environment: WEFT_COUNTERS WEFT_COUNTERS_FILE WEFT_COUNTERS_TOTALS;
 * docs/user/instrument-a-runtime.md describes each.
 */
#ifndef WEFT_HWC_H
#define WEFT_HWC_H

#include <weft/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WEFT_HWC_MAX 16

/* How many counters there are in this process; 0: none were asked for, or none
 * can be counted. The first call reads the environment. */
WEFT_API int weft_hwc_count(void);

/* The name of one, as the trace has it: page_faults. */
WEFT_API const char *weft_hwc_name(int i);

/* What the calling thread has counted since its last call; 0 in the first. Any
 * thread; not for signal handlers. */
WEFT_API void weft_hwc_delta(uint64_t value[WEFT_HWC_MAX]);

#ifdef __cplusplus
}
#endif
#endif
