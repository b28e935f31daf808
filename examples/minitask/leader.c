/* SPDX-License-Identifier: MIT */
/* The leader: a thread without a CPU that resumes tasks at their deadlines. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "events.h"

static pthread_t thread;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;
static struct mt_task *first; /* earliest deadline */
static bool is_over;

/* Sleeps until the first deadline, or until the list changes. */
static void
sleep_a_while(void)
{
	struct timespec t;

	ev_other_pause();
	if (first) {
		t.tv_sec = (time_t)(first->deadline / 1000000000);
		t.tv_nsec = (long)(first->deadline % 1000000000);
		pthread_cond_timedwait(&changed, &lock, &t);
	} else {
		pthread_cond_wait(&changed, &lock);
	}
	ev_other_resume();
}

static void *
lead(void *arg)
{
	EV_OVNI(thread_begin(-1, *(int32_t *)arg));
	EV_CTF(weft_ctf_cpu(WEFT_CTF_LEADER));
	ev_leader_begin();
	pthread_mutex_lock(&lock);
	while (!is_over) {
		struct mt_task *task = first;

		if (!task || task->deadline > now_ns()) {
			sleep_a_while();
			continue;
		}
		first = task->later;
		pthread_mutex_unlock(&lock);
		sched_add_one(&task->work);
		pthread_mutex_lock(&lock);
	}
	pthread_mutex_unlock(&lock);
	ev_leader_end();
	EV_CTF(weft_ctf_leave());
	EV_OVNI(thread_end());
	return NULL;
}

void
leader_add(struct mt_task *task)
{
	struct mt_task **at = &first;

	pthread_mutex_lock(&lock);
	while (*at && (*at)->deadline <= task->deadline)
		at = &(*at)->later;
	task->later = *at;
	*at = task;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&lock);
}

void
leader_start(void)
{
	static int32_t creator;
	pthread_condattr_t attr;
	int error;

	creator = gettid();
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&changed, &attr);
	pthread_condattr_destroy(&attr);
	error = pthread_create(&thread, NULL, lead, &creator);
	if (error) {
		fprintf(stderr, "minitask: no thread: %s\n", strerror(error));
		exit(1);
	}
}

void
leader_stop(void)
{
	pthread_mutex_lock(&lock);
	is_over = true;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&lock);
	pthread_join(thread, NULL);
	pthread_cond_destroy(&changed);
}
