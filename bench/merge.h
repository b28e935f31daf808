/* SPDX-License-Identifier: MIT */
/*
 * merge.h - merges the events of N ovni streams in time order: the merge of
 * floor-prv, without the formatting.
 *
 * A stream is read through a window by pread. Time and stream number share one
 * 64-bit key, so a match of the loser tree is one minimum and one maximum
 * without a branch, and all losers of 512 streams fill 4 KiB. The key after the
 * one in the tree is computed one visit of the stream earlier: so the
 * dependency chain from one winner to the next contains no access to a window
 * or a stream. The code is written for the traces of gen.c: it stops at
 * anything else, but never reads beyond a buffer.
 *
 *	while (merge_stream(&m, &i)) {
 *		use(m.stream[i].at);
 *		merge_next(&m, i);
 *	}
 */
#ifndef WEFT_BENCH_MERGE_H
#define WEFT_BENCH_MERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct arena;

#define KEYS_END UINT64_MAX /* key of a stream that has ended */

/* Loser tree over keys that hold their stream in the low bits. */
struct keys {
	uint64_t top;   /* the smallest */
	uint64_t *node; /* node[1..n-1]: loser of that match */
	uint32_t n;     /* streams, padded to a power of two */
	uint32_t mask;  /* n - 1: the bits of the stream */
	unsigned bits;  /* number of bits in the mask */
};

/* Plays the first round over key[0..n-1]; n >= 1. */
void keys_init(
	struct keys *k, struct arena *a, const uint64_t *key, uint32_t n);

/* Sets the next key of the top stream. */
static inline void
keys_replay(struct keys *k, uint64_t key)
{
	uint32_t i = ((uint32_t)(k->top & k->mask) + k->n) / 2;

	for (; i > 0; i /= 2) {
		uint64_t other = k->node[i];
		uint64_t lost = other > key ? other : key;

		key = other < key ? other : key;
		k->node[i] = lost;
	}
	k->top = key;
}

struct stream {
	const uint8_t *at;   /* the event whose key is in the tree */
	const uint8_t *safe; /* up to here the window contains whole events */
	const uint8_t *end;  /* end of the bytes in the window */
	uint8_t *window;
	int64_t offset; /* offset of `end` in the file */
	int fd;
	uint32_t id;
};

struct merge {
	struct keys keys;
	struct stream *stream;
	uint64_t *next; /* of each stream: the key after the one in the tree */
	uint32_t n;
	size_t window; /* bytes */
	uint64_t base; /* clock of the first event of all streams */
};

/*
 * Opens loom.host.0/proc.1/thread.1000 and the threads that follow in `trace`;
 * ends the program when that does not work.
 */
void merge_open(struct merge *m, struct arena *a, const char *trace);
void merge_close(struct merge *m);

/*
 * Returns the key of the event after s->at when that event may not be in the
 * window; reads on, which moves s->at. KEYS_END at the end of the stream.
 */
uint64_t merge_refill(const struct merge *m, struct stream *s);

__attribute__((noreturn, cold)) void merge_too_long(void);

/* Returns the number of bytes of the event whose flags are at this address. */
static inline size_t
event_size(const uint8_t *at)
{
	unsigned low = at[0] & 15;

	return 12 + low + (low > 0);
}

static inline uint64_t
merge_key(const struct merge *m, const uint8_t *event, uint32_t i)
{
	uint64_t clock, time;

	memcpy(&clock, event + 4, sizeof clock);
	time = clock - m->base;
	if (__builtin_expect(time >> (63 - m->keys.bits) != 0, 0))
		merge_too_long();
	return time << m->keys.bits | i;
}

/* Finds the stream of the earliest event. Returns false when there is none. */
static inline bool
merge_stream(const struct merge *m, uint32_t *i)
{
	*i = (uint32_t)(m->keys.top & m->keys.mask);
	return m->keys.top != KEYS_END;
}

/* Returns the time of the earliest event since the first event, in ns. */
static inline uint64_t
merge_time(const struct merge *m)
{
	return m->keys.top >> m->keys.bits;
}

/* Moves the stream of the earliest event forward. */
static inline void
merge_next(struct merge *m, uint32_t i)
{
	struct stream *s = &m->stream[i];
	const uint8_t *ahead;

	/* With hundreds of streams the hardware does not prefetch: this saves
	 * 15 % at 512 streams. */
	__builtin_prefetch(s->at + 128);
	keys_replay(&m->keys, m->next[i]);
	s->at += event_size(s->at);
	ahead = s->at + event_size(s->at);
	if (__builtin_expect(ahead > s->safe, 0))
		m->next[i] = merge_refill(m, s);
	else
		m->next[i] = merge_key(m, ahead, i);
}

#endif
