/* SPDX-License-Identifier: MIT */
#include "serve/jobs.h"

#include <pthread.h>
#include <stddef.h>

#include "base/arena.h"

struct jobs {
	void (*run)(void *arg, struct job *job, bool too_late);
	void *arg;
	pthread_t thread[JOBS_RUNNING];
	int nthreads;
	pthread_mutex_t lock; /* protects the fields below */
	pthread_cond_t wake;
	struct job *first, *last; /* waiting jobs */
	int n;
	bool ends;
};

/* Waits for the next job. Returns NULL when the thread must end. */
static struct job *
take(struct jobs *j, bool *too_late)
{
	struct job *job;

	pthread_mutex_lock(&j->lock);
	while (j->first == NULL && !j->ends)
		pthread_cond_wait(&j->wake, &j->lock);
	job = j->first;
	if (job != NULL) {
		j->first = job->next;
		j->n--;
	}
	*too_late = j->ends;
	pthread_mutex_unlock(&j->lock);
	return job;
}

static void *
work(void *arg)
{
	struct jobs *j = arg;
	struct job *job;
	bool too_late;

	while ((job = take(j, &too_late)) != NULL)
		j->run(j->arg, job, too_late);
	return NULL;
}

struct jobs *
jobs_open(void (*run)(void *arg, struct job *job, bool too_late), void *arg)
{
	struct jobs *j = mem_resize(NULL, 1, sizeof *j);

	*j = (struct jobs){ .run = run,
		.arg = arg,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.wake = PTHREAD_COND_INITIALIZER };
	while (j->nthreads < JOBS_RUNNING &&
		pthread_create(&j->thread[j->nthreads], NULL, work, j) == 0)
		j->nthreads++;
	if (j->nthreads > 0)
		return j;
	jobs_close(j);
	return NULL;
}

bool
jobs_add(struct jobs *j, struct job *job)
{
	bool fits;

	job->next = NULL;
	pthread_mutex_lock(&j->lock);
	fits = j->n < JOBS_WAITING && !j->ends;
	if (fits) {
		if (j->first == NULL)
			j->first = job;
		else
			j->last->next = job;
		j->last = job;
		j->n++;
		pthread_cond_signal(&j->wake);
	}
	pthread_mutex_unlock(&j->lock);
	return fits;
}

void
jobs_end(struct jobs *j)
{
	if (j == NULL)
		return;
	pthread_mutex_lock(&j->lock);
	j->ends = true;
	pthread_cond_broadcast(&j->wake);
	pthread_mutex_unlock(&j->lock);
	for (int i = 0; i < j->nthreads; i++)
		pthread_join(j->thread[i], NULL);
	j->nthreads = 0;
}

void
jobs_close(struct jobs *j)
{
	if (j == NULL)
		return;
	jobs_end(j);
	pthread_cond_destroy(&j->wake);
	pthread_mutex_destroy(&j->lock);
	mem_free(j);
}
