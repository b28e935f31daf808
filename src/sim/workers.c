/* SPDX-License-Identifier: MIT */
#include <sched.h>
#include <string.h>

#include "base/bug.h"
#include "base/now.h"
#include "sim/engine.h"

/*
 * The primary events of one time form a round, and each event is a turn.
 * Threads claim turns in order, run their handlers at once, and store the
 * changes to the engine as ops. When all turns are done, one thread applies the
 * ops, turn by turn. A handler with several events in a round waits for its
 * earlier turns. A turn waits only for turns that were claimed before it, so
 * some thread can always proceed.
 */

#define SPINS 2000 /* polls of a word before a thread sleeps */
#define ROUND_MAX \
	0xfffff        /* turns in a round: the claim has 20 bits for them \
	                */
#define WORTH_NS 20000 /* a shorter round is faster on a single thread */
#define MEASURE \
	64 /* one of this many rounds runs on one thread, to be \ measured */

struct turn {
	struct weft_sim_engine *engine;
	struct queue_item item;
	struct turn *before; /* previous turn of the same handler in this round,
	                      * or NULL */
	uint32_t index;
	unsigned char done; /* atomic */
	bool mine;          /* all turns before this one are done */
	struct op *op;      /* owned */
	size_t nops, cap;
};

struct workers {
	struct weft_sim_engine *engine;
	/* Words that all threads write, each in a cache line of its own.
	 * Both hold the number of the round, so that a late thread changes
	 * nothing. */
	char pad1[64];
	uint64_t claim; /* round << 40 | turns << 20 | next turn to claim */
	char pad2[64];
	uint64_t complete; /* round << 40 | turns done without a gap */
	char pad3[64];
	uint32_t active;   /* threads that may be reading turns */
	struct turn *turn; /* owned */
	size_t n, cap;
	/* Ops of next_turn before next_op are applied. Owned by the thread that
	 * has the turn, after the round by the caller's thread. */
	size_t next_turn, next_op;
	bool settling;
	uint64_t rounds;
	int64_t cost_ns; /* average cost of a turn */
	int nthreads;    /* threads besides the caller's */
	unsigned char quit;
	uint32_t sleepers; /* atomic */
	pthread_mutex_t lock;
	pthread_cond_t wake;
	pthread_t thread[];
};

static __thread struct turn *self;

static inline void
relax(unsigned *spins)
{
	if (++*spins % SPINS == 0)
		sched_yield();
#ifdef __x86_64__
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield" ::: "memory");
#endif
}

/* Returns the turn of the calling thread. A thread that runs no handler of the
 * engine must not call this: that is a bug in the user's program which cannot
 * be repaired here. */
struct turn *
turn_of(struct weft_sim_engine *e)
{
	BUG_ON(self == NULL || self->engine != e);
	return self;
}

struct turn *
turn_here(const struct weft_sim_engine *e)
{
	return self != NULL && self->engine == e ? self : NULL;
}

struct weft_sim_handler *
turn_handler(struct turn *t)
{
	return t->item.handler;
}

size_t
turn_number(const struct turn *t)
{
	return (size_t)t->index + 1;
}

size_t
turns_behind(const struct turn *t)
{
	return t->engine->workers->n - turn_number(t);
}

void
turn_write(struct turn *t, const struct op *op)
{
	if (t->nops == t->cap) {
		t->cap = t->cap == 0 ? 8 : 2 * t->cap;
		t->op = mem_resize(t->op, t->cap, sizeof *t->op);
	}
	t->op[t->nops++] = *op;
}

void
turn_take(struct turn *t)
{
	struct workers *w = t->engine->workers;
	unsigned spins = 0;

	if (t->mine)
		return;
	while ((__atomic_load_n(&w->complete, __ATOMIC_ACQUIRE) & ROUND_MAX) <
		t->index)
		relax(&spins);
	t->mine = true;
}

/* Applies an op. Changes of hooks wait for the end of the round: applied in the
 * middle of the round, they would show whether it runs on one thread or on
 * several. */
static void
apply(struct weft_sim_engine *e, const struct op *op)
{
	if (op->kind >= OP_ATTACH)
		VEC_PUSH(&e->late_ops, &e->arena, *op);
	else
		sim_apply(e, op);
}

/* Applies the ops of the turns up to `to`. Applying an op may report a fault,
 * and reporting calls this function again; the inner call does nothing. */
static void
settle(struct workers *w, size_t to)
{
	if (w->settling)
		return;
	w->settling = true;
	for (;;) {
		struct turn *t = &w->turn[w->next_turn];

		while (w->next_op < t->nops) {
			struct op op = t->op[w->next_op++];

			apply(w->engine, &op);
		}
		if (w->next_turn >= to)
			break;
		w->next_turn++;
		w->next_op = 0;
	}
	w->settling = false;
}

void
turn_settle(struct turn *t)
{
	settle(t->engine->workers, t->index);
}

/* Marks the turn as done. The thread that finds the first uncounted turn done
 * counts it. */
static void
turn_done(struct workers *w, struct turn *t, uint64_t claim)
{
	uint64_t n = claim >> 20 & ROUND_MAX, round = claim >> 40, c;

	__atomic_store_n(&t->done, 1, __ATOMIC_SEQ_CST);
	c = __atomic_load_n(&w->complete, __ATOMIC_SEQ_CST);
	while (c >> 40 == round && (c & ROUND_MAX) < n &&
		__atomic_load_n(&w->turn[c & ROUND_MAX].done, __ATOMIC_SEQ_CST))
		if (__atomic_compare_exchange_n(&w->complete, &c, c + 1, false,
			    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
			c++;
}

static void
run_turn(struct workers *w, struct turn *t, uint64_t claim)
{
	struct turn *outer = self;
	unsigned spins = 0;

	while (t->before != NULL &&
		!__atomic_load_n(&t->before->done, __ATOMIC_ACQUIRE))
		relax(&spins);
	self = t;
	sim_call(w->engine, &t->item);
	self = outer;
	turn_done(w, t, claim);
}

static bool
all_claimed(const struct workers *w)
{
	uint64_t c = __atomic_load_n(&w->claim, __ATOMIC_SEQ_CST);

	return (c & ROUND_MAX) >= (c >> 20 & ROUND_MAX);
}

/* Claims and runs turns until none is left. Returns false if there was none. */
static bool
work(struct workers *w)
{
	uint64_t c;
	bool any = false;

	if (all_claimed(w))
		return false;
	__atomic_add_fetch(&w->active, 1, __ATOMIC_SEQ_CST);
	c = __atomic_load_n(&w->claim, __ATOMIC_SEQ_CST);
	while ((c & ROUND_MAX) < (c >> 20 & ROUND_MAX)) {
		if (!__atomic_compare_exchange_n(&w->claim, &c, c + 1, false,
			    __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
			continue;
		run_turn(w, &w->turn[c & ROUND_MAX], c);
		any = true;
		c = __atomic_load_n(&w->claim, __ATOMIC_ACQUIRE);
	}
	__atomic_sub_fetch(&w->active, 1, __ATOMIC_SEQ_CST);
	return any;
}

static void
sleep_until_woken(struct workers *w)
{
	pthread_mutex_lock(&w->lock);
	__atomic_add_fetch(&w->sleepers, 1, __ATOMIC_SEQ_CST);
	while (all_claimed(w) && !w->quit)
		pthread_cond_wait(&w->wake, &w->lock);
	__atomic_sub_fetch(&w->sleepers, 1, __ATOMIC_SEQ_CST);
	pthread_mutex_unlock(&w->lock);
}

static void
wake_all(struct workers *w)
{
	pthread_mutex_lock(&w->lock);
	pthread_cond_broadcast(&w->wake);
	pthread_mutex_unlock(&w->lock);
}

static void *
worker(void *arg)
{
	struct workers *w = arg;
	unsigned spins = 0;

	while (!__atomic_load_n(&w->quit, __ATOMIC_ACQUIRE)) {
		if (work(w)) {
			spins = 0;
			continue;
		}
		relax(&spins);
		if (spins >= SPINS) {
			sleep_until_woken(w);
			spins = 0;
		}
	}
	return NULL;
}

struct workers *
workers_open(struct weft_sim_engine *e, int threads)
{
	size_t size =
		sizeof(struct workers) + (size_t)threads * sizeof(pthread_t);
	struct workers *w = mem_resize(NULL, 1, size);

	memset(w, 0, size);
	w->engine = e;
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->wake, NULL);
	while (w->nthreads < threads - 1) {
		if (pthread_create(&w->thread[w->nthreads], NULL, worker, w)) {
			workers_close(w);
			return NULL;
		}
		w->nthreads++;
	}
	return w;
}

void
workers_close(struct workers *w)
{
	if (w == NULL)
		return;
	pthread_mutex_lock(&w->lock);
	__atomic_store_n(&w->quit, 1, __ATOMIC_RELEASE);
	pthread_cond_broadcast(&w->wake);
	pthread_mutex_unlock(&w->lock);
	for (int i = 0; i < w->nthreads; i++)
		pthread_join(w->thread[i], NULL);
	for (size_t i = 0; i < w->cap; i++)
		mem_free(w->turn[i].op);
	mem_free(w->turn);
	pthread_mutex_destroy(&w->lock);
	pthread_cond_destroy(&w->wake);
	mem_free(w);
}

static void
more_turns(struct workers *w)
{
	size_t cap = w->cap == 0 ? 64 : 2 * w->cap;
	unsigned spins = 0;

	/* A late thread may still be reading the turns of the last round. */
	while (__atomic_load_n(&w->active, __ATOMIC_SEQ_CST) > 0)
		relax(&spins);
	w->turn = mem_resize(w->turn, cap, sizeof *w->turn);
	memset(w->turn + w->cap, 0, (cap - w->cap) * sizeof *w->turn);
	w->cap = cap;
}

/* Takes the primary events of one time as turns. */
static void
collect(struct workers *w, int64_t time)
{
	struct queue *q = &w->engine->queue;
	const struct queue_item *top;

	w->n = 0;
	while ((top = queue_top(q)) != NULL && w->n < ROUND_MAX &&
		top->time == time && (top->order & QUEUE_SECONDARY) == 0) {
		struct turn *t;

		if (w->n == w->cap)
			more_turns(w);
		t = &w->turn[w->n];
		t->engine = w->engine;
		t->item = queue_take(q);
		t->index = (uint32_t)w->n++;
		t->nops = 0;
		t->mine = false;
		__atomic_store_n(&t->done, 0, __ATOMIC_RELAXED);
	}
}

/* Links each turn to the previous turn of the same handler. */
static void
chain(struct workers *w)
{
	for (size_t i = 0; i < w->n; i++) {
		struct weft_sim_handler *h = w->turn[i].item.handler;

		w->turn[i].before = h->mark == 0 ? NULL : &w->turn[h->mark - 1];
		h->mark = (uint32_t)i + 1;
	}
	for (size_t i = 0; i < w->n; i++)
		w->turn[i].item.handler->mark = 0;
}

static void
run_together(struct workers *w)
{
	struct weft_sim_engine *e = w->engine;
	unsigned spins = 0;

	chain(w);
	w->next_turn = 0;
	w->next_op = 0;
	e->core.in_round = true;
	__atomic_store_n(&w->complete, w->rounds << 40, __ATOMIC_SEQ_CST);
	__atomic_store_n(
		&w->claim, w->rounds << 40 | w->n << 20, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&w->sleepers, __ATOMIC_SEQ_CST) > 0)
		wake_all(w);
	work(w);
	while ((__atomic_load_n(&w->complete, __ATOMIC_SEQ_CST) & ROUND_MAX) <
		w->n)
		relax(&spins);
	e->core.in_round = false;
	e->count += w->n;
	settle(w, w->n - 1);
}

static void
run_alone(struct workers *w)
{
	struct weft_sim_engine *e = w->engine;
	int64_t begin = now_ns();

	BUG_ON(w->n == 0);
	for (size_t i = 0; i < w->n; i++) {
		struct queue_item item = w->turn[i].item;

		e->count++;
		e->ahead = w->n - i - 1;
		e->core.current = item.handler;
		sim_call(e, &item);
	}
	e->core.current = NULL;
	w->cost_ns = (w->cost_ns + (now_ns() - begin) / (int64_t)w->n) / 2;
}

void
workers_round(struct workers *w)
{
	struct weft_sim_engine *e = w->engine;
	bool worth;

	e->core.now = queue_top(&e->queue)->time;
	collect(w, e->core.now);
	worth = e->setup.spread ||
		((int64_t)w->n * w->cost_ns > WORTH_NS &&
			w->rounds % MEASURE != 0);
	w->rounds++;
	e->late = true;
	if (w->n > 1 && worth)
		run_together(w);
	else
		run_alone(w);
	e->late = false;
	for (int i = 0; i < e->late_ops.n; i++)
		sim_apply(e, &e->late_ops.at[i]);
	e->late_ops.n = 0;
}
