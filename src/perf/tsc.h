/* SPDX-License-Identifier: MIT */
/*
 * tsc.h - tells whether the time-stamp counter may serve as the clock. The
 * counter must have a constant rate (CPUID says so), and the kernel must use it
 * as its clock source on this machine. Always false on processors other than
 * x86-64.
 */
#ifndef WEFT_PERF_TSC_H
#define WEFT_PERF_TSC_H

#include <stdbool.h>

/* Opens and reads a file of the kernel; not for hot paths. */
bool weft_tsc_is_clock(void);

#endif
