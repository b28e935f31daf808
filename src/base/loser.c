/* SPDX-License-Identifier: MIT */
#include "base/loser.h"

#include <stdbool.h>

#include "base/arena.h"
#include "base/bug.h"

/* Plays all matches from the leaves up; win[n + i] is stream i. */
static void
play(struct loser *t, loser_node *win)
{
	for (size_t i = (size_t)t->n - 1; i > 0; i--) {
		bool right = win[2 * i + 1] < win[2 * i];

		win[i] = win[2 * i + right];
		t->node[i] = win[2 * i + !right];
	}
	t->top = win[1];
}

void
loser_init(struct loser *t, struct arena *a, const int64_t *key, int n)
{
	loser_node *win;

	BUG_ON(n < 0 || n > 1 << 29);
	t->n = 1;
	while (t->n < n)
		t->n *= 2;
	t->node = ARENA_ARRAY(a, loser_node, t->n);
	win = mem_resize(NULL, (size_t)t->n * 2, sizeof *win);
	for (int i = 0; i < t->n; i++)
		win[t->n + i] = loser_node_of(i < n ? key[i] : LOSER_END, i);
	play(t, win);
	mem_free(win);
}
