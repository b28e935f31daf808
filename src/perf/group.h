/* SPDX-License-Identifier: MIT */
/*
 * group.h - a group of counters, and the read() that returns all of its values.
 */
#ifndef WEFT_PERF_GROUP_H
#define WEFT_PERF_GROUP_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { WEFT_PERF_MAX = 16 };

/* The time that groups were enabled, and the time that they really counted. */
struct weft_perf_share {
	uint64_t enabled, running; /* ns */
};

struct weft_perf_group {
	int n;
	int fd[WEFT_PERF_MAX];
	void *page[WEFT_PERF_MAX];    /* for rdpmc; NULL: not available */
	struct weft_perf_share share; /* times at the last scaling */
	struct weft_perf_share *sum;  /* shared sum of several groups, atomic;
	                               * or NULL */
};

/* The kernel's answer for a group, in the kernel's layout. */
struct weft_perf_values {
	uint64_t n, enabled, running; /* ns enabled, ns counting */
	uint64_t value[WEFT_PERF_MAX];
};

/* Reads like read(), without errno and cancellation. On failure returns false
 * and sets all values to 0. */
static inline bool
weft_perf_read_fd(int fd, struct weft_perf_values *to)
{
	long done;

#ifdef __x86_64__
	__asm__ volatile("syscall"
			 : "=a"(done), "=m"(*to)
			 : "0"(SYS_read), "D"(fd), "S"(to), "d"(sizeof(*to))
			 : "rcx", "r11");
#else
	done = read(fd, to, sizeof(*to));
#endif
	if (done <= 0)
		memset(to, 0, sizeof(*to));
	return done > 0;
}

#endif
