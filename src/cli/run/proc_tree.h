/* SPDX-License-Identifier: MIT */
/* proc_tree.h - the threads and children of a process, as /proc lists them. */
#ifndef WEFT_CLI_RUN_PROC_TREE_H
#define WEFT_CLI_RUN_PROC_TREE_H

#include <stdbool.h>
#include <stdint.h>

/* Calls fn for each thread of the process. Returns false if it is gone. */
bool proc_each_thread(
	int pid, void (*fn)(void *arg, int pid, int tid), void *arg);

/* Calls fn for each child that the thread started; of some thousand children
 * only for the first ones. */
void proc_each_child(
	int pid, int tid, void (*fn)(void *arg, int child), void *arg);

/* How long a thread ran, and was ready to run but had no CPU, from its begin
 * on, ns. The kernel adds a time of readiness when it gives the thread a
 * CPU. */
struct proc_times {
	uint64_t ran, waited;
};

/* Opens the file of these times. Returns -1 if it cannot be opened. */
int proc_times_open(int pid, int tid);

/* Reads the times. fd: the open file, or -1: opens it for the call. Returns
 * false if the thread is gone, or the kernel does not count. */
bool proc_times_read(int fd, int pid, int tid, struct proc_times *to);

/* Returns true if the thread is stopped, by a signal or a debugger. */
bool proc_is_stopped(int pid, int tid);

/* Returns true if the thread has not ended. */
bool proc_is_alive(int pid, int tid);

#endif
