/* SPDX-License-Identifier: MIT */
#include "serve/events.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>

#include "base/arena.h"
#include "serve/trace.h"

#define STEP_NS 250000000
#define COMMENT \
	60 /* steps: a comment every 15 s shows that the connection is alive \
	    */
#define LOOK \
	8 /* steps between two looks at the inputs, which are file accesses */

struct events {
	const struct http_ops *ops;
	struct http *http;
	const struct serve_trace *trace;
	int ntraces;
	bool *changed; /* by trace: pages were told */
	struct arena arena;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	bool ends; /* under the lock */
};

static void
tell_changes(struct events *e)
{
	char text[64];

	/* No page listens, so the inputs need not be looked at. */
	if (!e->ops->tell(e->http, ""))
		return;
	for (int i = 0; i < e->ntraces; i++) {
		const struct serve_trace *t = &e->trace[i];

		if (e->changed[i] || t->changed == NULL || !t->changed(t->arg))
			continue;
		snprintf(text, sizeof text,
			"event: changed\ndata: {\"trace\":%d}\n\n", i);
		/* A page that connects later gets the event again. */
		e->changed[i] = e->ops->tell(e->http, text);
	}
}

/* Sleeps for a step. Returns false when the thread must end. */
static bool
sleep_step(struct events *e)
{
	struct timespec until;
	bool ends;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += STEP_NS;
	if (until.tv_nsec >= 1000000000) {
		until.tv_nsec -= 1000000000;
		until.tv_sec++;
	}
	pthread_mutex_lock(&e->lock);
	while (!e->ends &&
		pthread_cond_timedwait(&e->wake, &e->lock, &until) == 0)
		;
	ends = e->ends;
	pthread_mutex_unlock(&e->lock);
	return !ends;
}

static void *
run(void *arg)
{
	struct events *e = arg;

	for (unsigned step = 1; sleep_step(e); step++) {
		if (step % LOOK == 0)
			tell_changes(e);
		if (step % COMMENT == 0)
			e->ops->tell(e->http, ":\n\n");
	}
	return NULL;
}

struct events *
events_start(const struct http_ops *ops, struct http *http,
	const struct serve_trace *trace, int ntraces)
{
	struct arena a = { 0 };
	struct events *e = ARENA_NEW(&a, struct events);
	pthread_condattr_t attr;

	e->ops = ops;
	e->http = http;
	e->trace = trace;
	e->ntraces = ntraces;
	e->changed = ARENA_ARRAY(&a, bool, ntraces);
	e->arena = a;
	pthread_mutex_init(&e->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&e->wake, &attr);
	pthread_condattr_destroy(&attr);
	if (pthread_create(&e->thread, NULL, run, e) != 0)
		e->ends = true; /* pages that connect now get answers, but no
		                   events */
	return e;
}

void
events_stop(struct events *e)
{
	struct arena a;
	bool runs;

	if (e == NULL)
		return;
	pthread_mutex_lock(&e->lock);
	runs = !e->ends;
	e->ends = true;
	pthread_cond_signal(&e->wake);
	pthread_mutex_unlock(&e->lock);
	if (runs)
		pthread_join(e->thread, NULL);
	pthread_cond_destroy(&e->wake);
	pthread_mutex_destroy(&e->lock);
	a = e->arena;
	arena_fini(&a);
}
