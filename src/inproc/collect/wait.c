/* SPDX-License-Identifier: MIT */
#include "inproc/collect/wait.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "inproc/collect/callers.h"
#include "inproc/collect/put.h"
#include "weft/trace.h"

/* A thread that was not begun counts as busy, until its first wrapper. */
__thread struct collect_self collect_self = {
	.busy = 1, .is_unborn = true, .stack = UINTPTR_MAX
};
unsigned collect_has;
uint32_t collect_nconfined;
uint32_t collect_losses;
uint64_t collect_io_ns = 20000;

static void
add(uint32_t *count)
{
	__atomic_add_fetch(count, 1, __ATOMIC_SEQ_CST);
}

/* A child of fork finds the counts wiped. */
static void
take(uint32_t *count)
{
	if (__atomic_load_n(count, __ATOMIC_RELAXED) > 0)
		__atomic_sub_fetch(count, 1, __ATOMIC_SEQ_CST);
}

static void
end(const struct waiting *w, uint32_t result)
{
	if (w->object != NULL)
		take(&w->object->waiters);
	if (w->object != NULL)
		take(objects_waiting);
	if (w->is_recorded && (w->row->has & HAS_I64) != 0)
		weft_ev_i64(w->row->leave, -ECANCELED);
	else if (w->is_recorded)
		weft_ev_u32(w->row->leave, result);
}

/* Returns true if the thread runs on a stack for signal handlers, whose
 * addresses cannot be compared with others. */
static bool
is_on_other_stack(void)
{
	stack_t stack;

	return sigaltstack(NULL, &stack) != 0 ||
		(stack.ss_flags & SS_ONSTACK) != 0;
}

/* Begins a thread that a function of the C library made by itself. A confined
 * thread may have called that. */
static bool
begin_late(void)
{
	collect_self.is_unborn = false;
	collect_self.is_confined =
		__atomic_load_n(&collect_nconfined, __ATOMIC_RELAXED) != 0;
	if (!collect_self.is_confined)
		collect_self.busy--;
	return collect_self.busy == 0;
}

bool
collect_was_left(const void *caller, uintptr_t stack)
{
	if (collect_self.is_unborn)
		return begin_late();
	/* our work calls wrappers from the recorder, and a handler that
	 * interrupts it lies below it */
	if (stack <= collect_self.stack || is_on_other_stack() ||
		site_is_quiet(caller))
		return false;
	collect_self.busy = 0;
	collect_self.stack = UINTPTR_MAX;
	put_time = 0;
	return true;
}

/* Ends the waits that a longjmp() out of a handler has left: their wrappers
 * were called where the stack was as deep as for this wrapper, or deeper.
 * Frames of another stack cannot be compared. */
static void
end_left(const void *frame)
{
	struct collect_self *self = &collect_self;

	if (self->nopen == 0 || is_on_other_stack())
		return;
	while (self->nopen > 0 &&
		(uintptr_t)self->open[self->nopen - 1].frame <=
			(uintptr_t)frame)
		end(&self->open[--self->nopen].waiting, CUT);
}

/* Notes the wait; without room for it, it is not recorded. */
static void
open_wait(struct waiting *w, const void *frame)
{
	struct collect_self *self = &collect_self;

	end_left(frame);
	w->place = self->nopen;
	w->is_recorded = self->nopen < OPEN_MAX;
}

static void
note_open(const struct waiting *w, const void *frame)
{
	struct collect_self *self = &collect_self;

	if (w->is_recorded)
		self->open[self->nopen++] = (struct open){ frame, *w };
}

static inline void
begin_event(const struct waiting *w)
{
	if (__builtin_expect(put_ring() == NULL, 0) && w->is_recorded)
		wait_begin_stream(w->row->enter);
}

static void
end_event(const struct wait_row *row, const void *data, uint32_t n)
{
	if (__builtin_expect(put_time != 0, 0))
		put_event(row->enter, data, n);
	else
		weft_ev_data(row->enter, data, n);
	put_time = 0;
}

static void
put_enter(const struct waiting *w, uint32_t first, uint32_t middle,
	const void *caller)
{
	uint32_t data[3] = { first, middle,
		callers_site(caller, collect_self.site) };

	if ((w->row->has & HAS_MIDDLE) == 0)
		data[1] = data[2];
	end_event(w->row, data, (w->row->has & HAS_MIDDLE) != 0 ? 12 : 8);
}

/* Called when the thread counts as a waiter: whoever gives the lock away from
 * then on records that. */
static uint32_t
owner_of(const void *address, unsigned offset)
{
	const char *at = (const char *)address + offset;

	return __atomic_load_n(
		(const uint32_t *)(const void *)at, __ATOMIC_RELAXED);
}

/* mutex: whose number is the middle one, or NULL. */
static void
begin(struct waiting *w, const struct wait_row *row, const void *address,
	const void *mutex, const void *caller, const void *frame)
{
	int error = errno;
	uint32_t middle = 0;

	collect_enter();
	*w = (struct waiting){ .row = row };
	open_wait(w, frame);
	if (site_is_quiet(caller))
		w->is_recorded = false;
	if (w->is_recorded)
		w->object = object_at(address, row->kind);
	if (w->object != NULL) {
		add(&w->object->waiters);
		add(objects_waiting);
		if (row->has >> OWNER_SHIFT != 0)
			middle = owner_of(address, row->has >> OWNER_SHIFT);
		if (row->kind == KIND_BARRIER)
			middle = __atomic_load_n(
				&w->object->count, __ATOMIC_RELAXED);
	}
	note_open(w, frame);
	begin_event(w);
	if (w->is_recorded && mutex != NULL)
		middle = object_number(object_at(mutex, KIND_MUTEX));
	if (w->is_recorded)
		put_enter(w, object_number(w->object), middle, caller);
	collect_leave();
	if (!collect_self.is_named && w->is_recorded)
		wait_tell_name();
	errno = error;
}

void
wait_begin(struct waiting *w, const struct wait_row *row, const void *address,
	const void *caller, const void *frame)
{
	begin(w, row, address, NULL, caller, frame);
}

void
wait_begin_condition(struct waiting *w, const struct wait_row *row,
	const void *address, const void *mutex, const void *caller,
	const void *frame)
{
	begin(w, row, address, mutex, caller, frame);
}

void
wait_begin_data(struct waiting *w, const struct wait_row *row, const void *data,
	uint32_t n, const void *caller, const void *frame)
{
	int error = errno;
	unsigned char all[16];
	uint32_t site;

	collect_enter();
	*w = (struct waiting){ .row = row };
	open_wait(w, frame);
	if (site_is_quiet(caller))
		w->is_recorded = false;
	note_open(w, frame);
	begin_event(w);
	if (w->is_recorded) {
		site = callers_site(caller, collect_self.site);
		memcpy(all, data, n);
		memcpy(all + n, &site, sizeof site);
		end_event(row, all, n + (uint32_t)sizeof site);
	}
	collect_leave();
	if (!collect_self.is_named && w->is_recorded)
		wait_tell_name();
	errno = error;
}

void
wait_end_i64(struct waiting *w, int64_t result)
{
	int error = errno;

	collect_enter();
	if (w->is_recorded) {
		collect_self.nopen = w->place;
		weft_ev_i64(w->row->leave, result);
	}
	collect_leave();
	errno = error;
}

void
wait_end(struct waiting *w, uint32_t result)
{
	int error = errno;

	collect_enter();
	if (w->is_recorded)
		collect_self.nopen = w->place;
	end(w, result);
	collect_leave();
	errno = error;
}

void
wait_cut(void *waiting)
{
	wait_end(waiting, CUT);
}

void
wait_hand_over_slow(const char *event, const void *address, enum kind kind,
	uint32_t n, const void *caller)
{
	struct object *o = object_find(address, kind);
	uint32_t data[2];
	int error = errno;

	if (o == NULL || __atomic_load_n(&o->waiters, __ATOMIC_RELAXED) == 0)
		return;
	collect_enter();
	data[0] = object_number(o);
	data[1] = n == 0 ? callers_site(caller, collect_self.site) : n;
	weft_ev_data(event, data, n == NO_SECOND ? 4 : 8);
	collect_leave();
	errno = error;
}

int32_t
wait_tid(pthread_t thread)
{
	clockid_t clock;

	return pthread_getcpuclockid(thread, &clock) == 0 ? ~(clock >> 3) : 0;
}
