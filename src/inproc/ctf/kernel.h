/* SPDX-License-Identifier: MIT */
/*
 * kernel.h - what the kernel does on the CPUs of a trace in CTF, beside it:
 * streams of their own in ctf/kernel, one a CPU.
 *
 * WEFT_KERNEL names tracepoints, or sets of them. Where these may not be
 * recorded, the switches of the process's own threads are, which anyone may
 * see: as events sched_switch in which thread 0 stands for all others. The
 * writer thread takes them out of the kernel's rings.
 */
#ifndef WEFT_INPROC_CTF_KERNEL_H
#define WEFT_INPROC_CTF_KERNEL_H

#include "inproc/core/part.h"

extern const struct part weft_rt_kernel_part;

/* Begins, if that is asked for; the trace has its folder. Under the lock. */
void weft_rt_kernel_start(void);

/* The last drain; the writer has stopped, or leaves it to us. */
void weft_rt_kernel_end(void);

struct kernel;

/* The metadata of the streams. */
void weft_rt_kernel_meta(const struct kernel *k);

/* nanos6_kerneldefs.json beside them. */
void weft_rt_kernel_defs(const struct kernel *k);

#endif
