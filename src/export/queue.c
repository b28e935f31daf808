/* SPDX-License-Identifier: MIT */
#include "export/queue.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>

#include "base/arena.h"
#include "export/entry.h"

/*
 * All batches together fit in a second-level cache. Waking a thread costs as
 * much as writing many records, in a virtual machine far more. So a waiting
 * thread polls for a while before it sleeps, and is woken only when half of the
 * batches are ready for it, or when the other thread waits.
 */
#define BATCH_BYTES ((size_t)64 << 10)
#define BATCHES 16
#define WAKE (BATCHES / 2)
#define LOOKS 400
#define CACHE_LINES \
	128 /* bytes of two cache lines, which processors fetch in pairs */

struct batch {
	uint8_t *bytes;    /* owned; NULL: not used yet */
	size_t used, room; /* used: set when the batch is handed over */
};

struct queue {
	struct sink base;
	struct sink *next; /* owned: closed with the queue */
	struct batch batch[BATCHES];
	struct batch *current; /* used by the producer only; batch[given %
	                        * BATCHES] */
	uint8_t *at, *end;     /* the free part of `current` */
	pthread_t thread;
	bool running;

	/* Both threads poll the members below; they must not share a cache line
	 * with the members that the producer writes for each record. */
	char apart[CACHE_LINES];
	pthread_mutex_t lock;    /* for changes below, and for handing over
	                          * batches */
	pthread_cond_t changed;  /* signalled when any member below changes */
	unsigned given, written; /* batches handed over, and written, so far;
	                          * atomic */
	bool ended;              /* no batch will follow; atomic */
};

static void
write_batch(const struct batch *b, struct sink *to)
{
	const struct entry *e;

	for (size_t at = 0; at < b->used;) {
		e = (const void *)(b->bytes + at);
		entry_pass(e, to);
		/* Guesses the size of the entry, so that the next entry need
		 * not wait for it. */
		if (__builtin_expect(e->kind == ENTRY_STATE, 1))
			at += ENTRY_MIN_BYTES;
		else
			at += entry_size(e);
	}
}

/* Returns how many batches were handed over and not written yet. */
static unsigned
waiting(const struct queue *q)
{
	return __atomic_load_n(&q->given, __ATOMIC_ACQUIRE) -
		__atomic_load_n(&q->written, __ATOMIC_ACQUIRE);
}

static bool
is_ended(const struct queue *q)
{
	return __atomic_load_n(&q->ended, __ATOMIC_ACQUIRE);
}

/* Polls. Yields the CPU instead of spinning, because there may be only one
 * core. */
static void
look_while(const struct queue *q, unsigned n)
{
	for (int i = 0; i < LOOKS && waiting(q) == n && !is_ended(q); i++)
		sched_yield();
}

/* Waits for a batch. Returns false if no more will follow. */
static bool
wait_for_batch(struct queue *q)
{
	look_while(q, 0);
	if (waiting(q) > 0)
		return true;
	pthread_mutex_lock(&q->lock);
	while (waiting(q) == 0 && !is_ended(q))
		pthread_cond_wait(&q->changed, &q->lock);
	pthread_mutex_unlock(&q->lock);
	return waiting(q) > 0;
}

static void *
write_batches(void *arg)
{
	struct queue *q = arg;

	while (wait_for_batch(q)) {
		write_batch(&q->batch[q->written % BATCHES], q->next);
		pthread_mutex_lock(&q->lock);
		__atomic_fetch_add(&q->written, 1, __ATOMIC_RELEASE);
		if (waiting(q) == WAKE || waiting(q) == 0)
			pthread_cond_signal(&q->changed);
		pthread_mutex_unlock(&q->lock);
	}
	return NULL;
}

/* Blocks all signals in the new thread: the producer's thread must get them. */
static void
start(struct queue *q)
{
	sigset_t all, before;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	q->running = pthread_create(&q->thread, NULL, write_batches, q) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void
wait_for_room(struct queue *q)
{
	pthread_mutex_lock(&q->lock);
	while (waiting(q) > WAKE)
		pthread_cond_wait(&q->changed, &q->lock);
	pthread_mutex_unlock(&q->lock);
}

/* Hands over the current batch and waits for an empty one. */
static void
give(struct queue *q)
{
	pthread_mutex_lock(&q->lock);
	__atomic_fetch_add(&q->given, 1, __ATOMIC_RELEASE);
	if (waiting(q) == WAKE)
		pthread_cond_signal(&q->changed);
	pthread_mutex_unlock(&q->lock);
	look_while(q, BATCHES);
	if (waiting(q) == BATCHES)
		wait_for_room(q);
	q->current = &q->batch[q->given % BATCHES];
}

/* Empties the current batch and makes room for an entry of that size. */
static void
renew(struct queue *q, size_t size)
{
	struct batch *b = q->current;

	if (size > b->room) {
		b->bytes = mem_resize(b->bytes, size, 1);
		b->room = size;
	}
	q->at = b->bytes;
	q->end = b->bytes + b->room;
}

static void
end_batch(struct queue *q)
{
	q->current->used = (size_t)(q->at - q->current->bytes);
}

static void __attribute__((noinline)) make_room(struct queue *q, size_t size)
{
	end_batch(q);
	if (!q->running && q->current->used > 0)
		start(q);
	if (q->running)
		give(q);
	else
		write_batch(q->current, q->next);
	renew(q, size > BATCH_BYTES ? size : BATCH_BYTES);
}

static inline void *
add(struct queue *q, size_t size)
{
	uint8_t *at;

	if (__builtin_expect(size > (size_t)(q->end - q->at), 0))
		make_room(q, size);
	at = q->at;
	q->at += size;
	return at;
}

static void __attribute__((noinline))
add_stack(struct queue *q, const struct record *r)
{
	entry_set_state(add(q, entry_state_size(r)), r);
}

static void
queue_state(struct sink *s, const struct record *r)
{
	struct queue *q = (struct queue *)s;

	if (__builtin_expect(q->base.takes_stacks && r->stack != NULL, 0))
		add_stack(q, r);
	else
		entry_set_flat(add(q, ENTRY_MIN_BYTES), r);
}

static void
queue_link(struct sink *s, const struct link *l)
{
	entry_set_link(add((struct queue *)s, ENTRY_LINK_BYTES), l);
}

static void
queue_gap(struct sink *s, const struct gap *g)
{
	entry_set_gap(add((struct queue *)s, ENTRY_GAP_BYTES), g);
}

static void
queue_advance(struct sink *s, int64_t time)
{
	struct entry *e = add((struct queue *)s, sizeof *e);

	*e = (struct entry){ .time = time, .kind = ENTRY_ADVANCE };
}

/* Waits until all batches are written, and returns the next sink. */
static struct sink *
idle(struct sink *s)
{
	struct queue *q = (struct queue *)s;

	if (q->ended)
		return q->next;
	if (q->running) {
		pthread_mutex_lock(&q->lock);
		pthread_cond_signal(&q->changed);
		while (waiting(q) > 0)
			pthread_cond_wait(&q->changed, &q->lock);
		pthread_mutex_unlock(&q->lock);
	}
	end_batch(q);
	write_batch(q->current, q->next);
	renew(q, 0);
	return q->next;
}

static void
queue_row(struct sink *s, const struct row *row)
{
	sink_row(idle(s), row);
}

static void
queue_type(struct sink *s, const struct type *type)
{
	sink_type(idle(s), type);
}

static void
queue_label(struct sink *s, uint32_t type, int64_t value, const char *text,
	enum meaning meaning)
{
	sink_label(idle(s), type, value, text, meaning);
}

static void
queue_rename(struct sink *s, uint32_t row, const char *name)
{
	sink_rename(idle(s), row, name);
}

static void
queue_link_kind(struct sink *s, const struct link_kind *kind)
{
	sink_link_kind(idle(s), kind);
}

static void
queue_finding(struct sink *s, const struct sink_finding *f)
{
	sink_finding(idle(s), f);
}

static void
queue_panel(struct sink *s, const struct panel *panel)
{
	sink_panel(idle(s), panel);
}

static void
queue_loss(struct sink *s, void (*fn)(void *arg, const struct loss *loss),
	void *arg)
{
	sink_loss(idle(s), fn, arg);
}

static void
stop(struct queue *q)
{
	pthread_mutex_lock(&q->lock);
	__atomic_store_n(&q->ended, true, __ATOMIC_RELEASE);
	pthread_cond_signal(&q->changed);
	pthread_mutex_unlock(&q->lock);
	if (q->running)
		pthread_join(q->thread, NULL);
}

static bool
queue_close(struct sink *s, struct err *err)
{
	struct queue *q = (struct queue *)s;

	idle(s);
	stop(q);
	pthread_cond_destroy(&q->changed);
	pthread_mutex_destroy(&q->lock);
	for (int i = 0; i < BATCHES; i++)
		mem_free(q->batch[i].bytes);
	return sink_close(q->next, err);
}

static const struct sink_ops queue_ops = {
	.name = "queue",
	.help = "writes on a thread of its own",
	.row = queue_row,
	.type = queue_type,
	.label = queue_label,
	.state = queue_state,
	.link = queue_link,
	.advance = queue_advance,
	.loss = queue_loss,
	.close = queue_close,
	.panel = queue_panel,
	.rename = queue_rename,
	.link_kind = queue_link_kind,
	.gap = queue_gap,
	.finding = queue_finding,
};

struct sink *
queue_open(struct arena *a, struct sink *next)
{
	struct queue *q = ARENA_NEW(a, struct queue);

	q->base.ops = &queue_ops;
	q->next = next;
	q->base.takes_stacks = next->takes_stacks;
	q->current = q->batch;
	renew(q, BATCH_BYTES);
	pthread_mutex_init(&q->lock, NULL);
	pthread_cond_init(&q->changed, NULL);
	return &q->base;
}
