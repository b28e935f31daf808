/* SPDX-License-Identifier: MIT */
/* The functions of <weft/trace.h> that are not inline. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "inproc/core/clock.h"
#include "inproc/core/confined.h"
#include "inproc/core/drain.h"
#include "inproc/core/gate.h"
#include "inproc/core/part.h"
#include "inproc/core/reserve.h"
#include "inproc/core/slow.h"
#include "inproc/core/writer.h"
#include "inproc/ovni/api.h"
#include "inproc/ovni/jumbo.h"
#include "inproc/ovni/life.h"
#include "inproc/ovni/mark.h"
#include "inproc/ovni/process.h"
#include "inproc/ovni/still.h"
#include "weft/trace.h"

/* Returns the calling thread, started if it is new; NULL: not recorded. */
static struct thread *
thread(void)
{
	struct thread *th = weft_rt_thread();

	if (weft_rt_is_confined())
		return NULL;
	if (!th)
		return weft_rt_life_auto();
	weft_rt_writer_offer();
	if (__atomic_load_n(&th->meta.is_late, __ATOMIC_RELAXED))
		weft_rt_life_change(th, NULL, NULL);
	return th;
}

int
weft_room(uint64_t size, int layout)
{
	int error = errno, ok;
	struct thread *th;

	if (layout != WEFT_LAYOUT)
		weft_rt_die("weft_ev",
			"compiled with layout %d of weft/trace.h, but this "
			"libovni.so.1 has layout %d; compile again",
			layout, WEFT_LAYOUT);
	th = thread();
	ok = th && weft_rt_still_room(th, size, NULL, false);
	errno = error;
	return ok;
}

/* Requires the version that we know, unless the program required one.
 */
static void
require_model(struct thread *th, const char *mcv)
{
	const char *name, *version = weft_rt_gate_version(mcv, &name);

	if (!version || weft_rt_proc_is_closing() ||
		(weft_rt_meta_requires(&th->meta, name) &&
			!weft_rt_gate_is_newer(mcv)))
		return;
	weft_rt_meta_require(&th->meta, name, version);
	weft_rt_life_save(th, false);
}

static int
gate_of(const char *mcv)
{
	return __atomic_load_n(&weft_gate[weft_gate_of(mcv)], __ATOMIC_RELAXED);
}

struct ask {
	const char *mcv;
	struct thread *thread;
};

static void
ask(void *arg)
{
	struct ask *a = arg;
	sigset_t was;

	/* one of the threads that first use the model requires it */
	weft_rt_proc_lock(&was);
	if (gate_of(a->mcv) == GATE_ASK) {
		require_model(a->thread, a->mcv);
		weft_rt_gate_asked(a->mcv);
	}
	weft_rt_proc_unlock(&was);
}

int
weft_ask(const char *mcv)
{
	struct ask a = { .mcv = mcv };
	int error = errno;

	weft_rt_load();
	if (gate_of(mcv) == GATE_ASK) {
		a.thread = thread();
		if (a.thread && !a.thread->is_late)
			weft_rt_slow(ask, &a);
	}
	errno = error;
	return gate_of(mcv) != GATE_OFF;
}

uint64_t
weft_time(struct weft_ring *ring, uint64_t tsc)
{
	return weft_rt_clock_read(ring, tsc);
}

void
weft_jumbo(const char *mcv, const void *data, uint32_t n)
{
	int error = errno;
	struct thread *th = weft_ask(mcv) ? thread() : NULL;
	uint32_t first = weft_first(mcv, 4);

	*(unsigned char *)&first |= 0x10;
	if (th)
		weft_rt_jumbo(th, first, NULL, data, n);
	errno = error;
}

void
weft_jumbo_u32_str(const char *mcv, uint32_t a, const char *text)
{
	unsigned char data[4 + 512];
	size_t n = strlen(text) + 1;

	/* longer labels do not fit on a timeline */
	if (n > sizeof(data) - 4)
		n = sizeof(data) - 4;
	memcpy(data, &a, 4);
	memcpy(data + 4, text, n);
	data[4 + n - 1] = '\0';
	weft_jumbo(mcv, data, (uint32_t)(4 + n));
}

static void
turn(bool is_on)
{
	weft_rt_gate_switch(is_on);
	for (const struct part *const *p = weft_rt_parts; *p; p++)
		if ((*p)->turn)
			(*p)->turn(is_on);
}

void
weft_off(void)
{
	weft_rt_load();
	turn(false);
}

void
weft_on(void)
{
	weft_rt_load();
	turn(true);
}

void
weft_require(const char *model, const char *version)
{
	struct thread *th = thread();

	if (th)
		weft_rt_life_require(th, model, version);
}

void
weft_after_fork(void)
{
	if (!weft_rt_is_confined())
		weft_rt_proc_allow();
}

uint64_t
weft_lost(void)
{
	weft_rt_load();
	return __atomic_load_n(&weft_rt_proc->lost, __ATOMIC_RELAXED);
}

static void
dump(void *arg)
{
	struct proc *p = weft_rt_proc;
	bool *all = arg, ok = true, is_me;
	sigset_t was;

	weft_rt_proc_lock(&was);
	for (struct stream *s = p->streams; s; s = s->next) {
		if (!s->has_file || !weft_rt_drain_take(s, &is_me))
			continue;
		ok = weft_rt_stream_drain(s) && ok;
		weft_rt_drain_give(s);
	}
	weft_rt_proc_unlock(&was);
	*all = ok;
}

int
weft_dump(void)
{
	bool ok = false;

	weft_rt_load();
	if (!weft_rt_is_confined())
		weft_rt_slow(dump, &ok);
	return ok;
}

/* FNV-1a in the range that Paraver accepts: all processes give a name the same
 * value. */
static int64_t
hash(const char *text)
{
	uint32_t h = 2166136261u;

	for (; *text != '\0'; text++)
		h = (h ^ (unsigned char)*text) * 16777619u;
	return (int64_t)(h % 2000000000u) + 1;
}

static struct meta_mark *
mark_of(struct meta *meta, int32_t type, bool is_stack, const char *title)
{
	struct meta_mark *m = weft_rt_meta_mark(meta, type);

	return m ? m : weft_rt_mark_add(meta, type, is_stack, title);
}

static bool
is_taken(const struct meta_mark *m, int64_t value, const char *name)
{
	for (const struct meta_label *l = m->label; l; l = l->next)
		if (l->value == value && strcmp(l->text, name) != 0)
			return true;
	return false;
}

struct naming {
	struct thread *thread;
	struct weft_region *region;
	struct weft_counter *counter;
	struct weft_mark *mark;
	int64_t value;
};

/* Finds the first value >= n->value that has no label of another name, and
 * gives it this name as its label. */
static void
name_value(struct naming *n, struct meta_mark *m, const char *name)
{
	while (m && is_taken(m, n->value, name))
		n->value++;
	if (m)
		weft_rt_mark_label(&n->thread->meta, m, n->value, name);
}

static void
name_region(void *arg)
{
	struct naming *n = arg;

	name_value(n,
		mark_of(&n->thread->meta, WEFT_REGION_TYPE, true, "Regions"),
		n->region->name);
}

/* Uses weft_rt_life_change(), so that no handler names another region
 * meanwhile. */
int64_t
weft_region_name(struct weft_region *region)
{
	struct naming n = { .region = region, .value = hash(region->name) };
	int error = errno;

	n.thread = thread();
	if (n.thread && weft_rt_life_change(n.thread, name_region, &n))
		__atomic_store_n(&region->value, n.value, __ATOMIC_RELEASE);
	errno = error;
	return n.value;
}

static void
name_mark(void *arg)
{
	struct naming *n = arg;
	const struct weft_mark *m = n->mark;

	name_value(n, mark_of(&n->thread->meta, m->type, false, m->title),
		m->name);
}

/* Ends the program if the type is not one that programs may choose. */
static void
check_type(const char *where, int32_t type, const char *title)
{
	if (type < 0 || type >= WEFT_REGION_TYPE)
		weft_rt_die(where,
			"type %d of \"%s\" is not in the range 0 to 98",
			(int)type, title);
}

int64_t
weft_mark_name(struct weft_mark *mark)
{
	struct naming n = { .mark = mark, .value = hash(mark->name) };
	int error = errno;

	check_type("weft_set", mark->type, mark->title);
	n.thread = thread();
	if (n.thread && weft_rt_life_change(n.thread, name_mark, &n))
		__atomic_store_n(&mark->value, n.value, __ATOMIC_RELEASE);
	errno = error;
	return n.value;
}

static void
name_counter(void *arg)
{
	struct naming *n = arg;
	struct weft_counter *c = n->counter;

	mark_of(&n->thread->meta, c->type, false, c->title);
}

void
weft_counter_name(struct weft_counter *counter)
{
	struct naming n = { .counter = counter };
	int error = errno;

	check_type("weft_count", counter->type, counter->title);
	n.thread = thread();
	if (n.thread && weft_rt_life_change(n.thread, name_counter, &n))
		__atomic_store_n(&counter->is_named, 1, __ATOMIC_RELEASE);
	errno = error;
}
