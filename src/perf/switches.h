/* SPDX-License-Identifier: MIT */
/*
 * switches.h - when and on which CPU the threads of a program ran.
 *
 * Opens one software event per CPU that counts nothing, but makes the kernel
 * write a record at every switch, fork, exec and exit. The event is attached to
 * a process that has not yet called exec, begins at its exec, and is inherited
 * by each thread and child. While /proc/sys/kernel/perf_event_paranoid is 2 or
 * less, no privilege is needed for one's own processes. Times are those of
 * CLOCK_MONOTONIC, in ns.
 *
 *	struct perf_switches s;
 *	if (perf_switches_open(&s, pid))
 *		for (int i = 0; i < s.n; i++)
 *			while ((n = perf_switches_read(&s, i, list, ROOM)) > 0)
 *				use(list, n);
 *
 * The records of one CPU come in order of time; the caller merges CPUs. Nothing
 * here allocates.
 *
 * A second event per CPU, which needs more rights, tells which thread woke
 * which (the tracepoint sched_waking). Its records lie in the same ring.
 */
#ifndef WEFT_PERF_SWITCHES_H
#define WEFT_PERF_SWITCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PERF_CPUS_MAX 1024
#define PERF_RECORD_BYTES 32 /* smallest record in a ring */

enum perf_kind {
	PERF_IN,   /* the thread runs on the CPU from now on */
	PERF_WAKE, /* the thread woke thread `by`; tid 0: an interrupt did */
	PERF_OUT, /* the thread stops running; `by` is 1 if the kernel preempted
	           * it, 0 if it waits (or before Linux 4.17) */
	PERF_FORK, /* the thread was created by thread `by` */
	PERF_EXEC, /* the process runs another program; only this thread is
	            * left */
	PERF_EXIT, /* the thread has ended */
	PERF_OURS, /* the thread is one of a recorder (alone.h) */
	PERF_LOST, /* `by` records were lost: the perf ring was full */
};

struct perf_switch {
	int64_t time; /* ns */
	int32_t pid, tid, cpu;
	enum perf_kind kind;
	uint64_t by;
};

/* A CPU's ring of records. */
struct perf_cpu {
	int number; /* of the CPU */
	int fd;
	int wake_fd; /* of the second event, or -1 */
	void *map;   /* a page for the positions, then the ring */
};

struct perf_switches {
	int n;
	size_t bytes;      /* bytes of each ring, a power of two */
	uint16_t wakee_at; /* byte offset of the woken thread's id in the
	                    * tracepoint's data; 0: no second events */
	struct perf_cpu cpu[PERF_CPUS_MAX];
};

/* Opens the events. Returns false with errno if the kernel does not permit them
 * or lacks them. */
bool perf_switches_open(struct perf_switches *s, int pid);

/* Adds the events that tell who woke whom, before the process calls exec. They
 * tell of the threads that the program's threads wake. Returns false with errno
 * if the kernel does not permit them: they need root, CAP_PERFMON, or
 * perf_event_paranoid -1, and tracefs. */
bool perf_switches_add_wakes(struct perf_switches *s, int pid);

/* Removes up to room records from the i-th ring. Returns their number; 0: none
 * left now. */
size_t perf_switches_read(
	struct perf_switches *s, int i, struct perf_switch *to, size_t room);

void perf_switches_close(struct perf_switches *s);

#endif
