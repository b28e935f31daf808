/* SPDX-License-Identifier: MIT */
/*
 * Worker threads. Each CPU is a baton: the worker that has it runs, all others
 * sleep. A worker passes the baton on when its task waits, and when the next
 * work is on another worker's stack. So the data of a CPU needs no lock, and no
 * CPU has two running threads.
 */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "events.h"

__thread struct worker *mt_me;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct worker *made;
static atomic_ullong sponge_ns;

static void
bind_to(const struct cpu *cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)cpu->id, &set);
	pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
}

/* Sleeps until another worker wakes this one and names its next CPU, on which
 * no thread runs any more. */
static void
suspend(void)
{
	struct worker *me = mt_me;

	ev_suspend_begin();
	EV_OVNI(thread_pause());
	sleep_on(&me->wake);
	EV_OVNI(thread_warm());
	if (me->next_cpu != me->cpu) {
		ev_migrate_begin();
		me->cpu = me->next_cpu;
		bind_to(me->cpu);
		EV_OVNI(thread_move(me->cpu->id));
		ev_migrate_end();
		count(MIGRATIONS);
	}
	ev_worker_back(me);
	ev_suspend_end();
}

/* Passes the CPU on. Between thread_cool() and thread_pause() this thread only
 * records its last events. */
static void
switch_to(struct worker *other)
{
	count(SWITCHES);
	ev_switch_begin();
	ev_resume_begin();
	ev_wake(other->tid);
	other->next_cpu = mt_me->cpu;
	EV_OVNI(thread_cool());
	ev_worker_leave(mt_me);
	sem_post(&other->wake);
	ev_resume_end();
	suspend();
	ev_switch_end();
}

void
worker_rest(void)
{
	count(RESTS);
	ev_resting();
	ev_worker_leave(mt_me);
	suspend();
	ev_progressing();
}

/* Keeps the CPU idle, so that the machine's other work delays no task. */
static void
absorb(uint64_t ns)
{
	struct timespec t = { (time_t)(ns / 1000000000),
		(long)(ns % 1000000000) };

	ev_absorbing();
	ev_sponge_begin();
	nanosleep(&t, NULL);
	ev_sponge_end();
	ev_progressing();
}

void
mt_sponge(uint64_t ns)
{
	atomic_store(&sponge_ns, ns);
}

static struct worker *
take_spare(struct cpu *cpu)
{
	struct worker *spare = cpu->spare;

	if (spare)
		cpu->spare = spare->next;
	return spare;
}

static void
handle(struct work *work)
{
	struct worker *me = mt_me;

	if (work->is_help) {
		for_help(work->task);
	} else if (!work->task->worker) {
		task_run(work->task);
	} else {
		me->next = me->cpu->spare;
		me->cpu->spare = me;
		switch_to(work->task->worker);
	}
}

static void *
work(void *arg)
{
	struct worker *me = arg, *next;
	struct work *todo;
	uint64_t ns;

	mt_me = me;
	me->tid = gettid();
	sem_post(&me->born);
	sleep_on(&me->wake);
	me->cpu = me->next_cpu;
	bind_to(me->cpu);
	ev_worker_start(me);
	ev_worker_begin();
	while ((todo = sched_get(me->cpu)) != NULL) {
		handle(todo);
		if ((ns = atomic_exchange(&sponge_ns, 0)) != 0)
			absorb(ns);
	}
	ev_worker_end();
	next = take_spare(me->cpu);
	ev_worker_stop(me);
	if (next) {
		next->next_cpu = me->cpu;
		sem_post(&next->wake);
	}
	return NULL;
}

static struct worker *
make(void)
{
	struct worker *worker = mem_get(sizeof(*worker));
	int error;

	worker->creator = gettid();
	sem_init(&worker->wake, 0, 0);
	sem_init(&worker->born, 0, 0);
	error = pthread_create(&worker->thread, NULL, work, worker);
	if (error) {
		fprintf(stderr, "minitask: no thread: %s\n", strerror(error));
		exit(1);
	}
	sleep_on(&worker->born);
	pthread_mutex_lock(&lock);
	worker->next_made = made;
	made = worker;
	pthread_mutex_unlock(&lock);
	count(WORKERS);
	return worker;
}

void
worker_yield(void)
{
	struct worker *spare = take_spare(mt_me->cpu);

	switch_to(spare ? spare : make());
}

void
workers_start(void)
{
	for (int i = 0; i < mt_ncpus(); i++) {
		struct worker *worker = make();

		worker->next_cpu = cpu_at(i);
		sem_post(&worker->wake);
	}
}

void
workers_join(void)
{
	while (made) {
		struct worker *worker = made;

		pthread_join(worker->thread, NULL);
		made = worker->next_made;
		sem_destroy(&worker->wake);
		sem_destroy(&worker->born);
		mem_put(worker);
	}
}
