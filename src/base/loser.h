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

/* A match is decided by key, then by stream: kept together, in one line. */
struct loser_node {
	int64_t key;
	int stream;
};

struct loser {
	int n;                   /* streams, padded to a power of two; >= 1 */
	struct loser_node top;   /* the winner */
	struct loser_node *node; /* node[1..n-1]: loser of that match */
};

/* Plays the first round over key[0..n-1]; n >= 0. */
void loser_init(struct loser *t, struct arena *a, const int64_t *key, int n);

/* Index of the stream with the smallest key, or -1 when all are at the end. */
static inline int
loser_top(const struct loser *t)
{
	return t->top.key == LOSER_END ? -1 : t->top.stream;
}

/* Gives the top stream its next key, any but smaller than its last one. */
static inline void
loser_replay(struct loser *t, int64_t key)
{
	struct loser_node win = { key, t->top.stream };

	for (int i = (win.stream + t->n) / 2; i > 0; i /= 2) {
		struct loser_node *other = &t->node[i];

		if (other->key < win.key ||
			(other->key == win.key && other->stream < win.stream)) {
			struct loser_node up = *other;

			*other = win;
			win = up;
		}
	}
	t->top = win;
}

#endif
