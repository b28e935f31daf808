/* SPDX-License-Identifier: MIT */
#include "inproc/collect/openmp.h"

#include <dlfcn.h>
#include <errno.h>
#include <sched.h>
#include <unistd.h>

#include "inproc/collect/objects.h"

enum {
	IDS = 1024,    /* that a thread takes at once */
	TYPES = 65536, /* as many as code locations */
};

enum { TYPE_NEW, TYPE_BEING_MADE, TYPE_MADE };

/* In pages that a fork wipes. */
static struct tables {
	uint32_t process; /* atomic: id of the process; 0: not looked at */
	uint32_t ids;     /* atomic: taken so far */
	unsigned char type[TYPES]; /* atomic: TYPE_ */
} * tables;

__thread struct omp_self omp_self;

bool
omp_init(void)
{
	tables = wiped_pages(sizeof *tables);
	return tables != NULL;
}

/* Returns the thread's struct. That of a parent process is emptied. */
static struct omp_self *
self_now(void)
{
	struct omp_self *s = &omp_self;
	uint32_t process = __atomic_load_n(&tables->process, __ATOMIC_RELAXED);

	if (__builtin_expect(process == 0, 0)) {
		process = (uint32_t)getpid();
		__atomic_store_n(&tables->process, process, __ATOMIC_RELAXED);
	}
	if (__builtin_expect(s->process != process, 0))
		*s = (struct omp_self){ .process = process };
	return s;
}

/* Deeper levels share one. */
static struct omp_level *
level_at(struct omp_self *s, uint32_t depth)
{
	return &s->level[depth < OMP_LEVELS ? depth : OMP_LEVELS];
}

struct omp_level *
omp_level(void)
{
	struct omp_self *s = self_now();

	return level_at(s, s->depth);
}

uint32_t
omp_id(void)
{
	struct omp_self *s = self_now();

	if (s->next_id == s->end_id) {
		s->next_id =
			__atomic_fetch_add(&tables->ids, IDS, __ATOMIC_RELAXED);
		s->end_id = s->next_id + IDS;
		s->next_id += s->next_id == 0;
	}
	return s->next_id++;
}

static bool
has_regions(void)
{
	return weft_is_on("WGf") != 0;
}

struct omp_region
omp_fork(const void *caller)
{
	struct batch b = { 0 };
	struct omp_region made = { 0 };

	collect_self.busy++;
	made.number = omp_id();
	batch_add(&b, "PCf", NULL, 0);
	if (has_regions()) {
		made.site = site_number(caller, collect_self.site);
		batch_add(&b, "WGf", &made, sizeof made);
	}
	batch_put(&b);
	collect_self.busy--;
	return made;
}

static void
set_depth(struct omp_self *s, uint32_t depth)
{
	s->depth = depth;
	collect_self.site = depth == 0 ? 0 : level_at(s, depth)->site;
}

/* Adds the events of a region that the thread has left before, unless the event
 * WGF has ended it there. */
static void
add_late_end(struct batch *b, const struct omp_level *l)
{
	if (!l->is_joined)
		batch_add(b, "PMU", NULL, 0);
	if (has_regions())
		batch_add(b, "WGP", &l->region, 4);
	else if (l->is_joined)
		batch_add(b, "PBJ", NULL, 0);
}

void
omp_join(uint32_t region, uint32_t depth)
{
	struct omp_self *s = self_now();
	struct batch b = { 0 };

	collect_self.busy++;
	/* a team of one thread may have no join barrier */
	if (s->depth > depth) {
		batch_add(&b, level_at(s, s->depth)->is_joined ? "PBJ" : "PMU",
			NULL, 0);
		set_depth(s, depth);
	}
	batch_add(&b, "PCF", NULL, 0);
	if (has_regions())
		batch_add(&b, "WGF", &region, 4);
	batch_put(&b);
	collect_self.busy--;
}

void
omp_enter(const struct omp_part *part)
{
	struct omp_self *s = self_now();
	struct batch b = { 0 };
	struct __attribute__((packed)) {
		uint32_t region;
		uint16_t number, size;
		uint32_t parent;
	} data = { part->region, part->number, part->size, part->parent };

	collect_self.busy++;
	for (; s->depth > part->depth; s->depth--)
		add_late_end(&b, level_at(s, s->depth));
	batch_add(&b, "PMu", NULL, 0);
	if (has_regions())
		batch_add(&b, "WGp", &data, sizeof data);
	batch_put(&b);
	*level_at(s, s->depth + 1) = (struct omp_level){ .region = part->region,
		.site = part->site };
	set_depth(s, s->depth + 1);
	collect_self.busy--;
}

void
omp_arrive(void)
{
	struct omp_self *s = self_now();
	struct omp_level *l = level_at(s, s->depth);
	struct batch b = { 0 };

	if (s->depth == 0 || l->is_joined)
		return;
	collect_self.busy++;
	if (l->in_section)
		batch_add(&b, "PWE", NULL, 0);
	batch_add(&b, "PMU", NULL, 0);
	batch_add(&b, "PBj", NULL, 0);
	batch_put(&b);
	l->in_section = false;
	l->is_joined = true;
	collect_self.busy--;
}

void
omp_leave(void)
{
	struct omp_self *s = self_now();
	struct batch b = { 0 };

	if (s->depth == 0)
		return;
	collect_self.busy++;
	add_late_end(&b, level_at(s, s->depth));
	batch_put(&b);
	set_depth(s, s->depth - 1);
	collect_self.busy--;
}

/* Records the type "prog+0x1234". */
static void
define_type(uint32_t type, const void *caller)
{
	char text[SITE_TEXT];

	site_text(caller, text);
	weft_jumbo_u32_str("POc", type, text);
}

uint32_t
omp_task_type(const void *caller)
{
	uint32_t type;
	unsigned char was = TYPE_NEW, *at;
	int error = errno;

	collect_self.busy++;
	type = site_number(caller, collect_self.site);
	at = &tables->type[type % TYPES];
	if (__atomic_load_n(at, __ATOMIC_ACQUIRE) != TYPE_MADE && type != 0) {
		if (__atomic_compare_exchange_n(at, &was, TYPE_BEING_MADE,
			    false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
			define_type(type, caller);
			__atomic_store_n(at, TYPE_MADE, __ATOMIC_RELEASE);
		}
		/* the other thread's event must come before ours */
		while (__atomic_load_n(at, __ATOMIC_ACQUIRE) != TYPE_MADE)
			sched_yield();
	}
	collect_self.busy--;
	errno = error;
	return type;
}

void
omp_task_create(uint32_t id, uint32_t type)
{
	collect_self.busy++;
	weft_ev_u32_u32("PPc", id, type);
	collect_self.busy--;
}

/* is_inside: the thread runs the task inside the call that creates it. */
void
omp_task_begin(uint32_t id, bool is_inside)
{
	struct batch b = { 0 };

	collect_self.busy++;
	batch_add(&b, is_inside ? "PTi" : "PT[", NULL, 0);
	batch_add(&b, "PPx", &id, 4);
	batch_put(&b);
	collect_self.busy--;
}

void
omp_task_end(uint32_t id, bool is_inside)
{
	struct batch b = { 0 };

	collect_self.busy++;
	batch_add(&b, "PPe", &id, 4);
	batch_add(&b, is_inside ? "PTI" : "PT]", NULL, 0);
	batch_put(&b);
	collect_self.busy--;
}

/* Returns true if the thread waited for what it asked for. */
static bool
has_waited(const struct stamp *asked, const struct stamp *now)
{
	return asked->time != 0 && now->time - asked->time >= OMP_WAIT_NS;
}

void
omp_critical_begin(const struct stamp *asked)
{
	struct stamp now = stamp_now();
	struct batch b = { 0 };

	collect_self.busy++;
	if (has_waited(asked, &now)) {
		batch_add_earlier(&b, "PIa", NULL, 0);
		batch_add(&b, "PIA", NULL, 0);
	}
	batch_add(&b, "PI[", NULL, 0);
	batch_put_since(&b, asked);
	collect_self.busy--;
}

uint32_t
omp_site(const void *caller)
{
	int error = errno;
	uint32_t site;

	collect_self.busy++;
	site = site_number(caller, collect_self.site);
	collect_self.busy--;
	errno = error;
	return site;
}

struct stamp
omp_ask(const void *caller)
{
	omp_site(caller);
	return stamp_now();
}

void
omp_waited(const struct stamp *asked, const char *enter, const char *leave,
	const void *caller)
{
	struct stamp now = stamp_now();
	struct batch b = { 0 };
	uint32_t site;

	if (!has_waited(asked, &now))
		return;
	collect_self.busy++;
	site = site_number(caller, collect_self.site);
	batch_add_earlier(&b, enter, &site, sizeof site);
	batch_add(&b, leave, NULL, 0);
	batch_put_since(&b, asked);
	collect_self.busy--;
}

void
omp_waited_for_lock(
	const struct stamp *asked, const void *lock, const void *caller)
{
	struct stamp now = stamp_now();
	struct batch b = { 0 };
	uint32_t data[3] = { 0 };
	int error = errno;

	if (!has_waited(asked, &now))
		return;
	collect_self.busy++;
	data[0] = object_number(object_at(lock, KIND_OMP_LOCK));
	data[2] = site_number(caller, collect_self.site);
	batch_add_earlier(&b, "WMo", data, sizeof data);
	batch_add(&b, "WMO", NULL, 0);
	batch_put_since(&b, asked);
	collect_self.busy--;
	errno = error;
}
