/* SPDX-License-Identifier: MIT */
/*
 * A central scheduler. A thread that adds work puts it into the inbox. A thread
 * that looks for work becomes the server: it moves the inbox to the ready list,
 * and gives work to its own CPU and to all CPUs that wait for work. If there is
 * none for its CPU, the CPU rests; while a CPU rests, threads that add work
 * become the server.
 */
#include "events.h"

static pthread_mutex_t server = PTHREAD_MUTEX_INITIALIZER;
static struct queue ready; /* under the server's lock */

/* A thread may lock it while it holds the server's lock, but not the other way
 * round. */
static pthread_mutex_t inbox_lock = PTHREAD_MUTEX_INITIALIZER;
static struct queue inbox;
static int nresting;
static bool is_over;

void
queue_add(struct queue *queue, struct work *work)
{
	work->next = NULL;
	if (queue->first)
		queue->last->next = work;
	else
		queue->first = work;
	queue->last = work;
}

/* Puts new work first: then the depth of the tree of tasks, not its width,
 * bounds the number of waiting tasks. */
static void
collect(void)
{
	struct queue new;

	pthread_mutex_lock(&inbox_lock);
	new = inbox;
	inbox = (struct queue){ 0 };
	pthread_mutex_unlock(&inbox_lock);
	if (!new.first)
		return;
	ev_process_begin();
	new.last->next = ready.first;
	if (!ready.first)
		ready.last = new.last;
	ready.first = new.first;
	ev_process_end();
}

static struct work *
take(void)
{
	struct work *work = ready.first;

	if (work)
		ready.first = work->next;
	return work;
}

/* Wakes the CPU's worker if it rests: returns it, or NULL. */
static struct worker *
rouse(struct cpu *cpu)
{
	struct worker *worker;

	pthread_mutex_lock(&inbox_lock);
	worker = cpu->rests;
	cpu->rests = NULL;
	nresting -= worker != NULL;
	pthread_mutex_unlock(&inbox_lock);
	return worker;
}

static void
send(struct cpu *cpu, struct work *work)
{
	struct worker *worker = rouse(cpu);

	atomic_store(&cpu->wants, false);
	cpu->given = work;
	ev_sent(work->task);
	if (!worker)
		return;
	ev_wake(worker->tid);
	sem_post(&worker->wake);
}

/* own is NULL if the thread looks for no work itself. */
static void
serve(struct cpu *own, uint64_t since)
{
	ev_serve_begin(since);
	collect();
	if (own && (own->given = take()) != NULL)
		ev_took();
	for (int i = 0; i < mt_ncpus() && ready.first; i++) {
		struct cpu *cpu = cpu_at(i);

		if (cpu != own && !cpu->given && atomic_load(&cpu->wants))
			send(cpu, take());
	}
	ev_serve_end();
}

void
sched_add(struct queue works)
{
	uint64_t since;
	bool is_awaited;

	if (!works.first)
		return;
	ev_add_begin();
	pthread_mutex_lock(&inbox_lock);
	if (inbox.first)
		inbox.last->next = works.first;
	else
		inbox.first = works.first;
	inbox.last = works.last;
	is_awaited = nresting > 0;
	pthread_mutex_unlock(&inbox_lock);
	ev_add_end();
	if (!is_awaited)
		return;
	since = ev_now();
	pthread_mutex_lock(&server);
	serve(NULL, since);
	pthread_mutex_unlock(&server);
}

void
sched_add_one(struct work *work)
{
	struct queue one = { 0 };

	queue_add(&one, work);
	sched_add(one);
}

/* Marks the CPU as resting. Returns false if there is new work, or if the
 * runtime stops. */
static bool
may_rest(struct cpu *cpu)
{
	bool ok;

	pthread_mutex_lock(&inbox_lock);
	ok = !inbox.first && !is_over;
	if (ok) {
		cpu->rests = mt_me;
		nresting++;
	}
	pthread_mutex_unlock(&inbox_lock);
	return ok;
}

static bool
ends(void)
{
	bool yes;

	pthread_mutex_lock(&inbox_lock);
	yes = is_over;
	pthread_mutex_unlock(&inbox_lock);
	return yes;
}

/* Returns work that another server gave to this CPU or that this thread served;
 * else rests and returns NULL. */
static struct work *
look(struct cpu *cpu)
{
	struct work *work;
	uint64_t since = ev_now();
	bool is_sent, rests;

	atomic_store(&cpu->wants, true);
	pthread_mutex_lock(&server);
	is_sent = cpu->given != NULL;
	if (!is_sent)
		serve(cpu, since);
	work = cpu->given;
	cpu->given = NULL;
	rests = !work && may_rest(cpu);
	if (!rests)
		atomic_store(&cpu->wants, false);
	pthread_mutex_unlock(&server);
	if (is_sent)
		ev_received(since, work->task);
	if (rests)
		worker_rest();
	return work;
}

struct work *
sched_get(struct cpu *cpu)
{
	struct work *work;

	ev_look_begin();
	do
		work = look(cpu);
	while (!work && !ends());
	ev_look_end();
	return work;
}

void
sched_stop(void)
{
	pthread_mutex_lock(&inbox_lock);
	is_over = true;
	pthread_mutex_unlock(&inbox_lock);
	for (int i = 0; i < mt_ncpus(); i++) {
		struct worker *worker = rouse(cpu_at(i));

		if (worker)
			sem_post(&worker->wake);
	}
}
