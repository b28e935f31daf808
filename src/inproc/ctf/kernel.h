/* SPDX-License-Identifier: MIT */
/*
 * kernel.h - records kernel events on the CPUs of a CTF trace, in streams of
 * their own in ctf/kernel, one per CPU.
 *
 * WEFT_KERNEL names tracepoints or sets of them. If these may not be
 * recorded, the library records the switches of the process's own threads,
 * which needs no privilege: as events sched_switch in which thread 0 stands for
 * all other threads. The writer thread copies the events from the perf rings.
 */
#ifndef WEFT_INPROC_CTF_KERNEL_H
#define WEFT_INPROC_CTF_KERNEL_H

#include "inproc/core/part.h"

extern const struct part weft_rt_kernel_part;

/* Starts recording kernel events if WEFT_KERNEL asks for it. Call under the
 * lock, when the trace's directory exists. */
void weft_rt_kernel_start(void);

/* Drains for the last time and ends recording. Call when the writer does not
 * drain. */
void weft_rt_kernel_end(void);

struct kernel;

/* Writes the metadata of the streams. */
void weft_rt_kernel_meta(const struct kernel *k);

/* Writes nanos6_kerneldefs.json beside the streams. */
void weft_rt_kernel_defs(const struct kernel *k);

#endif
