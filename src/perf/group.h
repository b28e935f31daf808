/* SPDX-License-Identifier: MIT */
/*
 * group.h - a group of counters, and how the kernel is asked for all of it.
 */
#ifndef WEFT_PERF_GROUP_H
#define WEFT_PERF_GROUP_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { WEFT_PERF_MAX = 16 };

/* How long groups were to count, and how long the hardware was theirs. */
struct weft_perf_share {
	uint64_t enabled, running; /* ns */
};

struct weft_perf_group {
	int n;
	int fd[WEFT_PERF_MAX];
	void *page[WEFT_PERF_MAX];    /* for rdpmc; NULL: not this one */
	struct weft_perf_share share; /* when last scaled */
	struct weft_perf_share *sum;  /* of several groups, atomic; or NULL */
};

/* What the kernel says of a group, as it lies there. */
struct weft_perf_values {
	uint64_t n, enabled, running; /* ns that it was to count, and did */
	uint64_t value[WEFT_PERF_MAX];
};

/* read(), without errno and cancellation. False: all are 0. */
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
