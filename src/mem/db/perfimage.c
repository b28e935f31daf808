/* SPDX-License-Identifier: MIT */
#include "mem/db/perfimage.h"

#include <stdio.h>
#include <strings.h>

#include "base/arena.h"
#include "mem/db/mapping.h"
#include "mem/db/perfdata.h"
#include "mem/structure/segments.h"
#include "perf/data_src.h"

#define STACK_MOST \
	(64ull << 20)      /* bytes that a stack may have grown below its \
	                    * mapping */
#define CONTEXT_LEAST 4095 /* markers in a call chain are -1 to -4095 */
#define PAGE 4096
#define NO_PROCESS UINT32_MAX /* PID of the kernel's own mappings */

/* A process between two execs. */
struct space {
	struct image image;
	struct mappings mappings;
	struct map paths; /* checksum of a path to its number */
	uint32_t epoch;
};

struct reader {
	struct arena *arena;
	struct perfdata data;
	struct mem_findings *findings;
	VEC(struct space *) space;
	struct map now; /* PID to index of its space + 1 */
	VEC(const struct mem_event *) event;
	struct mem_path *path; /* buffer for one path */
	uint64_t throttled;
};

static struct space *
new_space(struct reader *r, uint32_t pid)
{
	struct space *s = ARENA_NEW(r->arena, struct space);

	s->image.arena = r->arena;
	s->image.rank = -1;
	s->image.findings = r->findings;
	s->image.head.pid = (int32_t)pid;
	s->image.ended = true; /* perf does not record every exit */
	for (int i = 0; i < r->event.n && i < IMAGE_EVENTS; i++)
		s->image.event[i] = r->event.at[i];
	VEC_PUSH(&r->space, r->arena, s);
	*map_put(&r->now, pid) = (uint64_t)r->space.n;
	return s;
}

static struct space *
space_of(struct reader *r, uint32_t pid)
{
	const uint64_t *n = map_get(&r->now, pid);

	return n != NULL ? r->space.at[*n - 1] : new_space(r, pid);
}

static void
name_thread(struct space *s, uint32_t tid, const char *name)
{
	uint64_t *at = map_get(&s->image.by_tid, tid);
	struct mem_thread *t;

	if (at == NULL || name == NULL)
		return;
	t = (struct mem_thread *)(uintptr_t)*at;
	memset(t->name, 0, sizeof t->name);
	memcpy(t->name, name, strnlen(name, sizeof t->name - 1));
}

static void
know_thread(struct reader *r, struct space *s, const struct perf_record *record)
{
	struct mem_thread *t;

	if (map_get(&s->image.by_tid, record->tid) != NULL)
		return;
	t = ARENA_NEW(r->arena, struct mem_thread);
	t->tid = (int32_t)record->tid;
	t->is_main = record->tid == record->pid;
	t->time = record->time;
	VEC_PUSH(&s->image.thread, r->arena, t);
	*map_put(&s->image.by_tid, record->tid) = (uint64_t)(uintptr_t)t;
	name_thread(s, record->tid, perfdata_comm(&r->data, record->tid));
}

/* Ends the modules in a range that is mapped anew. */
static void
drop_modules(struct space *s, uint64_t lo, uint64_t hi, uint64_t time)
{
	uint32_t epoch = s->epoch;

	for (int i = 0; i < s->image.module.n; i++) {
		struct image_module *m = &s->image.module.at[i];

		if (m->until != UINT32_MAX || m->record->hi <= lo ||
			m->record->lo >= hi)
			continue;
		m->until = epoch + 1;
		m->gone = time;
		s->epoch = epoch + 1;
	}
}

static void
add_module(struct reader *r, struct space *s, const struct mem_module *module,
	const char *path)
{
	struct mem_module *m = ARENA_NEW(r->arena, struct mem_module);
	struct image_module *new;

	drop_modules(s, module->lo, module->hi, module->time);
	memcpy(m, module, sizeof *m);
	new = VEC_ADD(&s->image.module, r->arena);
	*new = (struct image_module){ .record = m,
		.path = path,
		.until = UINT32_MAX,
		.gone = UINT64_MAX };
	m->module = (uint32_t)s->image.module.n;
	m->epoch = s->epoch;
	*map_put(&s->image.by_module, m->module) = m->module;
	if (s->image.program == NULL && path[0] == '/')
		s->image.program = path;
}

static void
find_build(
	const struct reader *r, const struct perf_mmap *p, struct mem_module *m)
{
	if (p->build_id_size > 0) {
		m->build_bytes = p->build_id_size;
		memcpy(m->build, p->build_id, m->build_bytes);
		return;
	}
	for (int i = 0; i < r->data.build.n; i++) {
		const struct perfdata_build *b = &r->data.build.at[i];

		if (strcmp(b->path, p->name) != 0)
			continue;
		m->build_bytes = b->bytes;
		memcpy(m->build, b->id, b->bytes);
		return;
	}
}

static const struct image_module *
module_now(const struct space *s, uint64_t address)
{
	for (int i = s->image.module.n - 1; i >= 0; i--) {
		const struct image_module *m = &s->image.module.at[i];

		if (m->until == UINT32_MAX && address >= m->record->lo &&
			address < m->record->hi)
			return m;
	}
	return NULL;
}

/* Adds a module for mapped code. If the file is gone, the module has only the
 * mapped range. */
static void
map_code(struct reader *r, struct space *s, const struct perf_record *record,
	const char *path)
{
	const struct perf_mmap *p = &record->mmap;
	const struct image_module *was = module_now(s, p->addr);
	struct mem_module m = { .time = record->time,
		.bias = p->addr - p->offset,
		.lo = p->addr,
		.hi = p->addr + p->len };
	struct segments segments;

	if (path[0] == '/' && segments_read(path, &segments) &&
		segments_bias(&segments, p->addr, p->offset, &m.bias)) {
		m.lo = m.bias + segments.lo;
		m.hi = m.bias + segments.hi;
	}
	if (was != NULL && strcmp(was->path, path) == 0 &&
		was->record->bias == m.bias)
		return; /* another segment of the same module */
	if (m.lo >= m.hi)
		return;
	find_build(r, p, &m);
	add_module(r, s, &m, path);
}

static void
take_mmap(struct reader *r, const struct perf_record *record)
{
	const struct perf_mmap *p = &record->mmap;
	struct mapping m = {
		.lo = p->addr, .hi = p->addr + p->len, .offset = p->offset
	};
	struct space *s;
	bool is_code;

	if (p->pid == NO_PROCESS || m.hi < m.lo)
		return;
	s = space_of(r, p->pid);
	m.name = arena_strdup(r->arena, p->name);
	m.area = mapping_area(m.name, (p->flags & 1) != 0); /* MAP_SHARED */
	mappings_add(&s->mappings, r->arena, &m);
	is_code = record->type == PERF_RECORD_MMAP2
		? (p->prot & 4) != 0
		: !(record->misc & PERF_RECORD_MISC_MMAP_DATA);
	if (is_code && m.area != MEM_AREA_ANON && m.area != MEM_AREA_STACK)
		map_code(r, s, record, m.name);
}

static void
take_fork(struct reader *r, const struct perf_record *record)
{
	const struct space *from;
	struct space *s;

	/* perf also reports processes that exist at its start as forks */
	if (record->task.pid == record->task.ppid ||
		(record->misc & PERF_RECORD_MISC_FORK_EXEC))
		return;
	from = space_of(r, record->task.ppid);
	s = new_space(r, record->task.pid);
	for (int i = 0; i < from->mappings.list.n; i++) {
		struct mapping m = from->mappings.list.at[i];

		m.region = 0;
		VEC_PUSH(&s->mappings.list, r->arena, m);
	}
	for (int i = 0; i < from->image.module.n; i++) {
		const struct image_module *m = &from->image.module.at[i];

		if (m->until == UINT32_MAX)
			add_module(r, s, m->record, m->path);
	}
}

static void
take_comm(struct reader *r, const struct perf_record *record)
{
	uint32_t pid = record->comm.pid;

	if (record->misc & PERF_RECORD_MISC_COMM_EXEC)
		new_space(r, pid);
	else if (map_get(&r->now, pid) != NULL)
		name_thread(
			space_of(r, pid), record->comm.tid, record->comm.name);
}

static bool
is_same(const struct mem_path *a, const struct mem_path *b)
{
	return a->epoch == b->epoch && a->n == b->n && a->flags == b->flags &&
		memcmp(a->address, b->address, a->n * sizeof a->address[0]) ==
		0;
}

static uint32_t
path_number(struct reader *r, struct space *s, const struct mem_path *path)
{
	size_t size = sizeof *path + path->n * sizeof path->address[0];
	uint64_t check = mem_check(path, size, 1);
	struct mem_path *new;

	for (;; check++) {
		uint64_t *slot = map_put(&s->paths, check);

		if (*slot == 0) {
			*slot = (uint64_t)s->image.path.n + 1;
			new = arena_alloc(r->arena, size);
			memcpy(new, path, size);
			new->path = (uint32_t)*slot;
			image_add_path(&s->image, new);
			return new->path;
		}
		if (is_same(path,
			    image_path(&s->image, (uint32_t)*slot)->record))
			return (uint32_t)*slot;
	}
}

/* Returns the callers of a sample's instruction. The chain begins with the
 * instruction itself, once in the kernel and once in user space, each after a
 * marker. */
static uint32_t
path_of(struct reader *r, struct space *s, const struct perf_record *record)
{
	struct mem_path *path = r->path;
	const struct perf_list *chain = &record->sample.chain;
	bool is_exact = true, is_first = true;

	memset(path, 0, sizeof *path);
	path->epoch = s->epoch;
	for (uint64_t i = 0; i < chain->n; i++) {
		uint64_t address = perf_list_at(chain, i);

		if (address >= (uint64_t)-CONTEXT_LEAST) {
			is_exact = true;
			continue;
		}
		if (address < PAGE)
			break; /* the program has no frame pointers: the rest
			        * is garbage */
		if (path->n == MEM_PATH_MAX) {
			path->flags = MEM_PATH_CUT;
			break;
		}
		/* For a return address, looks up the byte before the
		 * address. */
		if (!is_first)
			path->address[path->n++] = address + is_exact;
		is_first = is_exact = false;
	}
	return path->n == 0 && s->epoch == 0 ? 0 : path_number(r, s, path);
}

static uint32_t
region_of(struct reader *r, struct space *s, struct mapping *m)
{
	struct image_region *new;
	struct mem_region *region;

	if (m->region != 0)
		return m->region;
	region = ARENA_NEW(r->arena, struct mem_region);
	new = VEC_ADD(&s->image.region, r->arena);
	m->region = region->region = (uint32_t)s->image.region.n;
	region->area = m->area;
	region->lo = m->lo;
	region->hi = m->hi;
	region->offset = m->offset;
	*new = (struct image_region){ region, m->name };
	if (strcmp(m->name, "//anon") == 0)
		new->name = "";
	*map_put(&s->image.by_region, region->region) = region->region;
	return region->region;
}

static void
set_place(struct mem_sample *to, enum mem_area area, uint32_t ref)
{
	to->area = (uint8_t)area;
	to->ref = ref;
}

static void
resolve(struct reader *r, struct space *s, struct mem_sample *to)
{
	const struct image_module *module = module_now(s, to->address);
	struct mapping *m = mappings_above(&s->mappings, to->address);
	uint32_t pid = (uint32_t)s->image.head.pid;

	if (to->address >> 63)
		set_place(to, MEM_AREA_KERNEL, 0);
	else if (module != NULL && module->path[0] == '/')
		set_place(to, MEM_AREA_MODULE, module->record->module);
	else if (m != NULL && m->area == MEM_AREA_STACK &&
		(m->lo <= to->address || m->lo - to->address < STACK_MOST))
		set_place(to, MEM_AREA_STACK, pid);
	else if (m != NULL && m->lo <= to->address)
		set_place(to, m->area, region_of(r, s, m));
	else
		set_place(to, MEM_AREA_UNKNOWN, 0);
}

static uint8_t
access_of(const struct mem_event *e, const struct perf_sample *s)
{
	struct perf_access a = perf_data_src_decode(s->data_src);
	uint8_t load = a.op & PERF_MEM_OP_LOAD,
		store = a.op & PERF_MEM_OP_STORE;

	if (e->kind == MEM_EVENT_FAULT)
		return MEM_ACCESS_FAULT;
	if (e->kind == MEM_EVENT_TIME || e->kind == MEM_EVENT_CODE)
		return MEM_ACCESS_NONE;
	if (load && store)
		return MEM_ACCESS_MODIFY;
	if (load)
		return MEM_ACCESS_LOAD;
	if (store)
		return MEM_ACCESS_STORE;
	if (a.op & PERF_MEM_OP_PFETCH)
		return MEM_ACCESS_PREFETCH;
	if (e->kind == MEM_EVENT_STORE)
		return MEM_ACCESS_STORE;
	if (s->addr == 0 && s->data_src != 0)
		return MEM_ACCESS_COMPUTE; /* the event samples any
		                            * instruction */
	return s->addr == 0 ? MEM_ACCESS_LOST : MEM_ACCESS_LOAD;
}

/* Returns how many events a sample stands for. */
static uint64_t
period_of(const struct perf_event_attr *attr, const struct mem_event *e,
	const struct perf_sample *s)
{
	if (attr->sample_type & PERF_SAMPLE_PERIOD)
		return s->period;
	return e->real > 0 ? e->real : 1;
}

static void
take_sample(struct reader *r, const struct perfdata_event *event,
	const struct perf_record *record)
{
	size_t number = (size_t)(event - r->data.event.at);
	const struct mem_event *e = r->event.at[number];
	const struct perf_sample *from = &record->sample;
	struct image_sample *new;
	struct mem_sample *to;
	struct space *s;

	if (e == NULL)
		return;
	s = space_of(r, record->pid);
	new = VEC_ADD(&s->image.sample, r->arena);
	to = &new->sample;
	know_thread(r, s, record);
	if (s->image.head.time == 0)
		s->image.head.time = record->time;
	if (record->time > s->image.last)
		s->image.last = record->time;
	new->tid = (int32_t)record->tid;
	to->time = record->time;
	to->ip = from->ip;
	to->event = (uint16_t)number;
	to->access = access_of(e, from);
	to->derived = MEM_DERIVED_EVENT;
	to->cpu = (uint16_t)record->cpu;
	to->period = period_of(&event->attr, e, from);
	to->count = 1;
	to->weight =
		from->weight > UINT32_MAX ? UINT32_MAX : (uint32_t)from->weight;
	to->data_src = from->data_src;
	to->path = path_of(r, s, record);
	if (to->access == MEM_ACCESS_NONE || to->access == MEM_ACCESS_LOST ||
		to->access == MEM_ACCESS_COMPUTE)
		return;
	to->address = from->addr;
	resolve(r, s, to);
}

static uint32_t
kind_of(const struct perfdata_event *e)
{
	const struct perf_event_attr *attr = &e->attr;

	if (attr->type == PERF_TYPE_SOFTWARE) {
		switch (attr->config) {
		case PERF_COUNT_SW_CPU_CLOCK:
		case PERF_COUNT_SW_TASK_CLOCK:
			return MEM_EVENT_TIME;
		case PERF_COUNT_SW_PAGE_FAULTS:
		case PERF_COUNT_SW_PAGE_FAULTS_MIN:
		case PERF_COUNT_SW_PAGE_FAULTS_MAJ:
			return attr->sample_type & PERF_SAMPLE_ADDR
				? MEM_EVENT_FAULT
				: MEM_EVENT_CODE;
		default:
			return MEM_EVENT_CODE;
		}
	}
	if (!(attr->sample_type & PERF_SAMPLE_ADDR))
		return MEM_EVENT_CODE;
	if (strcasestr(e->name, "store") != NULL)
		return MEM_EVENT_STORE;
	return strcasestr(e->name, "load") != NULL ? MEM_EVENT_LOAD
						   : MEM_EVENT_MEMORY;
}

static const struct mem_event *
make_event(struct reader *r, const struct perfdata_event *e)
{
	struct mem_event *new = ARENA_NEW(r->arena, struct mem_event);
	uint64_t period = e->attr.freq ? 0 : e->attr.sample_period;
	size_t n = strlen(e->name);

	if (e->attr.type == PERF_TYPE_SOFTWARE &&
		e->attr.config == PERF_COUNT_SW_DUMMY)
		return NULL; /* the event that perf adds for records that are
		              * not samples */

	new->kind = kind_of(e);
	new->source = MEM_SOURCE_PERF;
	if (e->attr.freq && new->kind == MEM_EVENT_TIME)
		period = 1000000000 /
			(e->attr.sample_freq > 0 ? e->attr.sample_freq : 1);
	new->period = new->real = period; /* 0: each sample has its own
	                                   * period */
	if (n >= sizeof new->name)
		n = sizeof new->name - 1;
	while (n > 0 && e->name[n - 1] == ':')
		n--; /* removes colons without modifiers */
	snprintf(new->name, sizeof new->name, "%.*s", n > 0 ? (int)n : 7,
		n > 0 ? e->name : "samples");
	return new;
}

static void
take(struct reader *r, const struct perfdata_event *e,
	const struct perf_record *record)
{
	switch (record->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		take_mmap(r, record);
		break;
	case PERF_RECORD_COMM:
		take_comm(r, record);
		break;
	case PERF_RECORD_FORK:
		take_fork(r, record);
		break;
	case PERF_RECORD_SAMPLE:
		take_sample(r, e, record);
		break;
	case PERF_RECORD_THROTTLE:
		r->throttled++;
		break;
	default:
		break;
	}
}

/* Passes the images on. The first one reports what is missing. */
static void
finish(struct reader *r, const char *path,
	void (*each)(void *arg, const struct image *i), void *arg)
{
	uint64_t lost = r->data.lost;

	if (r->data.bad > 0)
		mem_findings_add(r->findings, path, 0,
			"%llu records are shorter than their fields, and left "
			"out",
			(unsigned long long)r->data.bad);
	if (r->data.damage != NULL)
		mem_findings_add(r->findings, path, r->data.damaged_at, "%s",
			r->data.damage);
	for (int i = 0; i < r->space.n; i++) {
		struct space *s = r->space.at[i];

		map_fini(&s->paths);
		if (s->image.sample.n == 0) {
			image_fini(&s->image);
			continue;
		}
		s->image.lost[MEM_LOST_RING] = lost;
		s->image.lost[MEM_LOST_THROTTLE] = r->throttled;
		lost = r->throttled = 0;
		each(arg, &s->image);
	}
}

bool
perfimage_load(struct arena *a, const char *path, struct mem_findings *findings,
	void (*each)(void *arg, const struct image *i), void *arg,
	struct err *err)
{
	struct reader r = { .arena = a, .findings = findings };
	const struct perfdata_event *e;
	struct perf_record record;

	if (!perfdata_open(&r.data, a, path, err))
		return false;
	r.path = arena_alloc(a, sizeof *r.path + MEM_PATH_MAX * 8);
	for (int i = 0; i < r.data.event.n; i++)
		VEC_PUSH(&r.event, a, make_event(&r, &r.data.event.at[i]));
	while ((e = perfdata_next(&r.data, &record)) != NULL)
		take(&r, e, &record);
	finish(&r, path, each, arg);
	map_fini(&r.now);
	perfdata_close(&r.data);
	return true;
}
