/* SPDX-License-Identifier: MIT */
#include "serve/shown.h"

#include <stdio.h>
#include <string.h>

#include "export/index/index.h"

const char *
shown_word(enum serve_state state)
{
	static const char *const names[] = {
		[SERVE_READY] = "ready",
		[SERVE_BUILDING] = "building",
		[SERVE_LIVE] = "live",
		[SERVE_GONE] = "gone",
	};

	return names[state];
}

/* Describes the generation in the status. */
static void
describe(struct shown *s)
{
	const struct index_meta *m;

	if (s->now == NULL) {
		memset(s->status.gen, '0', SHOWN_GEN);
		return;
	}
	m = index_meta(s->now->index);
	s->status.indexes++;
	memcpy(s->status.gen, s->now->text, sizeof s->status.gen);
	s->status.end = m->end;
	s->status.indexed = m->nrecords;
}

static struct generation *
make(const struct index *index)
{
	struct generation *g = mem_resize(NULL, 1, sizeof *g);
	const uint8_t *id = index_meta(index)->generation;

	*g = (struct generation){ .index = index, .users = 1 };
	snprintf(g->text, sizeof g->text, "%02x%02x%02x%02x", id[0], id[1],
		id[2], id[3]);
	return g;
}

void
shown_init(struct shown *s, const struct serve_trace *trace)
{
	*s = (struct shown){ .trace = trace };
	pthread_mutex_init(&s->lock, NULL);
	s->status.state = trace->state;
	if (trace->index != NULL)
		s->now = make(trace->index);
	if (trace->state == SERVE_READY)
		s->status.done = 1000;
	describe(s);
}

void
shown_drop(struct shown *s, struct generation *g)
{
	bool last;

	if (g == NULL)
		return;
	pthread_mutex_lock(&s->lock);
	last = --g->users == 0;
	pthread_mutex_unlock(&s->lock);
	if (!last)
		return;
	index_close(g->owned);
	arena_fini(&g->arena);
	mem_free(g);
}

void
shown_fini(struct shown *s)
{
	shown_drop(s, s->now);
	pthread_mutex_destroy(&s->lock);
}

void
shown_replace(struct shown *s, struct index *index, struct arena *a,
	enum serve_state state)
{
	struct generation *g = make(index), *before;

	g->owned = index;
	g->arena = *a;
	*a = (struct arena){ 0 };
	pthread_mutex_lock(&s->lock);
	before = s->now;
	s->now = g;
	s->status.state = state;
	s->status.changed = false;
	*s->status.why = '\0';
	if (state != SERVE_BUILDING)
		s->status.done = 1000;
	describe(s);
	pthread_mutex_unlock(&s->lock);
	shown_drop(s, before);
}

void
shown_progress(struct shown *s, int done, uint64_t records)
{
	pthread_mutex_lock(&s->lock);
	s->status.done = done;
	s->status.records = records;
	pthread_mutex_unlock(&s->lock);
}

void
shown_gone(struct shown *s, const char *why)
{
	pthread_mutex_lock(&s->lock);
	if (s->status.state != SERVE_GONE) {
		s->status.state = SERVE_GONE;
		snprintf(s->status.why, sizeof s->status.why, "%s", why);
	}
	pthread_mutex_unlock(&s->lock);
}

void
shown_changed(struct shown *s, const struct generation *g)
{
	pthread_mutex_lock(&s->lock);
	s->status.changed |= g == s->now;
	pthread_mutex_unlock(&s->lock);
}

void
shown_refused(struct shown *s, const char *why)
{
	pthread_mutex_lock(&s->lock);
	if (s->status.state != SERVE_GONE) {
		s->status.changed = true;
		s->status.refusals++;
		snprintf(s->status.why, sizeof s->status.why, "%s", why);
	}
	pthread_mutex_unlock(&s->lock);
}

void
shown_want_reload(struct shown *s)
{
	pthread_mutex_lock(&s->lock);
	s->reload = true;
	pthread_mutex_unlock(&s->lock);
}

bool
shown_take_reload(struct shown *s)
{
	bool is;

	pthread_mutex_lock(&s->lock);
	is = s->reload;
	s->reload = false;
	pthread_mutex_unlock(&s->lock);
	return is;
}

struct generation *
shown_take(struct shown *s, struct shown_status *status)
{
	struct generation *g;

	pthread_mutex_lock(&s->lock);
	g = s->now;
	if (g != NULL)
		g->users++;
	*status = s->status;
	pthread_mutex_unlock(&s->lock);
	return g;
}
