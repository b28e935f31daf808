/* SPDX-License-Identifier: MIT */
#include "inproc/mem/take.h"

#include "inproc/code/paths.h"
#include "inproc/core/pages.h"
#include "inproc/mem/blame.h"
#include "inproc/mem/events.h"
#include "inproc/mem/files.h"
#include "inproc/mem/modules.h"
#include "inproc/mem/resolve.h"
#include "inproc/mem/self.h"
#include "inproc/mem/skid.h"
#include "inproc/mem/ticks.h"
#include "inproc/mem/track.h"

enum { PAGE = 4096 };

static uint64_t in_tool; /* only the drain uses this and the following
                          * variables */

/* Page faults at consecutive pages become one record. */
static struct {
	struct self *of;
	struct mem_sample record;
} run;

uint64_t
take_in_tool(void)
{
	return in_tool;
}

static struct self *
self_of(int tid)
{
	static struct self *last;

	if (last != NULL && last->tid == tid && last->state != SELF_FREE)
		return last;
	for (struct self *s = self_all(); s != NULL; s = s->next)
		if (s->tid == tid && s->state != SELF_FREE)
			return last = s;
	return NULL;
}

/* Writes a sample; frame: that of its address, or NULL. */
static void
write_sample(struct self *self, const struct mem_sample *r,
	const struct mem_frame *frame)
{
	struct outbuf *o = files_of(self);
	size_t bytes = sizeof(*r) + (frame == NULL ? 0 : sizeof(*frame));

	if (o == NULL)
		return;
	/* objects that a record names must be written before it, even if we are
	 * killed */
	if (o->n + bytes > OUT_BYTES) {
		files_flush_process();
		out_flush(o); /* both records in one write */
	}
	if (frame != NULL)
		OUT_ADD(o, MEM_FRAME, *frame);
	OUT_ADD(o, MEM_SAMPLE, *r);
}

void
take_end_round(void)
{
	if (run.of != NULL)
		write_sample(run.of, &run.record, NULL);
	run.of = NULL;
}

static bool
is_next_page(const struct self *self, const struct mem_sample *r)
{
	const struct mem_sample *last = &run.record;

	return run.of == self && last->event == r->event && last->ip == r->ip &&
		last->path == r->path && last->area == r->area &&
		last->ref == r->ref && last->period == 1 &&
		r->address / PAGE == last->address / PAGE + last->count;
}

static void
add_fault(struct self *self, const struct mem_sample *r)
{
	if (is_next_page(self, r)) {
		run.record.count++;
		return;
	}
	take_end_round();
	run.of = self;
	run.record = *r;
}

static uint32_t
path_of(const struct sample *s, struct self *self)
{
	uint64_t to[MEM_PATH_MAX];
	const struct path *path;
	bool cut = s->is_cut;
	uint32_t epoch = __atomic_load_n(&track.epoch, __ATOMIC_RELAXED);
	uint64_t hash;
	int n = s->npath;

	if (s->path != NULL)
		for (int i = 0; i < n; i++)
			to[i] = s->path[i];
	else if (s->has_registers && s->stack.bytes != NULL)
		n = walk(&s->stack,
			(struct frame){
				s->at.ip, s->at.r[REG_SP], s->at.r[REG_BP] },
			to, MEM_PATH_MAX, &cut);
	else
		return 0;
	if (n == 0)
		__atomic_fetch_add(&self->no_path, 1, __ATOMIC_RELAXED);
	n = track_without_us(to, n);
	hash = paths_hash_begin(cut, epoch);
	for (int i = 0; i < n; i++)
		hash = paths_hash_add(hash, to[i]);
	path = paths_get(hash, to, n, cut, epoch);
	return path == NULL ? 0 : path->number;
}

static void
charge_data(struct mem_sample *r, const struct sample *s, struct self *self)
{
	struct blame b = { .ip = s->at.ip, .access = MEM_ACCESS_AMBIGUOUS };
	struct resolved where;

	if (s->has_registers)
		b = blame(&s->at, &s->stack, self->thread, skid_is_there());
	r->ip = b.ip;
	r->skid = b.skid;
	r->access = b.access;
	r->derived = b.derived;
	if (b.derived == MEM_DERIVED_NOT)
		return;
	where = resolve(files_process(), self, b.address, ticks_of_ns(s->time));
	if (where.area == MEM_AREA_UNKNOWN && !b.is_certain) {
		r->access = MEM_ACCESS_LOST;
		r->derived = MEM_DERIVED_NOT;
		return;
	}
	r->address = b.address;
	r->area = (uint8_t)where.area;
	r->ref = where.ref;
	if (where.area == MEM_AREA_OBJECT)
		modules_locals(files_process(), self);
}

/* Finds the frame of a sample's address, if it is on the thread's own stack. */
static bool
frame_of(
	struct mem_frame *f, const struct mem_sample *r, const struct sample *s)
{
	struct walk_owner of;

	if (r->area != MEM_AREA_STACK || r->ref != (uint32_t)s->tid ||
		s->stack.bytes == NULL ||
		!walk_owner(&s->stack,
			(struct frame){
				s->at.ip, s->at.r[REG_SP], s->at.r[REG_BP] },
			r->address, &of))
		return false;
	*f = (struct mem_frame){ .ip = of.depth == 0 ? r->ip : of.ip,
		.offset = (int64_t)(r->address - of.cfa),
		.inner = of.inner,
		.inner_offset = of.inner == 0
			? 0
			: (int64_t)(r->address - of.inner_cfa),
		.depth = of.depth };
	return true;
}

static void
charge_fault(struct mem_sample *r, const struct sample *s, struct self *self)
{
	struct resolved where = resolve(
		files_process(), self, s->address, ticks_of_ns(s->time));

	r->access = MEM_ACCESS_FAULT;
	r->derived = MEM_DERIVED_EVENT;
	r->address = s->address;
	r->area = (uint8_t)where.area;
	r->ref = where.ref;
}

void
take_sample(const struct sample *s)
{
	const struct event *e = &events.event[s->event];
	struct self *self = self_of(s->tid);
	struct mem_sample r = { .time = s->time,
		.ip = s->at.ip,
		.event = (uint16_t)s->event,
		.cpu = s->cpu,
		.period = e->period,
		.count = s->count };
	struct mem_frame f;

	if (track_is_ours(s->at.ip) ||
		(e->kind == MEM_EVENT_FAULT && room_has(s->address))) {
		in_tool++;
		return;
	}
	if (self == NULL && (self = self_adopt(s->tid)) == NULL)
		return;
	r.path = path_of(s, self);
	if (e->kind == MEM_EVENT_DATA)
		charge_data(&r, s, self);
	else if (e->kind == MEM_EVENT_FAULT)
		charge_fault(&r, s, self);
	if (e->kind == MEM_EVENT_FAULT)
		add_fault(self, &r);
	else
		write_sample(self, &r, frame_of(&f, &r, s) ? &f : NULL);
	self->is_sampled |= e->kind != MEM_EVENT_FAULT;
}
