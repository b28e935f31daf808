/* SPDX-License-Identifier: MIT */
#include "sim/engine.h"

#include <stdarg.h>

struct weft_sim_engine *
weft_sim_engine_open(const struct weft_sim_setup *setup)
{
	struct arena arena = { 0 };
	struct weft_sim_engine *e = ARENA_NEW(&arena, struct weft_sim_engine);

	e->arena = arena;
	if (setup != NULL)
		e->setup = *setup;
	intern_init(&e->strings, &e->arena);
	handler_number(&e->outside, 0);
	pthread_mutex_init(&e->lock, NULL);
	pthread_cond_init(&e->wake, NULL);
	weft_sim_domain_init(&e->domain, e, NULL, "Engine");
	if (e->setup.threads > 1) {
		e->core.shared = true;
		e->workers = workers_open(e, e->setup.threads);
		if (e->workers == NULL) {
			weft_sim_engine_close(e);
			return NULL;
		}
	}
	return e;
}

void
weft_sim_engine_close(struct weft_sim_engine *e)
{
	struct arena arena;

	if (e == NULL)
		return;
	weft_sim_finish(e);
	if (e->core.book != NULL)
		e->core.book_fini(e->core.book);
	workers_close(e->workers);
	queue_fini(&e->queue);
	map_fini(&e->names);
	pthread_mutex_destroy(&e->lock);
	pthread_cond_destroy(&e->wake);
	arena = e->arena;
	arena_fini(&arena);
}

struct weft_sim_domain *
weft_sim_engine_domain(struct weft_sim_engine *e)
{
	return &e->domain;
}

int64_t
weft_sim_now(const struct weft_sim_engine *e)
{
	return e->core.now;
}

size_t
weft_sim_pending(const struct weft_sim_engine *e)
{
	const struct turn *t = NULL;

	sim_settle(sim_engine(e));
	if (e->core.in_round)
		t = turn_here(e);
	return e->queue.n - e->queue.hole +
		(t != NULL ? turns_behind(t) : e->ahead);
}

uint64_t
weft_sim_count(const struct weft_sim_engine *e)
{
	const struct turn *t = e->core.in_round ? turn_here(e) : NULL;

	return e->count + (t != NULL ? turn_number(t) : 0);
}

int
weft_sim_schedule(struct weft_sim_handler *h, int64_t time, void *data)
{
	struct weft_sim_engine *e = h->domain.engine;

	if (__builtin_expect(time < e->core.now || time == WEFT_SIM_NEVER, 0))
		return sim_fault(e, WEFT_SIM_PAST,
			"%s: an event at %lld ps, but the time is %lld ps "
			"already",
			h->domain.name, (long long)time,
			(long long)e->core.now);
	if (__builtin_expect(e->core.in_round, 0))
		return sim_do(e,
			&(struct op){ .kind = OP_SCHEDULE,
				.handler = h,
				.time = time,
				.arg = data });
	queue_push(&e->queue, time, h, data);
	return WEFT_SIM_OK;
}

void
sim_call(struct weft_sim_engine *e, const struct queue_item *item)
{
	struct weft_sim_event ev = { item->time, item->handler, item->data };
	int failed;

	weft_sim_hook_call(&e->domain, &weft_sim_before_event, &ev, NULL);
	failed = ev.handler->handle(ev.handler, &ev);
	weft_sim_hook_call(&e->domain, &weft_sim_after_event, &ev, NULL);
	if (__builtin_expect(failed == 0, 1))
		return;
	sim_fault(e, WEFT_SIM_HANDLER, "%s: its handler returned %d at %lld ps",
		ev.handler->domain.name, failed, (long long)ev.time);
	if (e->failed == 0)
		e->failed = failed;
}

void
sim_run_one(struct weft_sim_engine *e, const struct queue_item *item)
{
	e->core.now = item->time;
	e->count++;
	e->core.current = item->handler;
	sim_call(e, item);
	e->core.current = NULL;
}

/* Waits while the simulation is paused, until continue or stop. */
static void
stand(struct weft_sim_engine *e)
{
	pthread_mutex_lock(&e->lock);
	__atomic_store_n(&e->stands, 1, __ATOMIC_RELEASE);
	while (e->paused && !e->stop)
		pthread_cond_wait(&e->wake, &e->lock);
	__atomic_store_n(&e->stands, 0, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&e->lock);
}

static bool
is_stopped(struct weft_sim_engine *e)
{
	unsigned char stop = __atomic_load_n(&e->stop, __ATOMIC_RELAXED);
	const struct queue_item *top;

	if (__builtin_expect(stop == STOP_NO, 1))
		return false;
	top = queue_top(&e->queue);
	return stop == STOP_NOW || top == NULL || top->time > e->core.now;
}

/* Returns the event to run next, or NULL. */
static const struct queue_item *
next_event(struct weft_sim_engine *e, int64_t until)
{
	const struct queue_item *top;

	if (__builtin_expect(__atomic_load_n(&e->paused, __ATOMIC_RELAXED), 0))
		stand(e);
	if (is_stopped(e))
		return NULL;
	top = queue_top(&e->queue);
	return top != NULL && top->time <= until ? top : NULL;
}

/* The address of this variable identifies the thread. */
static __thread char here;

/* Runs events up to `time`. Returns WEFT_SIM_STUCK only if to_end is set: the
 * caller wants all events run. */
static int
run(struct weft_sim_engine *e, int64_t time, bool to_end)
{
	const struct queue_item *top;
	int stuck = WEFT_SIM_OK;

	if (__atomic_load_n(&e->running, __ATOMIC_RELAXED))
		return sim_fault(e, WEFT_SIM_BUSY, "the engine runs already");
	e->failed = 0;
	__atomic_store_n(&e->stop, STOP_NO, __ATOMIC_RELAXED);
	__atomic_store_n(&e->runner, &here, __ATOMIC_RELAXED);
	__atomic_store_n(&e->running, 1, __ATOMIC_RELEASE);
	while ((top = next_event(e, time)) != NULL) {
		if (e->workers != NULL && (top->order & QUEUE_SECONDARY) == 0) {
			workers_round(e->workers);
		} else {
			struct queue_item item = queue_take(&e->queue);

			sim_run_one(e, &item);
		}
	}
	if (to_end)
		stuck = sim_judge(e);
	__atomic_store_n(&e->runner, NULL, __ATOMIC_RELAXED);
	__atomic_store_n(&e->running, 0, __ATOMIC_RELEASE);
	return e->failed != 0 ? e->failed : stuck;
}

int
weft_sim_run_until(struct weft_sim_engine *e, int64_t time)
{
	return run(e, time, false);
}

int
weft_sim_run(struct weft_sim_engine *e)
{
	return run(e, WEFT_SIM_NEVER, true);
}

/* Sets a flag that stand() reads, and wakes stand(). */
static void
tell(struct weft_sim_engine *e, unsigned char *flag, unsigned char value)
{
	pthread_mutex_lock(&e->lock);
	__atomic_store_n(flag, value, __ATOMIC_RELAXED);
	pthread_cond_broadcast(&e->wake);
	pthread_mutex_unlock(&e->lock);
}

void
weft_sim_pause(struct weft_sim_engine *e)
{
	tell(e, &e->paused, 1);
}

void
weft_sim_continue(struct weft_sim_engine *e)
{
	tell(e, &e->paused, 0);
}

void
weft_sim_stop(struct weft_sim_engine *e)
{
	bool by_handler = turn_here(e) != NULL ||
		__atomic_load_n(&e->runner, __ATOMIC_RELAXED) == &here;

	tell(e, &e->stop, by_handler ? STOP_AFTER_TIME : STOP_NOW);
}

bool
weft_sim_paused(struct weft_sim_engine *e)
{
	return __atomic_load_n(&e->paused, __ATOMIC_ACQUIRE) &&
		(__atomic_load_n(&e->stands, __ATOMIC_ACQUIRE) ||
			!__atomic_load_n(&e->running, __ATOMIC_ACQUIRE));
}

void
weft_sim_at_end(struct weft_sim_engine *e, void (*fn)(void *arg, int64_t now),
	void *arg)
{
	sim_take_turn(e);
	VEC_PUSH(&e->ends, &e->arena, ((struct end_handler){ fn, arg }));
}

void
weft_sim_finish(struct weft_sim_engine *e)
{
	if (e->finished)
		return;
	e->finished = true;
	sim_judge(e);
	for (int i = 0; i < e->ends.n; i++)
		e->ends.at[i].fn(e->ends.at[i].arg, e->core.now);
}

struct weft_sim_handler *
sim_running(struct weft_sim_engine *e)
{
	if (__builtin_expect(e->core.in_round, 0))
		return turn_handler(turn_of(e));
	return e->core.current != NULL ? e->core.current : &e->outside;
}

uint64_t
weft_sim_id(struct weft_sim_engine *e)
{
	struct weft_sim_handler *h = sim_running(e);

	return ++h->ids << h->shift | h->tag;
}

const char *
weft_sim_string(struct weft_sim_engine *e, const char *s)
{
	sim_take_turn(e);
	return intern_name(&e->strings, intern_add(&e->strings, s));
}

bool
sim_keeps(const struct weft_sim_engine *e, const char *text)
{
	uint32_t i = intern_find(&e->strings, text);

	return i != INTERN_NONE && intern_name(&e->strings, i) == text;
}

void
sim_wait_turn(struct weft_sim_engine *e)
{
	turn_take(turn_of(e));
}

void
sim_settle(struct weft_sim_engine *e)
{
	struct turn *t = e->core.in_round ? turn_here(e) : NULL;

	if (t == NULL)
		return;
	turn_take(t);
	turn_settle(t);
}

struct arena *
sim_arena(struct weft_sim_engine *e)
{
	return &e->arena;
}

struct weft_sim_domain *
sim_domains(const struct weft_sim_engine *e)
{
	return e->newest;
}
