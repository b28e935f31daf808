/* SPDX-License-Identifier: MIT */
#include "base/loser.h"

#include <stdbool.h>

#include "base/arena.h"
#include "base/bug.h"

/* Plays all matches from the leaves up; win[n + i] is stream i. */
static void
play(struct loser *t, uint64_t *win)
{
	for (size_t i = (size_t)t->n - 1; i > 0; i--) {
		bool right = win[2 * i + 1] < win[2 * i];

		win[i] = win[2 * i + right];
		t->node[i] = win[2 * i + !right];
	}
	t->top = win[1];
}

void
loser_rebase(struct loser *t)
{
	uint64_t *win = mem_resize(NULL, (size_t)t->n * 2, sizeof *win);

	t->base = LOSER_END;
	for (int i = 0; i < t->n; i++)
		if (t->key[i] < t->base)
			t->base = t->key[i];
	t->far = (uint64_t)LOSER_END - (uint64_t)t->base;
	if (t->far > UINT64_MAX >> t->bits)
		t->far = UINT64_MAX >> t->bits;
	for (int i = 0; i < t->n; i++)
		win[t->n + i] = loser_node_of(t, t->key[i], (uint32_t)i);
	play(t, win);
	mem_free(win);
	if (t->base == LOSER_END)
		t->top = LOSER_NONE;
}

void
loser_init(struct loser *t, struct arena *a, const int64_t *key, int n)
{
	BUG_ON(n < 0 || n > 1 << 29);
	*t = (struct loser){ .n = 1 };
	while (t->n < n) {
		t->n *= 2;
		t->bits++;
	}
	t->node = ARENA_ARRAY(a, uint64_t, t->n);
	t->key = ARENA_ARRAY(a, int64_t, t->n);
	for (int i = 0; i < t->n; i++)
		t->key[i] = i < n ? key[i] : LOSER_END;
	loser_rebase(t);
}
