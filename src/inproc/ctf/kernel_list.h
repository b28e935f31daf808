/* SPDX-License-Identifier: MIT */
/*
 * kernel_list.h - the list of recorded tracepoints, and the other state of
 * kernel.h.
 */
#ifndef WEFT_INPROC_CTF_KERNEL_LIST_H
#define WEFT_INPROC_CTF_KERNEL_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "perf/perf_ring.h"
#include "perf/tracepoint.h"

enum { KERNEL_POINTS = 1024 };

struct kernel_cpu {
	int id;
	struct weft_perf_ring ring;
	int fd;             /* descriptor of the event that has the perf ring */
	uint64_t at;        /* byte offset of the next packet */
	uint64_t last;      /* time of the last event */
	uint64_t discarded; /* events so far for which the perf ring or the disk
	                     * had no room */
	uint64_t said;      /* value of `discarded` in the last packet of the
	                     * file */
	uint64_t packet;    /* byte offset of that packet */
	int32_t seen;       /* the last of our own threads that was switched */
	bool is_out;
};

struct kernel {
	uint64_t bytes;
	bool is_own; /* only switches of our own threads */
	char folder[4096];
	int npoints;
	uint16_t enter, exit; /* ids of raw_syscalls, or 0 */
	struct tracepoint point[KERNEL_POINTS];
	uint16_t index[1 << 16]; /* by id: index in point plus 1; 0: none */
	uint8_t packet[1 << 20]; /* the packet that is being assembled */
	int ncpus;
	struct kernel_cpu cpu[];
};

/* Adds the tracepoints that a list of words names: with or without their
 * system, or context_switch, preemption, syscall; -NAME removes one. Warns of
 * unknown words. */
void weft_rt_kernel_list(struct kernel *k, const char *words);

/* Returns the id of the event in the trace; for a system call, the id of that
 * call's event; 0: none. */
uint16_t weft_rt_kernel_id(
	const struct kernel *k, uint16_t id, const uint8_t *raw);

/* Names of system calls, by number; the build generates them. The two raw
 * events of all calls are split by number, because closing a perf event for
 * each call takes the kernel minutes. */
#define KERNEL_CALLS 1000
extern const char *const weft_rt_kernel_calls[KERNEL_CALLS];
/* The ids of the events of the first system call. */
enum { KERNEL_ENTER = 40000, KERNEL_EXIT = 41000 };

#endif
