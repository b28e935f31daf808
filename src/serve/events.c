/* SPDX-License-Identifier: MIT */
#include "serve/events.h"

#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "base/document.h"
#include "export/index/index.h"
#include "serve/answer.h"
#include "serve/shown.h"

#define STEP_NS 250000000
#define COMMENT \
	60 /* steps: a comment every 15 s shows that the connection is alive \
	    */
#define LOOK \
	8 /* steps between two looks at the inputs, which are file accesses */

struct events {
	const struct http_ops *ops;
	struct http *http;
	struct shown *shown;
	int ntraces;
	struct shown_status *told; /* by trace: the state that pages were sent
	                            * last */
	struct arena arena;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	bool ends; /* under the lock */
};

enum event { EVENT_PROGRESS, EVENT_GROWN, EVENT_CHANGED, EVENT_GONE };

static void
put_event(struct out *to, enum event event, int trace,
	const struct shown_status *s)
{
	static const char *const names[] = {
		[EVENT_PROGRESS] = "progress",
		[EVENT_GROWN] = "grown",
		[EVENT_CHANGED] = "changed",
		[EVENT_GONE] = "gone",
	};
	struct doc doc;

	doc_open_memory(&doc);
	doc_begin(&doc, NULL, '{');
	doc_i64(&doc, "trace", trace);
	doc_word(&doc, "gen", s->gen);
	if (event == EVENT_PROGRESS || event == EVENT_GROWN)
		doc_word(&doc, "state", shown_word(s->state));
	if (event == EVENT_PROGRESS) {
		doc_i64(&doc, "done", s->done);
		answer_u64(&doc, "records", s->records);
	} else if (event == EVENT_GROWN) {
		answer_i64(&doc, "watermark", s->end);
		answer_i64(&doc, "end", s->end);
		answer_u64(&doc, "records", s->indexed);
	} else if (event == EVENT_GONE || *s->why != '\0') {
		doc_word(&doc, "why", s->why);
	}
	doc_end(&doc, '}');
	out_puts(to, "event: ");
	out_puts(to, names[event]);
	out_puts(to, "\ndata: ");
	out_put(to, doc.out.buf, (size_t)(doc.out.at - doc.out.buf));
	out_puts(to, "\n\n");
	out_close(&doc.out);
}

/* Appends what changed between two states of a trace. */
static void
put_changes(struct out *to, int trace, const struct shown_status *old,
	const struct shown_status *now)
{
	bool grown = now->indexes != old->indexes;

	if (now->indexes > 0 &&
		(grown ||
			(now->state != old->state && now->state != SERVE_GONE)))
		put_event(to, EVENT_GROWN, trace, now);
	if (now->state == SERVE_BUILDING &&
		(now->done != old->done || now->records != old->records))
		put_event(to, EVENT_PROGRESS, trace, now);
	if (now->changed &&
		(!old->changed || grown || now->refusals != old->refusals))
		put_event(to, EVENT_CHANGED, trace, now);
	if (now->state == SERVE_GONE && old->state != SERVE_GONE)
		put_event(to, EVENT_GONE, trace, now);
}

size_t
events_hello(struct shown *shown, int ntraces, char *to, size_t room)
{
	size_t n = 0, more;

	for (int i = 0; i < ntraces; i++) {
		struct shown_status now, old;
		struct out out;

		shown_drop(&shown[i], shown_take(&shown[i], &now));
		old = now;
		old.state = SERVE_READY;
		old.changed = false;
		old.done = -1;
		out_open_memory(&out);
		put_changes(&out, i, &old, &now);
		more = (size_t)(out.at - out.buf);
		if (more <= room - n) {
			memcpy(to + n, out.buf, more);
			n += more;
		}
		out_close(&out);
	}
	return n;
}

/* Compares the inputs of a trace with its index, and the state of the index
 * with the last one that was sent. */
static void
look(struct shown *s)
{
	const struct serve_trace *t = s->trace;
	struct shown_status now;
	struct generation *g = shown_take(s, &now);

	if (g != NULL && now.state != SERVE_GONE) {
		if (!index_is_whole(g->index))
			shown_gone(s, SHOWN_CUT);
		else if (t->input != NULL)
			switch (t->input(t->arg, g->index)) {
			case SERVE_SAME:
				break;
			case SERVE_CHANGED:
				if (now.state == SERVE_READY)
					shown_changed(s, g);
				break;
			case SERVE_REMOVED:
				shown_gone(s,
					"the files of the trace were "
					"removed");
				break;
			}
	}
	shown_drop(s, g);
}

static void
tell_changes(struct events *e, bool looks)
{
	struct out out;

	out_open_memory(&out);
	for (int i = 0; i < e->ntraces; i++) {
		struct shown_status now;

		if (looks)
			look(&e->shown[i]);
		shown_drop(&e->shown[i], shown_take(&e->shown[i], &now));
		put_changes(&out, i, &e->told[i], &now);
		e->told[i] = now;
	}
	if (out.at > out.buf) {
		out_put(&out, "", 1);
		e->ops->tell(e->http, out.buf);
	}
	out_close(&out);
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
		/* Nobody listens: nothing needs to be looked at. */
		tell_changes(e, step % LOOK == 0 && e->ops->tell(e->http, ""));
		if (step % COMMENT == 0)
			e->ops->tell(e->http, ":\n\n");
	}
	return NULL;
}

struct events *
events_start(const struct http_ops *ops, struct http *http, struct shown *shown,
	int ntraces)
{
	struct arena a = { 0 };
	struct events *e = ARENA_NEW(&a, struct events);
	pthread_condattr_t attr;

	e->ops = ops;
	e->http = http;
	e->shown = shown;
	e->ntraces = ntraces;
	e->told = ARENA_ARRAY(&a, struct shown_status, ntraces);
	for (int i = 0; i < ntraces; i++)
		shown_drop(&shown[i], shown_take(&shown[i], &e->told[i]));
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
