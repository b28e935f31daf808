/* SPDX-License-Identifier: MIT */
/* Begin and end, the CPUs, threads from outside. */
#include <sched.h>
#include <stdlib.h>

#include "internal.h"

static struct cpu *cpus;
static int ncpus;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t none_left = PTHREAD_COND_INITIALIZER;
static int noutside; /* tasks from outside that run */

int
mt_ncpus(void)
{
	return ncpus;
}

int
mt_cpu(void)
{
	return mt_me->cpu->index;
}

struct cpu *
cpu_at(int index)
{
	return &cpus[index];
}

static void
find_cpus(void)
{
	const char *text = getenv("MINITASK_CPUS");
	long most = text ? strtol(text, NULL, 10) : CPU_SETSIZE;
	cpu_set_t set;

	CPU_ZERO(&set);
	if (sched_getaffinity(0, sizeof(set), &set) != 0)
		CPU_SET(0, &set);
	cpus = mem_get((size_t)CPU_COUNT(&set) * sizeof(struct cpu));
	for (int id = 0; id < CPU_SETSIZE; id++)
		if (CPU_ISSET((size_t)id, &set) &&
			(ncpus == 0 || ncpus < most)) {
			cpus[ncpus].index = ncpus;
			cpus[ncpus++].id = id;
		}
}

/* The first event of the process sets it up: its CPUs, too. Should this thread
 * be bound to one CPU, it is on that one: make it free for workers. */
void
mt_start(void)
{
	weft_require("nanos6", "1.1.0");
	thread_move(-1);
	n6_main_begin();
	find_cpus();
	leader_start();
	workers_start();
}

void
mt_stop(void)
{
	thread_pause();
	pthread_mutex_lock(&lock);
	while (noutside > 0)
		pthread_cond_wait(&none_left, &lock);
	pthread_mutex_unlock(&lock);
	thread_resume();
	sched_stop();
	leader_stop();
	workers_join();
	mem_put(cpus);
	n6_main_end();
}

void
mt_attach(void)
{
	thread_begin(-1, -1);
	n6_external_begin();
}

void
mt_detach(void)
{
	n6_external_end();
	thread_end();
}

void
outside_begin(void)
{
	pthread_mutex_lock(&lock);
	noutside++;
	pthread_mutex_unlock(&lock);
}

void
outside_end(void)
{
	pthread_mutex_lock(&lock);
	if (--noutside == 0)
		pthread_cond_signal(&none_left);
	pthread_mutex_unlock(&lock);
}

void
mt_spawn_function(struct mt_type *type, const void *arg, void (*done)(void *),
	void *done_arg)
{
	struct mt_task *task;

	count(FUNCTIONS);
	n6_spawn_begin();
	outside_begin();
	task = task_create(type, arg, 0);
	task->parent = NULL;
	task->done = done;
	task->done_arg = done_arg;
	task_submit(task, NULL);
	n6_spawn_end();
}

static void
post(void *sem)
{
	sem_post(sem);
}

void
mt_run(struct mt_type *type, const void *arg)
{
	sem_t done;

	sem_init(&done, 0, 0);
	mt_spawn_function(type, arg, post, &done);
	thread_pause();
	sleep_on(&done);
	thread_resume();
	sem_destroy(&done);
}
