/* SPDX-License-Identifier: MIT */
/*
 * counters_read.h - reads a group of counters, inline.
 *
 * After a system call the processor has lost its predictions of return
 * addresses, and each pending return costs some 5 ns. So all functions of this
 * header are inline, and code that reads counters at each event becomes one
 * function.
 */
#ifndef WEFT_PERF_COUNTERS_READ_H
#define WEFT_PERF_COUNTERS_READ_H

#include <linux/perf_event.h>

#include "perf/counters.h"

#ifdef __x86_64__
/* Reads a counter by rdpmc, as the kernel's header describes. Not verified on a
 * machine with hardware counters. Returns false if rdpmc is not possible now:
 * use read(). */
static inline bool
weft_perf_read_user(const struct perf_event_mmap_page *p, uint64_t *value)
{
	uint32_t lock, index;
	int64_t count;

	if (!p)
		return false;
	do {
		lock = __atomic_load_n(&p->lock, __ATOMIC_ACQUIRE);
		index = p->index;
		if (!p->cap_user_rdpmc || index == 0 ||
			p->time_enabled != p->time_running)
			return false;
		count = (int64_t)__builtin_ia32_rdpmc((int)index - 1);
		count = (int64_t)((uint64_t)count << (64 - p->pmc_width)) >>
			(64 - p->pmc_width);
		*value = (uint64_t)(p->offset + count);
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
	} while (__atomic_load_n(&p->lock, __ATOMIC_RELAXED) != lock);
	return true;
}
#else
static inline bool
weft_perf_read_user(const struct perf_event_mmap_page *p, uint64_t *value)
{
	(void)p, (void)value;
	return false;
}
#endif

/* Reads the values since the group was opened, with one read(). The group has
 * at least one event. last: the previous values. */
static inline __attribute__((always_inline)) void
weft_perf_read_group(struct weft_perf_group *g, struct weft_perf_values *now,
	const uint64_t *last)
{
	if (__builtin_expect(!weft_perf_read_fd(g->fd[0], now) ||
			    now->running < now->enabled,
		    0))
		weft_perf_scale(g, now, last);
}

/* Does the same, in user mode where possible. */
static inline void
weft_perf_read(struct weft_perf_group *g, struct weft_perf_values *now,
	const uint64_t *last)
{
	int i = 0;

	while (i < g->n && weft_perf_read_user(g->page[i], &now->value[i]))
		i++;
	if (i < g->n)
		weft_perf_read_group(g, now, last);
}

#endif
