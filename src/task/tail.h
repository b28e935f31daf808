/* SPDX-License-Identifier: MIT */
/*
 * tail.h - the part of a journal's file that is mapped, and takes its records.
 *
 *	uint64_t *to = tail_room(t, 2);
 *	if (to == NULL) ...              the record is lost, and all that follow
 *	to[1] = id;
 *	tail_commit(t, first, 2);
 *
 * What is committed outlives the process. When the tail is full, it is written
 * behind what the file has, and filled from its begin.
 */
#ifndef WEFT_TASK_TAIL_H
#define WEFT_TASK_TAIL_H

#include <stdbool.h>
#include <stddef.h>

#include "task/wire.h"

/* Words that the usual records have at most. */
#define TAIL_USUAL 3

struct tail {
	/* What each record needs. */
	uint64_t *at;    /* where the next one goes */
	uint64_t *usual; /* a usual record has room there and before */
	int64_t last;    /* time of the record before */
	struct journal_head *map;
	/* The rest. */
	uint64_t *end;
	uint64_t *words; /* where it begins */
	uint64_t begin;  /* where records begin in the file */
	int why;         /* an errno, once it failed */
	int fd;          /* borrowed */
};

/* Makes room in the file for header and tail, of so many bytes, and maps them.
 * False with t->why. */
bool tail_open(struct tail *t, int fd, const struct journal_head *head);

/* Writes what it has behind the file's records. */
void tail_flush(struct tail *t);

/* Empties it, for a record of so many words. NULL: it is lost, and all that
 * follow. */
uint64_t *tail_make_room(struct tail *t, size_t words);

/* Puts a record that sets the time. */
void tail_put_time(struct tail *t, int64_t now);

/* Flushes it, and unmaps it with what the header is to say of what was lost. */
void tail_close(struct tail *t, uint64_t lost);

/* Room for a record, or NULL. */
static inline uint64_t *
tail_room(struct tail *t, size_t words)
{
	if (__builtin_expect((size_t)(t->end - t->at) >= words, 1))
		return t->at;
	return tail_make_room(t, words);
}

/* Makes the record valid that was written. */
static inline void
tail_commit(struct tail *t, uint64_t first, size_t words)
{
	*t->at = first;
	t->at += words;
	__atomic_store_n(
		&t->map->head, t->map->head + words * 8, __ATOMIC_RELEASE);
}

/* True if a usual record can be put as it is: its time is near, and there is
 * room. */
static inline bool
tail_is_plain(const struct tail *t, int64_t now)
{
	return (uint64_t)now - (uint64_t)t->last <= UINT32_MAX &&
		t->at <= t->usual;
}

/* ps since the record before; it may be too far away for that, or later: then
 * a record comes between. */
static inline uint32_t
tail_since_last(struct tail *t, int64_t now)
{
	uint64_t ps = (uint64_t)now - (uint64_t)t->last;

	if (__builtin_expect(ps > UINT32_MAX, 0)) {
		tail_put_time(t, now);
		return 0;
	}
	t->last = now;
	return (uint32_t)ps;
}

static inline uint64_t
journal_word(enum journal_kind kind, uint32_t number, uint32_t ps)
{
	return (uint64_t)kind << 60 | (uint64_t)number << 32 | ps;
}

#endif
