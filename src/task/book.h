/* SPDX-License-Identifier: MIT */
/*
 * book.h - the open tasks of one simulation.
 *
 * A task has one entry, however many tracers see it; each tracer has a bit in
 * the entry. So a tracer needs no table of its own, and at the end of a task
 * the entry still has the data of the start. An entry does not move while its
 * task is open.
 */
#ifndef WEFT_TASK_BOOK_H
#define WEFT_TASK_BOOK_H

#include "sim/hook.h"
#include "weft/task.h"

#define TRACERS_MAX 63
/* The bit for the open tasks of a tracer behind a flight recorder. One tracer
 * at a time uses it. */
#define TARGET_BIT (UINT64_C(1) << 63)

struct task_entry {
	struct weft_task task; /* first */
	uint64_t seen;  /* bits of the tracers that want the task; may have
	                 * BY_CALLER */
	uint64_t given; /* bits of tracers whose start() was called */
	int64_t last_milestone;  /* time of the last milestone, or -1 */
	struct task_entry *next; /* next entry in its slot or in the list of
	                          * free entries */
};

/* A bit of task_entry.seen: the task was not started by a handler. */
#define BY_CALLER TARGET_BIT
#define MAYBE_SLOTS 4096

struct task_book {
	/* The open tasks by the hash of their ids, 1 << (64 - shift) lists. */
	struct task_entry **slot; /* owned */
	uint32_t shift;
	size_t n, most;          /* number of entries; if it reaches `most`,
	                          * slots are added */
	struct task_entry *free; /* unused entries */
	struct weft_sim_engine *engine;
	struct weft_tracer *tracers; /* in the order of their first collect */
	struct weft_tracer *targets; /* targets of flight recorders */
	int ntracers;
	/* Counts open tasks by the hash of their ids, so that
	 * book_may_have() can read it while other threads change the map;
	 * NULL with one thread. */
	uint32_t *maybe;
};

struct task_book *book_open(struct weft_sim_engine *e);

/* Returns the book of the engine; the first call creates it. */
static inline struct task_book *
book_of(struct weft_sim_engine *e)
{
	struct task_book *b = sim_core(e)->book;

	return __builtin_expect(b != NULL, 1) ? b : book_open(e);
}

/* Returns the slot of an id. The multiplication spreads low bits upwards: ids
 * are counters or already hashes. */
static inline struct task_entry **
book_slot(const struct task_book *b, uint64_t id)
{
	return &b->slot[id * UINT64_C(0x9e3779b97f4a7c15) >> b->shift];
}

/* Returns the open task with that id in its slot, or NULL. */
static inline struct task_entry *
book_find_in(struct task_entry *const *slot, uint64_t id)
{
	struct task_entry *entry = *slot;

	while (entry != NULL && entry->task.id != id)
		entry = entry->next;
	return entry;
}

/* Returns the open task with that id, or NULL. */
static inline struct task_entry *
book_find(const struct task_book *b, uint64_t id)
{
	return book_find_in(book_slot(b, id), id);
}

static inline uint32_t *
book_maybe(const struct task_book *b, uint64_t id)
{
	return &b->maybe[id * UINT64_C(0x9e3779b97f4a7c15) >> 52];
}

/* Counts a task that started (1) or ended (-1). The caller has the turn. */
static inline void
book_count(struct task_book *b, uint64_t id, int by)
{
	if (__builtin_expect(b->maybe != NULL, 0))
		__atomic_store_n(book_maybe(b, id),
			*book_maybe(b, id) + (uint32_t)by, __ATOMIC_RELAXED);
}

/* Adds free entries, and slots for them. */
void book_refill(struct task_book *b);

/* Adds an entry for a task of the domain that starts now and is not open yet.
 * slot is the slot of its id. No tracer has seen it. */
static inline __attribute__((always_inline)) struct task_entry *
book_add(struct task_book *b, struct task_entry **slot,
	struct weft_sim_domain *d, const struct weft_task *task,
	const char *location, uint64_t id)
{
	struct task_entry *entry;

	if (__builtin_expect(b->free == NULL, 0)) {
		book_refill(b);
		slot = book_slot(b, id);
	}
	entry = b->free;
	b->free = entry->next;
	entry->next = *slot;
	*slot = entry;
	entry->task.id = id;
	entry->task.parent = task->parent == id ? 0 : task->parent;
	entry->task.kind = task->kind;
	entry->task.what = task->what;
	entry->task.location = location;
	entry->task.detail = task->detail;
	entry->task.detail_text = task->detail_text;
	entry->task.start = sim_core(d->engine)->now;
	entry->task.end = -1;
	entry->task.domain = d;
	entry->seen = 0;
	if (__builtin_expect(sim_is_outside(d->engine), 0))
		entry->seen = BY_CALLER;
	entry->given = 0;
	entry->last_milestone = -1;
	book_count(b, id, 1);
	return entry;
}

/* Removes the entry *at. */
static inline void
book_take_out(struct task_book *b, struct task_entry **at)
{
	struct task_entry *entry = *at;

	book_count(b, entry->task.id, -1);
	*at = entry->next;
	entry->next = b->free;
	b->free = entry;
}

/* Removes an entry whose position in the list is not known. */
static inline void
book_remove(struct task_book *b, struct task_entry *entry)
{
	struct task_entry **at = book_slot(b, entry->task.id);

	while (*at != entry)
		at = &(*at)->next;
	book_take_out(b, at);
}

/*
 * Returns false if no such task is open. Does not wait for the turn, so that a
 * component without tracers is not slowed down because other components have
 * tracers.
 */
static inline bool
book_may_have(struct weft_sim_engine *e, uint64_t id)
{
	struct task_book *b =
		__atomic_load_n(&sim_core(e)->book, __ATOMIC_ACQUIRE);

	if (b == NULL || b->maybe == NULL || !sim_core(e)->in_round)
		return b != NULL;
	return __atomic_load_n(book_maybe(b, id), __ATOMIC_RELAXED) != 0;
}

/* Calls fn for each entry that has one of the bits in `given` (if given is set)
 * or in `seen`, in the order of start, then id. */
void book_each(struct task_book *b, uint64_t bits, bool given,
	void (*fn)(void *arg, struct task_entry *entry), void *arg);

/* tracer.c: the hook function of tracers. */
void tracer_call(
	struct weft_sim_hook *hook, const struct weft_sim_hook_ctx *ctx);

/* Hashes with splitmix64. Bit 62 keeps these ids apart from counted ids. */
static inline uint64_t
task_id_at(const struct weft_sim_domain *d, const struct weft_sim_msg *msg)
{
	uint64_t x = msg->id + d->id * UINT64_C(0x9e3779b97f4a7c15);

	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	x ^= x >> 31;
	return x >> 2 | UINT64_C(1) << 62;
}

/* tracer.c: finishes all tracers of a book; detaches them from the engine. */
void tracers_finish(void *book, int64_t now);
void tracers_close(struct task_book *b);

/* Waits for the turn of the calling handler, before a tracer's result is
 * read. */
static inline void
tracer_take_turn(const struct weft_tracer *t)
{
	if (t->engine != NULL)
		sim_take_turn(t->engine);
}

/* tracer.c: does the same for results that live in the engine. Returns false,
 * after printing a message, if the engine is closed. */
bool tracer_reads(const struct weft_tracer *t);

#endif
