/* SPDX-License-Identifier: MIT */
/*
 * pending.h - entries that wait in memory until all earlier ones have arrived.
 *
 * Entries that arrive in order, as nearly all do, are appended to one buffer;
 * the few states of one time are sorted there. An entry is late if a later one
 * arrived before it: late entries go to a second buffer, which is sorted when
 * entries are taken out. Of two equal entries, the one in the first buffer
 * arrived first: an entry is late only if it is less than the last entry in
 * order, and no entry that is appended afterwards is less than that one.
 *
 *	if ((e = pending_slot(&p, time)) != NULL)
 *		entry_set_flat(e, record);
 *	...
 *	pending_sort(&p);
 *	pending_pass(&p, limit, sink);
 *	pending_forget(&p, limit);
 */
#ifndef WEFT_EXPORT_PENDING_H
#define WEFT_EXPORT_PENDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "export/entry.h"

/* A buffer of entries, one after the other. */
struct pending_part {
	char *buf; /* owned */
	size_t used, room;
};

struct pending {
	struct pending_part sorted;
	int64_t time; /* time of the last sorted entry; INT64_MIN: no entry */
	size_t last;  /* byte offset of that entry */
	size_t group; /* byte offset of the first state of this time; from here
	               * on states are in order of arrival */
	bool closed;  /* no more states may join this group */
	size_t at;    /* byte offset where the entries passed on end */
	struct pending_part late;
	struct entry_key *keys; /* owned: keys of the late entries, sorted;
	                         * then scratch */
	size_t keys_room;
	size_t n, taken; /* number of keys, and how many of them were passed
	                  * on */
};

/* An entry without a stack, by itself. */
union pending_single {
	struct entry e;
	char bytes[ENTRY_LINK_BYTES];
};

static inline uint64_t
pending_ids_at(const void *entry)
{
	return ((const struct entry *)entry)->ids;
}

/* Allocates both buffers. */
void pending_init(struct pending *p, size_t sorted_bytes, size_t late_bytes);
void pending_fini(struct pending *p);

/* Sorts the states of the last time, which are few. */
static inline void
pending_sort_last(struct pending *p)
{
	const size_t step = ENTRY_MIN_BYTES;
	char *first = p->sorted.buf + p->group;

	for (size_t i = p->group + step; i < p->sorted.used; i += step) {
		char *at = p->sorted.buf + i, *to = at;
		union pending_single s;

		if (pending_ids_at(at - step) <= pending_ids_at(at))
			continue;
		memcpy(&s, at, step);
		for (; to > first && pending_ids_at(to - step) > s.e.ids;
			to -= step)
			memcpy(to, to - step, step);
		memcpy(to, &s, step);
	}
}

/* Returns room for a state without a stack after the last entries; NULL if the
 * state is late or there is no room. */
static inline struct entry *
pending_slot(struct pending *p, int64_t time)
{
	size_t at = p->sorted.used;

	if (__builtin_expect(p->sorted.room - at < ENTRY_MIN_BYTES, 0))
		return NULL;
	if (time > p->time) {
		pending_sort_last(p);
		p->time = time;
		p->group = at;
		p->closed = false;
	} else if (time < p->time || p->closed) {
		return NULL;
	}
	p->last = at;
	p->sorted.used = at + ENTRY_MIN_BYTES;
	return (void *)(p->sorted.buf + at);
}

/* Returns the part where the entry belongs. */
struct pending_part *pending_part(struct pending *p, const struct entry *e);

/* Grows the part if an entry of that size does not fit. */
void pending_grow(struct pending_part *part, size_t size);

/* Returns the address of a new entry of that size in its part, which has room.
 * Entries added later must not sort before it; so if the entry has the time of
 * the last states, that group is closed. */
void *pending_add(struct pending *p, struct pending_part *part,
	const struct entry *key, size_t size);

/* Sorts all entries; call it before taking entries out. */
void pending_sort(struct pending *p);

/* Returns the next entry, or NULL. */
static inline const struct entry *
pending_head(const struct pending *p)
{
	const struct entry *e = (const void *)(p->sorted.buf + p->at);
	const struct entry *late;

	if (__builtin_expect(p->taken == p->n, 1))
		return p->at < p->sorted.used ? e : NULL;
	late = p->keys[p->taken].entry;
	return p->at < p->sorted.used && entry_compare(e, late) <= 0 ? e : late;
}

static inline void
pending_next(struct pending *p, const struct entry *head)
{
	if (p->taken < p->n && head == p->keys[p->taken].entry)
		p->taken++;
	else
		p->at += entry_size(head);
}

/* Passes on all entries up to the limit. */
void pending_pass(struct pending *p, int64_t limit, struct sink *next);

/* Forgets the entries passed on, which are all up to the limit. */
void pending_forget(struct pending *p, int64_t limit);

/* Forgets all entries. */
void pending_clear(struct pending *p);

/* Returns true if more than half of a part is used. */
bool pending_is_large(const struct pending *p);

#endif
