/* SPDX-License-Identifier: MIT */
/*
 * tsc.h - tells whether the time-stamp counter may serve as the clock. The
 * counter must have a constant rate (CPUID says so), and the kernel must use it
 * as its clock source on this machine. The source kvm-clock of virtual machines
 * is a line over the counter, and the C library computes it without a system
 * call only while the host promises that the counters of all CPUs agree; then
 * the counter may serve, too. Always false on processors other than x86-64.
 */
#ifndef WEFT_PERF_TSC_H
#define WEFT_PERF_TSC_H

#include <stdbool.h>
#include <stdint.h>

/* Opens and reads a file of the kernel; not for hot paths. */
bool weft_tsc_is_clock(void);

/* Does the same for a clock source of this name, of which a reading
 * in the process takes `fast` ticks and a system call `slow` ticks. */
bool weft_tsc_trusts(const char *source, uint64_t fast, uint64_t slow);

/* Reads the counter and CLOCK_MONOTONIC (ns) at one instant: the middle of the
 * narrowest of several tries. The counter is 0 on other processors. */
void weft_tsc_read_both(uint64_t *tsc, uint64_t *ns);

#endif
