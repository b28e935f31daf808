/* SPDX-License-Identifier: MIT */
/*
 * allow.h - which perf events the kernel permits a program, and which setting
 * would permit more. Each query opens an event and closes it.
 */
#ifndef WEFT_PERF_ALLOW_H
#define WEFT_PERF_ALLOW_H

enum perf_what {
	PERF_CPU_TIME,      /* samples of the CPU time of threads */
	PERF_FAULTS,        /* page faults of the program's own code */
	PERF_KERNEL_FAULTS, /* page faults in system calls, too */
	PERF_SWITCHES,      /* when a thread runs, and on which CPU */
	PERF_COUNTERS,      /* instructions, counted by the processor */
	PERF_TRACEPOINTS,   /* kernel tracepoints of all processes */
};

/* Returns 0 if the event exists and is permitted, else an errno. */
int perf_refuses(enum perf_what what);

/* Returns advice on how to permit events that were refused with this errno: a
 * sentence without its full stop. */
const char *perf_advice(int error);

/* The tracepoint that PERF_TRACEPOINTS tries, below events/ of tracefs. */
#define PERF_TRACEPOINT "sched/sched_switch"

#endif
