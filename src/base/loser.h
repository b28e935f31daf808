/* SPDX-License-Identifier: MIT */
/*
 * loser.h - loser tree: the smallest of n sorted streams, in log2(n) steps.
 *
 * The tree keeps one key per stream. After taking the winner, the caller
 * moves that stream forward and replays its path:
 *
 *	while ((i = loser_top(&t)) >= 0) {
 *		use(stream[i]);
 *		loser_replay(&t, stream_next(stream[i]) ? clock : LOSER_END);
 *	}
 *
 * Equal keys win in stream order, so a merge is the same on every run.
 * (Knuth, The Art of Computer Programming, volume 3, section 5.4.1.)
 */
#ifndef WEFT_BASE_LOSER_H
#define WEFT_BASE_LOSER_H

#include <stdint.h>

struct arena;

#define LOSER_END INT64_MAX /* key of a stream that has nothing more */

/*
 * A match is decided by key, then by stream: both are one number, the key in
 * the upper half, so that it takes no branch. No other order hides behind it.
 */
__extension__ typedef __int128 loser_node;

struct loser {
	int n;            /* streams, padded to a power of two; >= 1 */
	loser_node top;   /* the winner */
	loser_node *node; /* node[1..n-1]: loser of that match */
};

/* Plays the first round over key[0..n-1]; n >= 0. */
void loser_init(struct loser *t, struct arena *a, const int64_t *key, int n);

static inline loser_node
loser_node_of(int64_t key, int stream)
{
	return (loser_node)key * ((loser_node)1 << 64) + stream;
}

/* Index of the stream with the smallest key, or -1 when all are at the end. */
static inline int
loser_top(const struct loser *t)
{
	return (int64_t)(t->top >> 64) == LOSER_END ? -1
						    : (int)(uint32_t)t->top;
}

/* The smallest key; LOSER_END at the end. */
static inline int64_t
loser_key(const struct loser *t)
{
	return (int64_t)(t->top >> 64);
}

/* Gives the top stream its next key, any but smaller than its last one. */
static inline void
loser_replay(struct loser *t, int64_t key)
{
	int stream = (int)t->top;
	loser_node win = loser_node_of(key, stream);

	for (int i = (stream + t->n) / 2; i > 0; i /= 2) {
		loser_node other = t->node[i];
		loser_node lost = other < win ? win : other;

		win = other < win ? other : win;
		t->node[i] = lost;
	}
	t->top = win;
}

#endif
