/* SPDX-License-Identifier: MIT */
#include "base/near.h"

#include <stdio.h>
#include <string.h>

#define WORD_MAX 64

static int
least(int a, int b)
{
	return a < b ? a : b;
}

/* Returns the Damerau-Levenshtein distance (a swap of adjacent letters counts
 * 1). */
static int
distance(const char *a, int na, const char *b, int nb)
{
	int row[3][WORD_MAX + 1] = { 0 };

	for (int j = 0; j <= nb; j++)
		row[0][j] = j;
	for (int i = 1; i <= na; i++) {
		int *to = row[i % 3];
		const int *up = row[(i + 2) % 3], *up2 = row[(i + 1) % 3];

		to[0] = i;
		for (int j = 1; j <= nb; j++) {
			to[j] = least(least(up[j], to[j - 1]) + 1,
				up[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
				a[i - 2] == b[j - 1])
				to[j] = least(to[j], up2[j - 2] + 1);
		}
	}
	return row[na % 3][nb];
}

void
near_try(struct near *n, const char *candidate)
{
	size_t na = strlen(n->word), nb = strlen(candidate);
	size_t longest = na > nb ? na : nb;
	int d;

	if (na == 0 || longest > WORD_MAX)
		return;
	d = distance(n->word, (int)na, candidate, (int)nb);
	if (na >= 3 && strncmp(n->word, candidate, na) == 0)
		d = 1;
	if (4 * d > (int)longest + 2 || d >= (int)longest ||
		(n->best != NULL && d >= n->distance))
		return;
	n->best = candidate;
	n->distance = d;
}

const char *
near_said(const struct near *n, char to[NEAR_HINT])
{
	to[0] = '\0';
	if (n->best != NULL)
		snprintf(to, NEAR_HINT, "; did you mean %s?", n->best);
	return to;
}

const char *
near_hint(const char *list, const char *word, char to[NEAR_HINT])
{
	char copy[2][WORD_MAX + 1]; /* the best word, and the next one */
	struct near near = { .word = word };
	int next = 0;

	for (size_t n = 0; *list != '\0'; list += n + (list[n] == ',')) {
		list += strspn(list, " ");
		n = strcspn(list, ",");
		snprintf(copy[next], sizeof copy[next], "%.*s", (int)n, list);
		near_try(&near, copy[next]);
		if (near.best == copy[next])
			next = 1 - next;
	}
	return near_said(&near, to);
}
