/* SPDX-License-Identifier: MIT */
/*
 * kernel_clock.h - reads the kernel's clocks, whoever replaced clock_gettime().
 *
 * A simulator, or a library such as libfaketime, gives a program another time
 * than the machine's. The times of a recording must be the machine's: other
 * clocks, the kernel's events and other processes are on the same axis.
 */
#ifndef WEFT_PERF_KERNEL_CLOCK_H
#define WEFT_PERF_KERNEL_CLOCK_H

#include <time.h>

/* As clock_gettime(), by the kernel's code in the process (vDSO) where there is
 * some; returns not 0 after an error. Any thread, and handlers. */
int weft_kernel_clock(clockid_t id, struct timespec *t);

#endif
