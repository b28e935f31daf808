/* SPDX-License-Identifier: MIT */
/* Counters, memory, lists and time, for all files. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "events.h"

static atomic_long counts[COUNTS];
static const char *const count_names[COUNTS] = {
	[TASKS] = "tasks",
	[EXECUTED] = "executed",
	[ENDED] = "ended",
	[TYPES] = "types",
	[NESTING] = "nesting",
	[PAUSES] = "pauses",
	[CHUNKS] = "chunks",
	[HELPS] = "helps",
	[HELPED] = "helped",
	[FUNCTIONS] = "functions",
	[TASKWAITS] = "taskwaits",
	[BLOCKS] = "blocks",
	[UNBLOCKS] = "unblocks",
	[DEADLINES] = "deadlines",
	[WORKERS] = "workers",
	[SWITCHES] = "switches",
	[MIGRATIONS] = "migrations",
	[RESTS] = "rests",
	[LOCKS] = "locks",
};

void
count(enum count what)
{
	atomic_fetch_add_explicit(&counts[what], 1, memory_order_relaxed);
}

void
count_most(enum count what, long value)
{
	long most = atomic_load(&counts[what]);

	while (most < value &&
		!atomic_compare_exchange_weak(&counts[what], &most, value))
		continue;
}

void
mt_print_counts(void)
{
	printf("minitask: cpus=%d", mt_ncpus());
	for (int i = 0; i < COUNTS; i++)
		printf(" %s=%ld", count_names[i], atomic_load(&counts[i]));
	putchar('\n');
}

static void *
must(void *mem)
{
	if (mem)
		return mem;
	perror("minitask");
	exit(1);
}

void *
mem_get(size_t size)
{
	void *mem;

	ev_alloc_begin();
	mem = must(calloc(1, size));
	ev_alloc_end();
	return mem;
}

void
mem_put(void *mem)
{
	if (!mem)
		return;
	ev_free_begin();
	free(mem);
	ev_free_end();
}

void
list_add(struct task_list *list, struct mt_task *task)
{
	if (list->n == list->room) {
		list->room = list->room ? 2 * list->room : 8;
		ev_alloc_begin();
		list->at = must(realloc(list->at,
			(size_t)list->room * sizeof(struct mt_task *)));
		ev_alloc_end();
	}
	list->at[list->n++] = task;
}

void
sleep_on(sem_t *sem)
{
	while (sem_wait(sem) != 0 && errno == EINTR)
		continue;
}

uint64_t
now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}
