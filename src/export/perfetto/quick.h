/* SPDX-License-Identifier: MIT */
/*
 * quick.h - writes what most records change: a stack gets or loses its top
 * entry, or the only slice of a track gives way to another.
 *
 * Which of the two a record does is random, so there is no branch on it. All
 * that is rare is left to the caller: other changes, names without a number,
 * values that have no place in a table, times in ps, and times far from the
 * packet before. A part of perfetto.c.
 */
#ifndef WEFT_EXPORT_PERFETTO_QUICK_H
#define WEFT_EXPORT_PERFETTO_QUICK_H

#include "export/perfetto/state.h"
#include "export/stacks.h"

/* Shows a record with a stack. Returns false if it is left to the caller. */
static inline bool
quick_top(struct pf *p, struct pf_track *track, const struct pf_type *t,
	const struct record *r)
{
	uint64_t time = (uint64_t)r->time + (uint64_t)p->wire.origin;
	uint32_t n = r->depth, change = n - track->depth + 1; /* 0 or 2 */
	uint32_t begins = change >> 1, same = n - begins;
	uint64_t mask = -(uint64_t)begins, value;
	int64_t entry;
	struct perfetto_field name;

	if ((change & ~2u) != 0 || same >= track->quick ||
		!perfetto_is_near(&p->wire, time) ||
		!stack_is_equal(r->stack, track->stack, same))
		return false;
	entry = stack_choose(mask, r->stack, track->stack)[same];
	value = (uint64_t)entry & mask;
	if (value >= PERFETTO_SMALL)
		return false;
	name = t->names.small[value].field;
	if (__builtin_expect((name.length | ~mask) == 0, 0))
		return false;
	name.length &= mask;
	track->stack[same] = entry;
	track->depth = n;
	p->wire.out.at = perfetto_put_slice(p->wire.out.at,
		(enum perfetto_event)(PERFETTO_END - begins),
		time - p->wire.time, &track->head, name);
	p->wire.time = time;
	return true;
}

/* Shows a record without a stack. Returns false if it is left to the caller. */
static inline bool
quick_flat(struct pf *p, struct pf_track *track, const struct pf_type *t,
	const struct record *r)
{
	uint64_t time = (uint64_t)r->time + (uint64_t)p->wire.origin;
	uint64_t ends = stack_mask(track->depth > 0);
	uint64_t begins = stack_mask(r->value != VALUE_NONE);
	uint64_t value = (uint64_t)r->value & begins, after;
	struct perfetto_field name;
	char *at = p->wire.out.at, *next;

	if (track->quick == 0 || track->depth > 1 || value >= PERFETTO_SMALL ||
		!perfetto_is_near(&p->wire, time))
		return false;
	name = t->names.small[value].field;
	if ((name.length | ~begins) == 0 || (ends | begins) == 0 ||
		track->stack[0] == r->value)
		return false;
	track->stack[0] = r->value;
	track->depth = (uint32_t)begins & 1;
	after = time - p->wire.time;
	next = perfetto_put_slice(
		at, PERFETTO_END, after, &track->head, perfetto_no_name);
	at += (uint64_t)(next - at) & ends;
	next = perfetto_put_slice(
		at, PERFETTO_BEGIN, after & ~ends, &track->head, name);
	p->wire.out.at = at + ((uint64_t)(next - at) & begins);
	p->wire.time = time;
	return true;
}

static inline bool
quick_show(struct pf *p, struct pf_track *track, const struct pf_type *t,
	const struct record *r)
{
	return r->stack != NULL ? quick_top(p, track, t, r)
				: quick_flat(p, track, t, r);
}

#endif
