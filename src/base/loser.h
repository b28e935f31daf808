/* SPDX-License-Identifier: MIT */
/*
 * loser.h - loser tree: the smallest of n sorted streams, in log2(n) steps.
 *
 * The tree keeps one key per stream. After taking the winner, the caller moves
 * that stream forward and replays its path:
 *
 *	while ((i = loser_top(&t)) >= 0) {
 *		use(stream[i]);
 *		loser_replay(&t, stream_next(stream[i]) ? clock : LOSER_END);
 *	}
 *
 * Equal keys win in stream order, so a merge always gives the same order.
 * (Knuth, The Art of Computer Programming, volume 3, section 5.4.1.)
 */
#ifndef WEFT_BASE_LOSER_H
#define WEFT_BASE_LOSER_H

#include <stddef.h>
#include <stdint.h>

struct arena;

#define LOSER_END INT64_MAX /* key of a stream that has ended */

/*
 * A match is decided by key, then by stream. Both are packed into one number
 * (upper bits: distance of the key from `base`), so that a match takes one
 * comparison and no branch. Keys whose distance does not fit in these bits
 * count as equally far until only such keys are left; then `base` moves.
 */
struct loser {
	int n;          /* number of streams, padded to a power of two; >= 1 */
	unsigned bits;  /* number of bits that a stream's number takes */
	int64_t base;   /* lower bound of all keys */
	uint64_t far;   /* distance of all keys that do not fit, and of
	                 * LOSER_END */
	uint64_t top;   /* the winner; LOSER_NONE: all streams have ended */
	uint64_t *node; /* node[1..n-1]: loser of that match */
	int64_t *key;   /* key of each stream */
};

#define LOSER_NONE UINT64_MAX

/* Plays the first round over key[0..n-1]; n >= 0. */
void loser_init(struct loser *t, struct arena *a, const int64_t *key, int n);

/* Moves `base` to the smallest key and plays all matches again. */
void loser_rebase(struct loser *t);

static inline uint64_t
loser_node_of(const struct loser *t, int64_t key, uint32_t stream)
{
	uint64_t distance = (uint64_t)key - (uint64_t)t->base;

	if (__builtin_expect(distance > t->far, 0))
		distance = t->far;
	return distance << t->bits | stream;
}

/* Returns the index of the stream with the smallest key, or -1 when all have
 * ended. */
static inline int
loser_top(const struct loser *t)
{
	return t->top == LOSER_NONE ? -1 : (int)t->top & (t->n - 1);
}

/* Returns the smallest key; LOSER_END when all streams have ended. */
static inline int64_t
loser_key(const struct loser *t)
{
	return t->top == LOSER_NONE ? LOSER_END : t->key[loser_top(t)];
}

/* Gives the top stream its next key, which is not smaller than its last. */
static inline void
loser_replay(struct loser *t, int64_t key)
{
	uint32_t n = (uint32_t)t->n, stream = (uint32_t)t->top & (n - 1);
	uint64_t *node = t->node;
	uint64_t win = loser_node_of(t, key, stream);

	t->key[stream] = key;
	for (size_t i = ((size_t)stream + n) / 2; i > 0; i /= 2) {
		uint64_t other = node[i];
		uint64_t lost = other > win ? other : win;

		win = other < win ? other : win;
		node[i] = lost;
	}
	t->top = win;
	if (__builtin_expect(win >= t->far << t->bits, 0))
		loser_rebase(t);
}

#endif
