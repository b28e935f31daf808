/* SPDX-License-Identifier: MIT */
/* Start and stop, the CPUs, threads from outside. */
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "events.h"

static struct cpu *cpus;
static int ncpus;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t none_left = PTHREAD_COND_INITIALIZER;
static int noutside; /* running tasks from outside */

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

int mt_traces;

struct weft_ctf_tracepoint mt_points[] = {
	WEFT_NANOS6_TRACEPOINTS[HELP_BEGIN] = { .name = "taskfor_init_enter",
		.fields = "u16 type, u32 id" },
	[HELP_END] = { .name = "taskfor_init_exit" }, { 0 }
};

void
events_choose(void)
{
	static const char *const names[] = { "", "ovni", "ctf", "both" };
	const char *text = getenv("MINITASK_TRACE");

	mt_traces = text ? MT_OVNI | MT_CTF : MT_OVNI;
	while (text && mt_traces > 0 && strcmp(names[mt_traces], text) != 0)
		mt_traces--;
}

/* CPUs have the system's numbers, in the order of their indices. */
void
events_begin(void)
{
	int *ids;

	if (!(mt_traces & MT_CTF))
		return;
	ids = mem_get((size_t)ncpus * sizeof(int));
	for (int i = 0; i < ncpus; i++)
		ids[i] = cpus[i].id;
	weft_ctf_start(&(struct weft_ctf_runtime){ .prefix = "nanos6",
		.points = mt_points,
		.ncpus = ncpus,
		.cpus = ids });
	mem_put(ids);
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

/* The first event of the process registers its CPUs. If this thread is bound to
 * one CPU, it would occupy that CPU; thread_move(-1) leaves it to a worker. */
void
mt_start(void)
{
	events_choose();
	EV_OVNI(weft_require("nanos6", "1.1.0"));
	EV_OVNI(thread_move(-1));
	ev_main_begin();
	find_cpus();
	events_begin();
	leader_start();
	workers_start();
}

void
mt_stop(void)
{
	ev_other_pause();
	pthread_mutex_lock(&lock);
	while (noutside > 0)
		pthread_cond_wait(&none_left, &lock);
	pthread_mutex_unlock(&lock);
	ev_other_resume();
	sched_stop();
	leader_stop();
	workers_join();
	mem_put(cpus);
	ev_main_end();
}

void
mt_attach(void)
{
	EV_OVNI(thread_begin(-1, -1));
	ev_external_begin();
}

void
mt_detach(void)
{
	ev_external_end();
	EV_OVNI(thread_end());
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
	ev_spawn_begin();
	outside_begin();
	task = task_create(type, arg, 0);
	task->parent = NULL;
	task->done = done;
	task->done_arg = done_arg;
	task_submit(task, NULL);
	ev_spawn_end();
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
	ev_other_pause();
	sleep_on(&done);
	ev_other_resume();
	sem_destroy(&done);
}
