/* SPDX-License-Identifier: MIT */
/*
 * tail.h - the mapped part of a journal's file, which receives the records.
 *
 *	uint64_t *to = tail_room(t, 2);
 *	if (to == NULL) ...              this and all later records are lost
 *	to[1] = id;
 *	tail_commit(t, first, 2);
 *
 * Committed records survive the process. A full tail is written to the end of
 * the file and refilled from its begin.
 */
#ifndef WEFT_TASK_TAIL_H
#define WEFT_TASK_TAIL_H

#include <stdbool.h>
#include <stddef.h>

#include "task/wire.h"

/* The greatest number of words of a usual record. */
#define TAIL_USUAL 3

struct tail {
	/* Members that every record needs. */
	uint64_t *at;    /* address of the next record */
	uint64_t *usual; /* the last address at which a usual record has room */
	int64_t last;    /* time of the previous record */
	struct journal_head *map;
	/* Members that an ordinary record does not need. */
	uint64_t *end;
	uint64_t *words; /* the beginning of the tail */
	uint64_t begin;  /* file offset of the records after the tail */
	int why;         /* errno of the first failure, or 0 */
	int fd;          /* borrowed */
};

/* Allocates the header and the tail in the file and maps both. Returns false
 * and sets t->why on failure. */
bool tail_open(struct tail *t, int fd, const struct journal_head *head);

/* Writes the tail's records to the end of the file. */
void tail_flush(struct tail *t);

/* Empties the tail for a record of that many words. Returns NULL if that
 * failed: this and all later records are lost. */
uint64_t *tail_make_room(struct tail *t, size_t words);

/* Appends a record that sets the time. */
void tail_put_time(struct tail *t, int64_t now);

/* Flushes the tail, writes the number of lost rows into the header and unmaps
 * both. */
void tail_close(struct tail *t, uint64_t lost);

/* Returns room for a record, or NULL if the record is lost. */
static inline uint64_t *
tail_room(struct tail *t, size_t words)
{
	if (__builtin_expect((size_t)(t->end - t->at) >= words, 1))
		return t->at;
	return tail_make_room(t, words);
}

/* Makes the written record valid. */
static inline void
tail_commit(struct tail *t, uint64_t first, size_t words)
{
	*t->at = first;
	t->at += words;
	__atomic_store_n(
		&t->map->head, t->map->head + words * 8, __ATOMIC_RELEASE);
}

/* Returns true if a usual record can be appended without preparation: there is
 * room, and the time since the previous record fits. */
static inline bool
tail_is_plain(const struct tail *t, int64_t now)
{
	return (uint64_t)now - (uint64_t)t->last <= UINT32_MAX &&
		t->at <= t->usual;
}

/* Returns the ps since the previous record. If the number does not fit, appends
 * a record that sets the time and returns 0. */
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
