/* SPDX-License-Identifier: MIT */
/*
 * self.h - what the recorder keeps of one thread.
 *
 * A thread is busy while it works on the shared tables. Busy is a counter, odd
 * within: a handler that finds it odd leaves the tables alone, and the drain
 * uses an entry again only when each thread that was busy at its removal has
 * moved on. Entries of self are never unmapped; a new thread takes over that of
 * one that has ended.
 */
#ifndef WEFT_INPROC_MEM_SELF_H
#define WEFT_INPROC_MEM_SELF_H

#include <stdbool.h>
#include <stdint.h>

#include "inproc/code/walk.h"
#include "inproc/core/assert.h"
#include "inproc/mem/block.h"

enum {
	/* As many as a compiler has paths at a time; few are ever touched. */
	SELF_SITES = 2048,
	SELF_PART = SELF_SITES / 64, /* of them that has a bit */
	SELF_MEMOS = 4096,
	SELF_FIRSTS = 3
};

enum self_state {
	SELF_FREE,       /* nobody's */
	SELF_BEGINS,     /* a thread's, which fills it in */
	SELF_ALIVE,      /* a thread's */
	SELF_ENDED,      /* its thread has ended; the drain still has to look */
	SELF_LAST_ROUND, /* and does */
};

/* Blocks that a thread allocated at one site, and freed of those that were
 * allocated there, since the slot is its. Of that thread while it is busy, and
 * read by the drain: key and sums are atomic, least and most are read as they
 * come. */
struct self_site {
	uint64_t key; /* 0: empty */
	uint64_t blocks, bytes, freed_blocks, freed_bytes, least, most;
};

/* The first sample of a thread that may be short; first.h. Of the thread as it
 * begins, then of the drain. */
struct self_first {
	void *ring;     /* NULL: none */
	uint64_t after; /* ns of CPU time */
};

/* A path that the thread had lately, by two sums of all its frames: to look at
 * the path itself would fetch as many lines of the cache as its walk did. */
struct self_memo {
	uint64_t hash;
	uint32_t check;
	uint32_t number; /* 0: empty */
};

struct timer_ring;

/*
 * Of the thread whose it is, if nothing else is said; while it is free, of who
 * takes it over. What the thread writes before state says SELF_ALIVE, and at
 * its end before SELF_ENDED, the drain reads behind.
 */
struct self {
	struct self *next; /* in the list of all, which only grows */
	int state;         /* atomic, enum self_state: the thread begins and
	                      ends, the drain goes on from there */
	uint32_t busy;     /* atomic, read by the drain */
	uint16_t number;   /* from the making on */

	/* Before it is alive. */
	bool is_main;
	int tid;
	uint64_t begun; /* ns */
	uint64_t stack_lo, stack_hi, tls_lo, tls_hi;
	uint64_t thread; /* its pointer: what fs: is relative to */
	uint64_t random; /* the thread's own */
	struct self_first first[SELF_FIRSTS]; /* an event */
	bool has_no_chance;                   /* of a sample, if it is short */

	/* Before it has ended. */
	uint64_t ended; /* ns */
	uint64_t cpu;   /* ns of CPU time */

	struct block *free; /* while it is busy */
	struct block *dead; /* atomic: threads push, the drain takes all */
	uint64_t nested, no_memory; /* losses; atomic, read by the drain */
	uint64_t no_path;           /* atomic, and the drain's: a loss, too */
	uint32_t evictions;  /* atomic, read by the drain; while it is busy */
	uint64_t used_sites; /* atomic, read by the drain: a bit each part of
	                        them that ever had one */

	/* Of who has set is_timed: the thread, or the drain. */
	bool is_timed; /* atomic: somebody has begun to make timers */
	struct timer_ring *timer; /* atomic, read by the handler and the drain;
	                             of the timer source, or NULL */
	struct timer_ring *timer_room; /* that stays for the next thread */

	/* The drain's. */
	uint32_t was_busy;
	uint64_t locals_at;    /* ns, of the last look at its TLS blocks */
	uint64_t locals_check; /* of what it found */
	bool is_told;          /* in process.mem */
	bool is_sampled;       /* at a time */
	bool has_file;
	char file[32];
	struct outbuf *out; /* its file, if has_file */

	/* Large, and touched bit by bit; while it is busy. */
	struct walk_lately lately;
	struct self_memo memo[SELF_MEMOS];
	struct self_site site[SELF_SITES];
};

/* The part in static TLS: small, since that is scarce. */
struct self_tls {
	int64_t until; /* bytes of small blocks until one is sampled */
	struct self *self;
	uint64_t stack_bytes; /* as it was made; 0: not known */
	bool is_internal;     /* what it allocates now is the recorder's */
	bool is_gone;         /* the thread is past its end */
	bool has_drawn;       /* until was drawn at random */
};

extern _Thread_local struct self_tls self_tls;

/* Of this thread, made if it has none; NULL: no memory, or it has ended. */
struct self *self_get(void);

/* Of a thread that does not know of us; NULL: no memory. The drain. */
struct self *self_adopt(int tid);

/* How far below its thread's pointer a TLS block of this thread begins; 0: it
 * is none of static TLS, but was allocated when it was first used. */
uint64_t self_tls_below(const void *block);

/* A random number that no other thread has at that time. */
uint64_t self_random(void);

/* All threads ever; follow next. */
struct self *self_all(void);

/* Notes the end of this thread. */
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
