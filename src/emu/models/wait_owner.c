/* SPDX-License-Identifier: MIT */
#include "emu/models/wait_owner.h"

#include "emu/label_id.h"
#include "emu/models/wait_link.h"
#include "emu/say.h"
#include "emu/state.h"

enum { CIRCLE = 64 }; /* threads in a deadlock that is recognized */

void
wait_owner_is(struct emu *emu, struct object *o, struct thread *owner)
{
	if (o->owner == owner)
		return;
	o->owner = owner;
	o->owned = emu->now;
}

void
wait_owner_seen(struct emu *emu, struct object *o, int64_t tid)
{
	wait_owner_is(emu, o,
		tid == 0 ? NULL : system_thread(emu->thread->process, tid));
}

/* Returns the owner of the lock for which the thread waits at its end, or NULL.
 */
static const struct object *
awaited(const struct open *open)
{
	const struct open_wait *w;

	/* What the thread waits for is not known after lost events. */
	if (open == NULL || open->wait.n == 0 ||
		open->ngaps != open->thread->ngaps)
		return NULL;
	w = &open->wait.at[open->wait.n - 1];
	return w->object != NULL && w->object->owner != NULL ? w->object : NULL;
}

static const struct open *
open_of(const struct emu *emu, const struct thread *th)
{
	const uint64_t *at = map_get(&emu->wait->open, th->has.row);

	return at == NULL ? NULL : (const struct open *)(uintptr_t)*at;
}

/* Returns the number of threads that wait for each other in a circle with this
 * one, or 0. */
static int
in_circle(const struct emu *emu, const struct open *first)
{
	const struct object *o = awaited(first);

	for (int n = 1; n < CIRCLE && o != NULL; n++) {
		if (o->owner == first->thread)
			return n;
		o = awaited(open_of(emu, o->owner));
	}
	return 0;
}

static void
tell(struct emu *emu, const struct open *open, const struct object *o)
{
	const struct thread *th = open->thread;
	const uint64_t *name = map_get(&emu->told_labels, (uint64_t)o->value);
	int n = in_circle(emu, open);

	if (o->owner->has.row != ROW_NONE)
		wait_link_between(emu, o->owned, o->owner->has.row, emu->now,
			th, LINK_OWNER);
	emu_finding_of(emu, &th->has, FINDING_NOTE,
		n > 1 ? "thread %lld waits for %s until the end, which thread "
			"%lld has: a deadlock of %d threads"
		      : "thread %lld waits for %s until the end, which thread "
			"%lld has",
		(long long)th->tid,
		name == NULL ? "a lock" : (const char *)(uintptr_t)*name,
		(long long)o->owner->tid, n);
}

void
wait_tell_owners(struct emu *emu)
{
	if (emu->wait == NULL)
		return;
	for (int i = 0; i < emu->system.nthreads; i++) {
		const struct open *open = open_of(emu, &emu->system.threads[i]);
		const struct object *o = awaited(open);

		if (o != NULL)
			tell(emu, open, o);
	}
}
