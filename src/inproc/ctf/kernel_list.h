/* SPDX-License-Identifier: MIT */
/*
 * kernel_list.h - which tracepoints are recorded, and the rest of the state of
 * kernel.h.
 */
#ifndef WEFT_INPROC_CTF_KERNEL_LIST_H
#define WEFT_INPROC_CTF_KERNEL_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "perf/ring.h"
#include "perf/tracepoint.h"

enum { KERNEL_POINTS = 1024 };

struct kernel_cpu {
	int id;
	struct weft_perf_ring ring;
	int fd;             /* of the event that has the ring */
	uint64_t at;        /* where in the file the next packet goes */
	uint64_t last;      /* time of the last event */
	uint64_t discarded; /* the kernel had no room, or the disk */
	uint64_t said;      /* of these, by the last packet in the file, */
	uint64_t packet;    /* which begins there */
	int32_t seen;       /* of our own threads, the last that came or went */
	bool is_out;
};

struct kernel {
	uint64_t bytes;
	bool is_own; /* only switches of our own threads */
	char folder[4096];
	int npoints;
	uint16_t enter, exit; /* ids of raw_syscalls, or 0 */
	struct tracepoint point[KERNEL_POINTS];
	uint16_t index[1 << 16]; /* by id: index in point, and 1 */
	uint8_t packet[1 << 20]; /* that is being made */
	int ncpus;
	struct kernel_cpu cpu[];
};

/* Adds what a list of words names: tracepoints with or without their system,
 * context_switch, preemption, syscall; -NAME takes one out. Warns of what there
 * is not. */
void weft_rt_kernel_list(struct kernel *k, const char *words);

/* The id that the event has in the trace: that of its system call, if it is
 * one. 0: it has none. */
uint16_t weft_rt_kernel_id(
	const struct kernel *k, uint16_t id, const uint8_t *raw);

/* Names of system calls, by number; the build makes them. The two events of all
 * calls are told apart by it: to close an event of each call takes the kernel
 * minutes. */
#define KERNEL_CALLS 1000
extern const char *const weft_rt_kernel_calls[KERNEL_CALLS];
enum { KERNEL_ENTER = 40000, KERNEL_EXIT = 41000 }; /* ids of the first */

#endif
