/* SPDX-License-Identifier: MIT */
/*
 * self.h - the recorder's data about one thread.
 *
 * A thread is busy while it works on the shared tables. `busy` is a counter,
 * odd while the thread is busy: a handler that finds it odd does not touch the
 * tables, and the drain reuses an entry only after every thread that was busy
 * at the entry's removal has moved on. Structs are never unmapped; a new thread
 * reuses that of a thread that has ended.
 */
#ifndef WEFT_INPROC_MEM_SELF_H
#define WEFT_INPROC_MEM_SELF_H

#include <stdbool.h>
#include <stdint.h>

#include "inproc/code/walk.h"
#include "inproc/core/assert.h"
#include "inproc/mem/block.h"

enum {
	/* As many sites as a compiler uses at a time; few slots are ever
	 * touched. */
	SELF_SITES = 2048,
	SELF_PART = SELF_SITES / 64, /* sites per bit of used_sites */
	SELF_MEMOS = 4096,
	SELF_FIRSTS = 3
};

enum self_state {
	SELF_FREE,       /* unused */
	SELF_BEGINS,     /* a thread fills it in */
	SELF_ALIVE,      /* in use by a thread */
	SELF_ENDED,      /* its thread has ended; the drain has not looked
	                  * yet */
	SELF_LAST_ROUND, /* the drain does its last round */
};

/* Counts, since the site got this slot: blocks that a thread allocated at the
 * site, and blocks of this site that it freed. Written by the busy thread, read
 * by the drain: key and sums are atomic; least and most may be read
 * half-updated. */
struct self_site {
	uint64_t key; /* 0: empty */
	uint64_t blocks, bytes, freed_blocks, freed_bytes, least, most;
};

/* The first sample of a thread that may be short; see first.h. Written by the
 * thread as it begins, then by the drain. */
struct self_first {
	void *ring;     /* NULL: none */
	uint64_t after; /* ns of CPU time */
};

/* A recent path of the thread, identified by two sums of its frames: comparing
 * the path itself would load as many cache lines as the walk. */
struct self_memo {
	uint64_t hash;
	uint32_t check;
	uint32_t number; /* 0: empty */
};

struct timer_ring;

/*
 * Fields belong to the thread, unless a comment says otherwise; while the
 * struct is free, to the thread that takes it. The drain may read what the
 * thread wrote before it set SELF_ALIVE, and later SELF_ENDED.
 */
struct self {
	struct self *next; /* in the list of all threads, which only grows */
	int state;         /* atomic, enum self_state: the thread sets the first
	                    * states, the drain the last ones */
	uint32_t busy;     /* atomic, read by the drain */
	uint16_t number;   /* set when it is made */

	/* Set before SELF_ALIVE. */
	bool is_main;
	int tid;
	uint64_t begun; /* ns */
	uint64_t stack_lo, stack_hi, tls_lo, tls_hi;
	uint64_t thread; /* pthread_self(), which is the base of the segment
	                  * register fs */
	uint64_t random; /* state of the thread's random generator */
	struct self_first first[SELF_FIRSTS]; /* one per event */
	bool has_no_chance; /* a first sample (first.h) was refused: a short
	                     * thread has no sample */

	/* Set before SELF_ENDED. */
	uint64_t ended; /* ns */
	uint64_t cpu;   /* ns of CPU time */

	struct block *free; /* free blocks; used while the thread is busy */
	struct block *dead; /* dead blocks; atomic: threads push, the drain
	                     * takes all */
	uint64_t nested, no_memory; /* losses; atomic, read by the drain */
	uint64_t no_path;           /* a loss, too; atomic, also written by the
	                             * drain */
	uint32_t evictions;  /* atomic, read by the drain; used while it is
	                      * busy */
	uint64_t used_sites; /* atomic, read by the drain: a bit for each part
	                      * of the sites that was ever used */

	/* Belong to the thread or the drain, whichever set is_timed. */
	bool is_timed; /* atomic: its timers are made or being made */
	struct timer_ring *timer; /* atomic, read by the handler and the drain's
	                           * timer source; or NULL */
	/* Memory of the rings, kept for the next thread. */
	struct timer_ring *timer_room;

	/* Used by the drain only. */
	uint32_t was_busy;
	uint64_t locals_at; /* time of the last check of its TLS blocks, ns */
	uint64_t locals_check; /* checksum of that check's result */
	bool is_told;          /* written to process.mem */
	bool is_sampled;       /* has a time sample */
	bool has_file;
	char file[32];
	struct outbuf *out; /* its file, if has_file */

	/* Large and touched sparsely; used while it is busy. */
	struct walk_lately lately;
	struct self_memo memo[SELF_MEMOS];
	struct self_site site[SELF_SITES];
};

/* The part in static TLS: kept small, since that is scarce. */
struct self_tls {
	int64_t until; /* bytes of small blocks until the next sample */
	struct self *self;
	uint64_t stack_bytes; /* stack size in the thread's attributes; 0:
	                       * unknown */
	bool is_internal;     /* current allocations are the recorder's */
	bool is_gone;         /* the thread has passed its end */
	bool has_drawn;       /* until was drawn at random */
	bool is_begun;        /* threads_begin() was called */
	bool is_confined;     /* it makes no system calls: confined.h */
	bool is_forking;      /* it holds all locks for the time of a fork */
	bool is_lent;         /* is_confined was set by a child that shares the
	                       * memory */
};

extern _Thread_local struct self_tls self_tls;

/* Atomic: how many threads are confined. One that did not begin in
 * threads_begin() may be one that they made. */
extern uint32_t self_nconfined;

/* Returns this thread's struct, made if necessary; NULL: no memory, or the
 * thread has ended. */
struct self *self_get(void);

/* Makes a struct for a thread that was created without the hooks; NULL: no
 * memory. Called by the drain. */
struct self *self_adopt(int tid);

/* Returns how far below pthread_self() a TLS block of this thread begins; 0: it
 * is not in static TLS, but was allocated at its first use. */
uint64_t self_tls_below(const void *block);

/* Returns a random number that no other thread gets at the same time. */
uint64_t self_random(void);

/* Returns the list of all threads ever; follow next. */
struct self *self_all(void);

/* Records the end of this thread. */
void self_end(void);

/* After fork: this thread is the only one. */
void self_forked(void);

/* Counts a loss of this thread. */
static inline void
self_lose(uint64_t *count)
{
	__atomic_store_n(count, *count + 1, __ATOMIC_RELAXED);
}

static inline bool
self_enter(struct self *s)
{
	if (s->busy & 1) {
		self_lose(&s->nested);
		return false;
	}
	__atomic_store_n(&s->busy, s->busy + 1, __ATOMIC_RELAXED);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	return true;
}

static inline void
self_leave(struct self *s)
{
	WEFT_ASSERT(thread_that_leaves_is_within, (s->busy & 1) != 0);
	__atomic_store_n(&s->busy, s->busy + 1, __ATOMIC_RELEASE);
}

#endif
