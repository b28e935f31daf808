/* SPDX-License-Identifier: MIT */
/*
 * weft/hwc.h - hardware and Linux counters of the calling thread.
 *
 *	WEFT_COUNTERS=instructions,cycles,page-faults ./program
 *
 *	uint64_t value[WEFT_HWC_MAX];
 *	weft_hwc_delta(value);        opens them, in this thread
 *	work();
 *	weft_hwc_delta(value);        value[i]: weft_hwc_name(i) during work()
 *
 * The environment or a file selects the counters. Hardware counters count user
 * mode only; where Linux allows rdpmc they are read without a system call, and
 * one system call reads all others. If the counters of other programs need the
 * same hardware, values are scaled to the whole time; the message at exit, the
 * trace and weft check say so. If the kernel refuses perf, Linux counters come
 * from getrusage(). A counter that cannot be counted is left out, with one
 * warning.
 *
 * PAPI may count what perf does not: PAPI_FP_OPS, sde:::my_library::steps, any
 * name with "::". The module weft-papi.so is loaded when such a name is asked
 * for; if the module is missing, a warning says so. A decrease of a PAPI value
 * that is not a counter, such as the length of a queue, counts 0.
 *
 * weft/ctf.h records the counters at the transitions between tasks and runtime,
 * and sums them by task type and by runtime function.
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

/* Returns the number of counters in this process; 0 if none was asked for or
 * none can be counted. The first call reads the environment. */
WEFT_API int weft_hwc_count(void);

/* Returns the name of counter i as the trace writes it, for instance
 * page_faults. */
WEFT_API const char *weft_hwc_name(int i);

/* Stores what each counter of the calling thread counted since the thread's
 * last call; all 0 at its first call. Any thread; not in signal handlers. */
WEFT_API void weft_hwc_delta(uint64_t value[WEFT_HWC_MAX]);

#ifdef __cplusplus
}
#endif
#endif
