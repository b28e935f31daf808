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
uint32_t *omp_process;

bool
omp_init(void)
{
	tables = wiped_pages(sizeof *tables);
	if (tables != NULL)
		omp_process = &tables->process;
	return tables != NULL;
}

/* Returns the thread's struct. That of a parent process is emptied. */
static inline struct omp_self *
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

static inline uint32_t
id_of(struct omp_self *s)
{
	if (__builtin_expect(s->next_id == s->end_id, 0)) {
		s->next_id =
			__atomic_fetch_add(&tables->ids, IDS, __ATOMIC_RELAXED);
		s->end_id = s->next_id + IDS;
		s->next_id += s->next_id == 0;
	}
	return s->next_id++;
}

uint32_t
omp_id(void)
{
	return id_of(self_now());
}

SLOW uint32_t
omp_find_site(const void *caller)
{
	struct omp_self *s = self_now();
	uint32_t at = omp_lately(caller);
	int error = errno;

	collect_enter();
	s->lately[at].site =
		caller == NULL ? 0 : site_number(caller, collect_self.site);
	s->lately[at].caller = caller;
	collect_leave();
	errno = error;
	return s->lately[at].site;
}

struct omp_region
omp_fork(const void *caller)
{
	struct omp_self *s = self_now();
	struct omp_region made = { .number = id_of(s) };

	if (omp_has_regions()) {
		made.site = omp_site(caller);
		s->begun = BATCH_PUT(
			{ "PCf", NULL, 0 }, { "WGf", &made, sizeof made });
	} else {
		s->begun = BATCH_PUT({ "PCf", NULL, 0 });
	}
	return made;
}

static void
set_depth(struct omp_self *s, uint32_t depth)
{
	/* The levels that share one are not at their join barrier: the level
	 * inside them has just ended. */
	if (depth >= OMP_LEVELS && depth < s->depth)
		level_at(s, depth)->is_joined = false;
	s->depth = depth;
	s->place = 0;
	collect_self.site = depth == 0 ? 0 : level_at(s, depth)->site;
}

/* Records the end of a region that the thread has left before, unless the event
 * WGF has ended it there. */
static SLOW void
put_late_end(const struct omp_level *l)
{
	if (!l->is_joined)
		BATCH_PUT({ "PMU", NULL, 0 });
	if (omp_has_regions())
		BATCH_PUT({ "WGP", &l->region, sizeof l->region });
	else if (l->is_joined)
		BATCH_PUT({ "PBJ", NULL, 0 });
}

void
omp_join(uint32_t region, uint32_t depth)
{
	struct omp_self *s = self_now();
	/* a team of one thread has no join barrier */
	const char *last = level_at(s, s->depth)->is_joined ? "PBJ" : "PMU";

	if (s->depth <= depth)
		BATCH_PUT({ "PCF", NULL, 0 }, { "WGF", &region, 4 });
	else if (omp_has_regions())
		BATCH_PUT({ last, NULL, 0 }, { "PCF", NULL, 0 },
			{ "WGF", &region, 4 });
	else
		BATCH_PUT({ last, NULL, 0 }, { "PCF", NULL, 0 });
	if (s->depth > depth)
		set_depth(s, depth);
}

static inline __attribute__((always_inline)) void
enter(struct omp_self *s, const struct omp_part *part, const struct stamp *when)
{
	struct __attribute__((packed)) {
		uint32_t region;
		uint16_t number, size;
		uint32_t parent;
	} data = { part->region, part->number, part->size, part->parent };

	for (; s->depth > part->depth; s->depth--)
		put_late_end(level_at(s, s->depth));
	BATCH_PUT_AT(when, { "PMu", NULL, 0 }, { "WGp", &data, sizeof data });
	*level_at(s, s->depth + 1) = (struct omp_level){ .region = part->region,
		.site = part->site,
		.is_own = part->is_own,
		.is_alone = part->size == 1 };
	set_depth(s, s->depth + 1);
	if (__builtin_expect(!collect_self.is_named, 0))
		wait_tell_name();
}

void
omp_enter(const struct omp_part *part)
{
	enter(self_now(), part, NULL);
}

void
omp_enter_at_once(const struct omp_part *part)
{
	struct omp_self *s = self_now();

	enter(s, part, &s->begun);
}

void
omp_leave_piece(void)
{
	struct omp_level *l = omp_level();

	if (l->piece != NULL)
		omp_event(l->piece);
	l->piece = NULL;
}

void
omp_arrive(void)
{
	struct omp_self *s = self_now();
	struct omp_level *l = level_at(s, s->depth);

	if (s->depth == 0 || l->is_joined)
		return;
	omp_leave_piece();
	if (l->is_alone)
		return;
	BATCH_PUT({ "PMU", NULL, 0 }, { "PBj", NULL, 0 });
	l->is_joined = true;
}

void
omp_leave(uint32_t region)
{
	struct omp_self *s = self_now();

	if (s->depth == 0 || level_at(s, s->depth)->region != region)
		return;
	put_late_end(level_at(s, s->depth));
	set_depth(s, s->depth - 1);
}

/* Records the type "prog+0x1234". */
static void
define_type(uint32_t type, const void *caller)
{
	char text[SITE_TEXT];

	site_text(caller, text);
	weft_jumbo_u32_str("POc", type, text);
}

static SLOW void
make_type(uint32_t type, const void *caller)
{
	unsigned char was = TYPE_NEW, *at = &tables->type[type % TYPES];

	if (__atomic_compare_exchange_n(at, &was, TYPE_BEING_MADE, false,
		    __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
		define_type(type, caller);
		__atomic_store_n(at, TYPE_MADE, __ATOMIC_RELEASE);
	}
	/* the other thread's event must come before ours */
	while (__atomic_load_n(at, __ATOMIC_ACQUIRE) != TYPE_MADE)
		sched_yield();
}

uint32_t
omp_task_type(const void *caller)
{
	uint32_t type = omp_site(caller);

	if (__builtin_expect(__atomic_load_n(&tables->type[type % TYPES],
				     __ATOMIC_ACQUIRE) != TYPE_MADE &&
			    type != 0,
		    0)) {
		int error = errno;

		collect_enter();
		make_type(type, caller);
		collect_leave();
		errno = error;
	}
	return type;
}

void
omp_task_create(uint32_t id, uint32_t type)
{
	uint32_t data[] = { id, type };

	omp_self.begun = BATCH_PUT({ "PPc", data, sizeof data });
}

/* is_inside: the thread runs the task inside the call that creates it. */
void
omp_task_begin(uint32_t id, bool is_inside)
{
	BATCH_PUT({ is_inside ? "PTi" : "PT[", NULL, 0 }, { "PPx", &id, 4 });
}

void
omp_task_begin_at_once(uint32_t id)
{
	BATCH_PUT_AT(&omp_self.begun, { "PT[", NULL, 0 }, { "PPx", &id, 4 });
}

void
omp_task_end(uint32_t id, bool is_inside)
{
	BATCH_PUT({ "PPe", &id, 4 }, { is_inside ? "PTI" : "PT]", NULL, 0 });
}

/* Returns true if the thread waited for what it asked for. */
static bool
has_waited(const struct stamp *asked, const struct stamp *now)
{
	return asked->time != 0 && now->time - asked->time >= OMP_WAIT_NS;
}

void
omp_critical_begin(const struct stamp *asked, const void *caller)
{
	struct stamp now = stamp_now();
	uint32_t site;

	if (!has_waited(asked, &now)) {
		BATCH_PUT_AT(&now, { "PI[", NULL, 0 });
		return;
	}
	omp_self.place = site = omp_site(caller);
	batch_put_slow((const struct batch_event[]){ { "PIa", NULL, 0 },
			       { "WGb", &site, sizeof site },
			       { "PIA", NULL, 0 }, { "PI[", NULL, 0 } },
		4, 2, asked);
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
	uint32_t site;

	if (!has_waited(asked, &now))
		return;
	site = omp_site(caller);
	batch_put_slow((const struct batch_event[]){ { enter, &site, 4 },
			       { leave, NULL, 0 } },
		2, 1, asked);
}

void
omp_waited_for_lock(
	const struct stamp *asked, const void *lock, const void *caller)
{
	struct stamp now = stamp_now();
	uint32_t data[3] = { 0 };
	int error = errno;

	if (!has_waited(asked, &now))
		return;
	collect_enter();
	data[0] = object_number(object_at(lock, KIND_OMP_LOCK));
	data[2] = omp_site(caller);
	batch_put_slow(
		(const struct batch_event[]){
			{ "WMo", data, sizeof data }, { "WMO", NULL, 0 } },
		2, 1, asked);
	collect_leave();
	errno = error;
}
