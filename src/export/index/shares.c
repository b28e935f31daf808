/* SPDX-License-Identifier: MIT */
#include "export/index/shares.h"

#include "base/arena.h"

/* A piece of memory holds twice as many shares as the one before it: many rows
 * are asked for a single column. */
#define FIRST 32
#define MOST 8192

static void
use(struct shares *s, struct shares_piece *piece)
{
	s->piece = piece;
	s->at = piece != NULL ? piece->at : NULL;
	s->room = piece != NULL ? piece->room : 0;
}

void
shares_begin(struct shares *s)
{
	use(s, s->first);
}

struct index_share *
shares_more(struct shares *s, size_t n)
{
	struct shares_piece **next =
		s->piece != NULL ? &s->piece->next : &s->first;

	while (*next != NULL && (*next)->room < n)
		next = &(*next)->next;
	if (*next == NULL) {
		size_t room = s->piece == NULL      ? FIRST
			: s->piece->room < MOST / 2 ? 2 * s->piece->room
						    : MOST;

		if (room < n)
			room = n;
		*next = arena_alloc(
			s->arena, sizeof **next + room * sizeof *(*next)->at);
		(*next)->room = room;
	}
	use(s, *next);
	return s->at;
}
