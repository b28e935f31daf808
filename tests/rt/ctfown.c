/* SPDX-License-Identifier: MIT */
/*
 * ctfown.c - a runtime with tracepoints of its own. It prints what its
 * timelines must show: how often each tracepoint was called, how many tasks of
 * each type ran, and a lower and an upper bound of the time in calls of tasks.
 *
 *	ctfown mine      two workers, the main thread, tasks that wait
 *	ctfown mine 4    the CPUs are numbered from 4 on
 *	ctfown nanos6    a task of Nanos6, for a trace with both
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "weft/nanos6.h"

enum { WORKERS = 2, TASKS = 50, RED = 7, BLUE };
enum { CREATE, BARRIER, WAIT, TICK, LABEL, START, END, BLOCK, WOKEN };

static struct weft_ctf_tracepoint points[] = {
	[CREATE] = { "task_create", "u16 type, u32 id",
		WEFT_CTF_TC | WEFT_CTF_OC, 0, WEFT_CTF_NOTHING,
		{ { 0, 0, 0 } } },
	[BARRIER] = { "barrier", "u32 id", WEFT_CTF_TC | WEFT_CTF_OC,
		WEFT_CTF_TASK | WEFT_CTF_RUNTIME, WEFT_CTF_NOTHING,
		{ { 0, 0, 0 } } },
	[WAIT] = { .name = "wait", .variants = WEFT_CTF_TC },
	[TICK] = { .name = "tick", .fields = "u32 n" },
	[LABEL] = { .name = "task_label",
		.fields = "str label, u16 type",
		.does = WEFT_CTF_KEPT },
	[START] = { .name = "task_start",
		.fields = "u32 id",
		.does = WEFT_CTF_TASK_START },
	[END] = { .name = "task_end", .does = WEFT_CTF_TASK_END },
	[BLOCK] = { .name = "block", .does = WEFT_CTF_TASK_BLOCK },
	[WOKEN] = { .name = "woken", .does = WEFT_CTF_TASK_UNBLOCK },
	{ 0 },
};

/* counters by [in_task]; total ns in calls of tasks: lower and upper bound */
static _Atomic long creates[2], barriers[2], waits, ticks, tasks[2];
static _Atomic uint64_t least, most;

static void
create(int in_task, uint16_t type, uint32_t id)
{
	uint64_t begin = weft_ctf_now(), first, last;

	weft_ctf_enter_u16_u32(&points[CREATE], in_task, type, id);
	first = weft_ctf_now();
	creates[in_task]++;
	usleep(20);
	last = weft_ctf_now();
	weft_ctf_exit(&points[CREATE], in_task);
	if (!in_task)
		return;
	most += weft_ctf_now() - begin;
	least += last - first;
}

static void
barrier(int in_task)
{
	uint64_t begin = weft_ctf_now(), first, last;

	weft_ctf_enter_u32(&points[BARRIER], in_task, 1);
	first = weft_ctf_now();
	barriers[in_task]++;
	usleep(50);
	last = weft_ctf_now();
	weft_ctf_exit(&points[BARRIER], in_task);
	if (!in_task)
		return;
	most += weft_ctf_now() - begin;
	least += last - first;
}

static void
start(uint32_t id, int is_blue)
{
	weft_ctf_ev_u32(&points[START], id);
	tasks[is_blue]++;
}

/* A task waits, and a child of the other type runs on its CPU meanwhile. */
static void
run(uint32_t id, int is_blue)
{
	uint32_t child = id + 1;

	start(id, is_blue);
	create(1, is_blue ? RED : BLUE, child);
	barrier(1);
	weft_ctf_enter(&points[WAIT], 1);
	waits++;
	weft_ctf_ev(&points[BLOCK]);
	start(child, !is_blue);
	weft_ctf_ev(&points[END]);
	weft_ctf_ev(&points[WOKEN]);
	weft_ctf_exit(&points[WAIT], 1);
	weft_ctf_ev(&points[END]);
}

static void *
work(void *cpu)
{
	long index = (long)cpu;

	if (index < WORKERS)
		weft_ctf_cpu((int)index);
	for (int i = 0; i < TASKS; i++) {
		uint32_t id = (uint32_t)(1000 * (index + 1) + 2 * i);

		weft_ctf_ev_u32(&points[TICK], (uint32_t)i);
		ticks++;
		create(0, i % 3 == 0 ? BLUE : RED, id);
		barrier(0);
		run(id, i % 3 == 0);
	}
	weft_ctf_leave();
	return NULL;
}

static void
mine(const char *prefix, int first)
{
	static const char *const labels[] = { "red", "blue" };
	pthread_t worker[WORKERS];

	weft_ctf_start(&(struct weft_ctf_runtime){ .prefix = prefix,
		.points = points,
		.ncpus = WORKERS,
		.cpus = (const int[]){ first, first + 1 } });
	for (int i = 0; i < 2; i++)
		weft_ctf_ev_texts(&points[LABEL], (const char *[]){ labels[i] },
			1, &(uint16_t){ (uint16_t)(RED + i) }, 2);
	for (long i = 0; i < WORKERS; i++)
		pthread_create(&worker[i], NULL, work, (void *)i);
	work((void *)(long)WORKERS);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(worker[i], NULL);
	weft_ctf_stop();
	printf("task_create=%ld task_create (outside a task)=%ld "
	       "barrier=%ld barrier (outside a task)=%ld wait=%ld "
	       "tick=%ld red=%ld blue=%ld least=%llu most=%llu\n",
		creates[1], creates[0], barriers[1], barriers[0], waits, ticks,
		tasks[0], tasks[1], (unsigned long long)least,
		(unsigned long long)most);
}

#define N6(point) (&n6[WEFT_NANOS6_##point])
static struct weft_ctf_tracepoint n6[] = { WEFT_NANOS6_TRACEPOINTS{ 0 } };

static void
nanos6(void)
{
	uint32_t tid = (uint32_t)gettid();

	weft_ctf_start(&(struct weft_ctf_runtime){
		.prefix = "nanos6", .points = n6, .ncpus = 1 });
	weft_ctf_cpu(0);
	weft_ctf_ev_u32(N6(THREAD_CREATE), tid);
	weft_ctf_ev_u32(N6(THREAD_RESUME), tid);
	weft_ctf_ev_u32(N6(TASK_START), 4);
	weft_ctf_enter(N6(TASKWAIT), 1);
	weft_ctf_exit(N6(TASKWAIT), 1);
	weft_ctf_ev(N6(TASK_END));
	weft_ctf_ev_u32(N6(THREAD_SUSPEND), tid);
	weft_ctf_ev_u32(N6(THREAD_SHUTDOWN), tid);
	weft_ctf_leave();
}

int
main(int argc, char **argv)
{
	const char *prefix = argc > 1 ? argv[1] : "mine";

	if (strcmp(prefix, "nanos6") == 0)
		nanos6();
	else
		mine(prefix, argc > 2 ? (int)strtol(argv[2], NULL, 10) : 0);
	return 0;
}
