/* SPDX-License-Identifier: MIT */
/*
 * switches.h - when and where the threads of a program ran, told by the kernel.
 *
 * One software event a CPU that counts nothing, but has the kernel write a
 * record at every switch, fork, exec and exit. It is attached to a process that
 * has not yet called exec, begins there, and is inherited by each thread and
 * child. No privilege is needed for one's own processes while
 * /proc/sys/kernel/perf_event_paranoid is 2 or less. Times are those of
 * CLOCK_MONOTONIC, in ns.
 *
 *	struct perf_switches s;
 *	if (perf_switches_open(&s, pid))
 *		for (int i = 0; i < s.n; i++)
 *			while ((n = perf_switches_read(&s, i, list, ROOM)) > 0)
 *				use(list, n);
 *
 * Records of one CPU come in order of time; to merge CPUs is the caller's.
 * Nothing here allocates.
 */
#ifndef WEFT_PERF_SWITCHES_H
#define WEFT_PERF_SWITCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PERF_CPUS_MAX 1024
#define PERF_RECORD_BYTES 32 /* in a ring, at least */

enum perf_kind {
	PERF_IN,   /* the thread runs on the CPU from now on */
	PERF_OUT,  /* it does not */
	PERF_FORK, /* it was made, by thread `by` */
	PERF_EXEC, /* its process runs another program, this thread only */
	PERF_EXIT, /* it has ended */
	PERF_LOST, /* `by` records had no room */
};

struct perf_switch {
	int64_t time; /* ns */
	int32_t pid, tid, cpu;
	enum perf_kind kind;
	uint64_t by;
};

/* The ring that a CPU's records go to. */
struct perf_cpu {
	int fd;
	void *map; /* a page for the positions, then the ring */
};

struct perf_switches {
	int n;
	size_t bytes; /* of each ring, a power of two */
	struct perf_cpu cpu[PERF_CPUS_MAX];
};

/* False with errno: the kernel does not permit it, or has no such thing. */
bool perf_switches_open(struct perf_switches *s, int pid);

/* Takes up to room records of the i-th ring; 0: there is none now. */
size_t perf_switches_read(
	struct perf_switches *s, int i, struct perf_switch *to, size_t room);

void perf_switches_close(struct perf_switches *s);

#endif
