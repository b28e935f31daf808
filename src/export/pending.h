/* SPDX-License-Identifier: MIT */
/*
 * pending.h - entries that wait in memory until all before them have come.
 *
 * What comes in order, as nearly all does, is appended to one buffer; states
 * of one time are sorted there, as they are few. What is late, because
 * something after it is there already, goes to a second buffer, and is sorted
 * when entries are taken out. Of equal entries, one in order came before one
 * that is late: that one was below the last in order, and what came after it in
 * order is not.
 *
 *	if ((e = pending_place(&p, time)) != NULL)
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

/* Entries one after the other. */
struct pending_part {
	char *buf; /* owned */
	size_t used, room;
};

struct pending {
	struct pending_part sorted;
	int64_t time; /* of its last entry; INT64_MIN: there is none */
	size_t last;  /* where that is */
	size_t group; /* where states of this time begin, in order of arrival */
	bool closed;  /* no more of them may be put there */
	size_t at;    /* what was passed on ends here */
	struct pending_part late;
	struct entry_key *keys; /* owned: of the late, sorted, then scratch */
	size_t keys_room;
	size_t n, taken; /* keys, and how many were passed on */
};

/* An entry without a stack, on its own. */
union pending_single {
	struct entry e;
	char bytes[ENTRY_LINK_BYTES];
};

static inline uint64_t
pending_place_at(const void *entry)
{
	return ((const struct entry *)entry)->place;
}

/* Both parts with room for so many bytes. */
void pending_init(struct pending *p, size_t sorted_bytes, size_t late_bytes);
void pending_fini(struct pending *p);

/* Sorts the states of one time that came last, which are few. */
static inline void
pending_sort_last(struct pending *p)
{
	const size_t step = ENTRY_MIN_BYTES;
	char *first = p->sorted.buf + p->group;

	for (size_t i = p->group + step; i < p->sorted.used; i += step) {
		char *at = p->sorted.buf + i, *to = at;
		union pending_single s;

		if (pending_place_at(at - step) <= pending_place_at(at))
			continue;
		memcpy(&s, at, step);
		for (; to > first && pending_place_at(to - step) > s.e.place;
			to -= step)
			memcpy(to, to - step, step);
		memcpy(to, &s, step);
	}
}

/* Room for a state without a stack behind the last ones; NULL: it belongs
 * elsewhere, or there is none. */
static inline struct entry *
pending_place(struct pending *p, int64_t time)
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

/* The part where the entry belongs. */
struct pending_part *pending_part(struct pending *p, const struct entry *e);

/* Makes room for an entry of that size, if there is none. */
void pending_grow(struct pending_part *part, size_t size);

/* The place of an entry of that size in its part, where there is room. What
 * follows must not come before it: if it is of the last states' time, no more
 * are put to them. */
void *pending_add(struct pending *p, struct pending_part *part,
	const struct entry *key, size_t size);

/* Before entries are taken out. */
void pending_sort(struct pending *p);

/* The next entry, or NULL. */
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

/* Passes on all that is not later than the limit. */
void pending_pass(struct pending *p, int64_t limit, struct sink *next);

/* Forgets what was passed on, which is all up to the limit. */
void pending_forget(struct pending *p, int64_t limit);

/* Forgets all. */
void pending_clear(struct pending *p);

/* Is more than half of a part left? */
bool pending_is_large(const struct pending *p);

#endif
