/* SPDX-License-Identifier: MIT */
/*
 * allow.h - what the kernel lets a program count of itself, and what would
 * allow more. Each question opens an event, and closes it.
 */
#ifndef WEFT_PERF_ALLOW_H
#define WEFT_PERF_ALLOW_H

enum perf_what {
	PERF_CPU_TIME,      /* samples of the CPU time of threads */
	PERF_FAULTS,        /* page faults of the program's own code */
	PERF_KERNEL_FAULTS, /* and of system calls */
	PERF_SWITCHES,      /* when a thread runs, and where */
	PERF_COUNTERS,      /* instructions, by the processor */
	PERF_TRACEPOINTS,   /* events of the kernel, of all processes */
};

/* 0: it is permitted, and there is such a thing; else an errno. */
int perf_refuses(enum perf_what what);

/* What would allow an event that was refused with an errno: a sentence without
 * its full stop, as the others. */
const char *perf_advice(int error);

/* The tracepoint that is looked for: "sched/sched_switch" below tracefs. */
#define PERF_TRACEPOINT "sched/sched_switch"

#endif
