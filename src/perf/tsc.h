/* SPDX-License-Identifier: MIT */
/*
 * tsc.h - may the time-stamp counter stand for the clock? It must count at one
 * rate whatever the processor does (CPUID says so), and the kernel must trust
 * it on this machine: it is its clock source. Never on another processor.
 */
#ifndef WEFT_PERF_TSC_H
#define WEFT_PERF_TSC_H

#include <stdbool.h>

/* Opens and reads a file of the kernel: not for hot paths. */
bool weft_tsc_is_clock(void);

#endif
