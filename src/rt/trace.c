/* SPDX-License-Identifier: MIT */
/* weft_*: what <weft/trace.h> does not do in line. */
#include "weft/trace.h"

#include <stdlib.h>
#include <string.h>

#include "rt/api.h"
#include "rt/clock.h"
#include "rt/ctf.h"
#include "rt/drain.h"
#include "rt/gate.h"
#include "rt/jumbo.h"
#include "rt/mark.h"

int
weft_room(uint64_t size, int layout)
{
	struct thread *th = weft_rt_thread();

	if (layout != WEFT_LAYOUT)
		weft_rt_die("weft_ev",
			"compiled with layout %d of weft/trace.h, but this "
			"libovni.so.1 has layout %d; compile again",
			layout, WEFT_LAYOUT);
	if (!th)
		th = weft_rt_thread_auto();
	return th && weft_rt_stream_room(&th->stream, size);
}

uint64_t
weft_time(struct weft_ring *ring, uint64_t tsc)
{
	return weft_rt_clock_read(ring, tsc);
}

/* The calling thread, started if it is new; NULL: not recorded. */
static struct thread *
thread(void)
{
	struct thread *th = weft_rt_thread();

	return th ? th : weft_rt_thread_auto();
}

void
weft_jumbo(const char *mcv, const void *data, uint32_t n)
{
	struct thread *th = weft_is_on(mcv) ? thread() : NULL;
	uint32_t first = weft_first(mcv, 4);

	*(unsigned char *)&first |= 0x10;
	if (th)
		weft_rt_jumbo(th, first, NULL, data, n);
}

void
weft_jumbo_u32_str(const char *mcv, uint32_t a, const char *text)
{
	unsigned char data[4 + 512];
	size_t n = strlen(text) + 1;

	/* a label is at most that long on a timeline */
	if (n > sizeof(data) - 4)
		n = sizeof(data) - 4;
	memcpy(data, &a, 4);
	memcpy(data + 4, text, n);
	data[4 + n - 1] = '\0';
	weft_jumbo(mcv, data, (uint32_t)(4 + n));
}

void
weft_off(void)
{
	weft_rt_gate_switch(false);
	weft_rt_ctf_switch(false);
}

void
weft_on(void)
{
	weft_rt_gate_switch(true);
	weft_rt_ctf_switch(true);
}

void
weft_require(const char *model, const char *version)
{
	struct thread *th = thread();

	if (!th)
		return;
	weft_rt_meta_require(&th->meta, model, version);
	weft_rt_thread_save(th, false);
}

uint64_t
weft_lost(void)
{
	return __atomic_load_n(&weft_rt_proc->lost, __ATOMIC_RELAXED);
}

int
weft_dump(void)
{
	struct proc *p = weft_rt_proc;
	sigset_t was;
	bool ok = true, is_me;

	weft_rt_proc_lock(&was);
	for (struct stream *s = p->streams; s; s = s->next) {
		if (!s->has_file || !weft_rt_drain_take(s, &is_me))
			continue;
		ok = weft_rt_stream_drain(s) && ok;
		weft_rt_drain_give(s);
	}
	weft_rt_proc_unlock(&was);
	return ok;
}

/* FNV-1a in the range that Paraver takes: all processes give a name one
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

int64_t
weft_region_name(struct weft_region *region)
{
	struct thread *th = thread();
	int64_t value = hash(region->name);
	struct meta_mark *m;

	if (!th)
		return value;
	m = mark_of(&th->meta, WEFT_REGION_TYPE, true, "Regions");
	while (m && is_taken(m, value, region->name))
		value++;
	if (m)
		weft_rt_mark_label(m, value, region->name);
	weft_rt_thread_save(th, false);
	__atomic_store_n(&region->value, value, __ATOMIC_RELEASE);
	return value;
}

void
weft_counter_name(struct weft_counter *counter)
{
	struct thread *th = thread();

	if (counter->type < 0 || counter->type >= WEFT_REGION_TYPE)
		weft_rt_die("weft_count",
			"type %d of \"%s\" is not in the range 0 to 98",
			(int)counter->type, counter->title);
	if (!th)
		return;
	mark_of(&th->meta, counter->type, false, counter->title);
	weft_rt_thread_save(th, false);
	__atomic_store_n(&counter->is_named, 1, __ATOMIC_RELEASE);
}
