/* SPDX-License-Identifier: MIT */
#include "export/pending.h"

#include "base/arena.h"

void
pending_init(struct pending *p, size_t sorted_bytes, size_t late_bytes)
{
	p->sorted.room = sorted_bytes;
	p->late.room = late_bytes;
	p->sorted.buf = mem_resize(NULL, p->sorted.room, 1);
	p->late.buf = mem_resize(NULL, p->late.room, 1);
	p->time = INT64_MIN;
}

void
pending_fini(struct pending *p)
{
	mem_free(p->sorted.buf);
	mem_free(p->late.buf);
	mem_free(p->keys);
}

struct pending_part *
pending_part(struct pending *p, const struct entry *e)
{
	bool late = e->time < p->time;

	if (e->time == p->time)
		late = entry_compare(e, (void *)(p->sorted.buf + p->last)) < 0;
	return late ? &p->late : &p->sorted;
}

void
pending_grow(struct pending_part *part, size_t size)
{
	if (size <= part->room - part->used)
		return;
	part->room = part->used + size;
	part->buf = mem_resize(part->buf, part->room, 1);
}

void *
pending_add(struct pending *p, struct pending_part *part,
	const struct entry *key, size_t size)
{
	if (part == &p->sorted) {
		p->last = part->used;
		p->time = key->time;
	}
	part->used += size;
	if (key->time == p->time) {
		p->group = p->sorted.used;
		p->closed = true;
	}
	return part->buf + part->used - size;
}

static void
sort_late(struct pending *p)
{
	size_t n = 0;

	for (size_t at = 0; at < p->late.used; n++)
		at += entry_size((const void *)(p->late.buf + at));
	if (2 * n > p->keys_room) {
		p->keys = mem_resize(p->keys, 2 * n, sizeof *p->keys);
		p->keys_room = 2 * n;
	}
	p->n = n;
	p->taken = 0;
	for (size_t at = 0, i = 0; i < n; i++) {
		const struct entry *e = (const void *)(p->late.buf + at);

		p->keys[i] = (struct entry_key){ e->time, e };
		at += entry_size(e);
	}
	if (n > 0)
		entry_sort(p->keys, p->keys + n, n);
}

void
pending_sort(struct pending *p)
{
	pending_sort_last(p);
	sort_late(p);
}

/* Passes on sorted entries up to `time`. */
static void
pass_sorted(struct pending *p, int64_t time, struct sink *next)
{
	const char *buf = p->sorted.buf;
	size_t at = p->at, end = p->sorted.used;

	while (at < end) {
		const struct entry *e = (const void *)(buf + at);

		if (e->time > time)
			break;
		if (__builtin_expect(e->kind == ENTRY_STATE, 1))
			at += ENTRY_MIN_BYTES;
		else
			at += entry_size(e);
		entry_pass(e, next);
	}
	p->at = at;
}

void
pending_pass(struct pending *p, int64_t limit, struct sink *next)
{
	const struct entry *e;

	while (p->taken < p->n && p->keys[p->taken].time <= limit) {
		pass_sorted(p, p->keys[p->taken].time - 1, next);
		e = pending_head(p);
		pending_next(p, e);
		entry_pass(e, next);
	}
	pass_sorted(p, limit, next);
}

/* Drops the late entries that were passed on; the others stay in order of
 * arrival. */
static void
forget_late(struct pending *p, int64_t limit)
{
	size_t to = 0;

	for (size_t at = 0; p->taken < p->n && at < p->late.used;) {
		const struct entry *e = (const void *)(p->late.buf + at);
		size_t size = entry_size(e);

		if (e->time > limit) {
			memmove(p->late.buf + to, e, size);
			to += size;
		}
		at += size;
	}
	p->late.used = to;
	p->n = p->taken = 0;
}

/* If no sorted entry is left, no late entry is left either, because each late
 * entry is earlier than a sorted entry that arrived before it. */
void
pending_forget(struct pending *p, int64_t limit)
{
	forget_late(p, limit);
	p->sorted.used -= p->at;
	memmove(p->sorted.buf, p->sorted.buf + p->at, p->sorted.used);
	p->last -= p->at;
	p->at = 0;
	p->group = p->sorted.used;
	p->closed = true;
	if (p->sorted.used == 0)
		p->time = INT64_MIN;
}

void
pending_clear(struct pending *p)
{
	p->at = p->sorted.used;
	p->taken = p->n;
	pending_forget(p, INT64_MAX);
}

static size_t
late_bytes(const struct pending *p)
{
	size_t bytes = 0;

	for (size_t i = p->taken; i < p->n; i++)
		bytes += entry_size(p->keys[i].entry);
	return bytes;
}

bool
pending_is_large(const struct pending *p)
{
	return p->sorted.used - p->at > p->sorted.room / 2 ||
		late_bytes(p) > p->late.room / 2;
}
