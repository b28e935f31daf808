/* SPDX-License-Identifier: MIT */
#include "inproc/mem/first.h"

#include <stddef.h>

#include "inproc/mem/events.h"
#include "inproc/mem/perf_source.h"

enum {
	ONE_IN = 4,    /* threads; opening and closing an event takes 30 us */
	LEAST = 10000, /* ns, limit of the kernel */
};

static_assert((int)SELF_FIRSTS == (int)EVENTS_MAX, "one an event");

static bool is_stopped; /* atomic; any thread reads and sets it */

static bool
has_period(const struct event *e)
{
	return e->source == MEM_SOURCE_RING && e->kind != MEM_EVENT_FAULT;
}

bool
first_begin(struct self *s)
{
	uint64_t random = self_random();

	if (random % ONE_IN != 0)
		return true;
	if (__atomic_load_n(&is_stopped, __ATOMIC_RELAXED))
		return false;
	for (int i = 0; i < events.n; i++) {
		struct self_first *f = &s->first[i];
		const struct event *e = &events.event[i];

		if (!has_period(e) || e->period < LEAST)
			continue;
		f->after = random / ONE_IN % e->period;
		if (f->after < LEAST)
			f->after = LEAST;
		f->ring = ring_once_open(i, f->after);
		if (f->ring == NULL)
			return false;
	}
	return true;
}

static void
take(struct self *s)
{
	for (int i = 0; i < events.n; i++) {
		struct self_first *f = &s->first[i];
		uint64_t rest = s->cpu % events.event[i].period;

		if (f->ring == NULL)
			continue;
		ring_once_close(
			f->ring, i, f->after, f->after <= rest ? ONE_IN : 0);
		f->ring = NULL;
	}
}

void
first_take(void)
{
	for (struct self *s = self_all(); s != NULL; s = s->next)
		if (s->state == SELF_LAST_ROUND)
			take(s);
}

void
first_stop(void)
{
	__atomic_store_n(&is_stopped, true, __ATOMIC_RELAXED);
}

/* The mappings are not inherited by a child of fork. */
void
first_forked(void)
{
	for (struct self *s = self_all(); s != NULL; s = s->next)
		for (int i = 0; i < EVENTS_MAX; i++)
			s->first[i].ring = NULL;
}
