/* SPDX-License-Identifier: MIT */
/*
 * wait.c - what threads of any program wait for, as libweft-collect.so records
 * it: the kind of wait, the object and the source line.
 *
 * Objects and lines are numbers of the process; definitions, which precede
 * their first use, give them labels. A hand-over (an unlock with waiters, a
 * signal, a post) has no state: it is the source end of the link to the thread
 * whose wait it ends. Each object keeps its last hand-over only.
 */
#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "emu/change.h"
#include "emu/label_id.h"
#include "emu/models/models.h"
#include "emu/say.h"
#include "emu/state.h"
#include "emu/view.h"
#include "export/sink.h"

enum { WAIT, OBJECT, LINE, REASON };

/* Kinds of links; Paraver's tags. */
enum {
	LINK_LOCK = 1,
	LINK_CONDITION,
	LINK_SEMAPHORE,
	LINK_BARRIER,
	LINK_END,
	LINK_FUTEX = 12,
	LINK_KINDS,
};

/* What the first argument of an event that begins a wait is. */
enum { A_LOCK, A_THREAD };

/* The result in the event that ends a wait: the wait was successful. */
enum { DONE = 0 };

/* clang-format off */
static const struct chan_def chans[] = {
	[WAIT] = {
		.key = "wait", .title = "Waiting for", .none = "Computing",
		.none_means = MEANS_TASK, .means = MEANS_SYNC,
		.number = 60, .kind = CHAN_STACK, .dup = true,
		.thread = TRACK_ACTIVE, .emission = SKIPDUPNULL },
	[OBJECT] = {
		.key = "object", .title = "Object of the wait", .none = "Nothing",
		.means = MEANS_SYNC, .number = 61, .kind = CHAN_STACK, .dup = true,
		.thread = TRACK_ACTIVE, .emission = SKIPDUPNULL },
	[LINE] = {
		.key = "line", .title = "Source line of the wait", .none = "Nowhere",
		.means = MEANS_SYNC, .number = 62, .kind = CHAN_STACK, .dup = true,
		.thread = TRACK_ACTIVE, .emission = SKIPDUPNULL },
	[REASON] = {
		.key = "reason", .title = "State in the kernel", .none = "Not known",
		.number = 64, .dup = true,
		.thread = TRACK_ACTIVE, .emission = SKIPDUPNULL },
};

static const struct label_def labels[] = {
	{ WAIT,  1, MEANS_LOCK, "Mutex" },
	{ WAIT,  2, MEANS_LOCK, "Read lock" },
	{ WAIT,  3, MEANS_LOCK, "Write lock" },
	{ WAIT,  4, MEANS_LOCK, "Spin lock" },
	{ WAIT,  5, MEANS_LOCK, "OpenMP lock" },
	{ WAIT,  6, MEANS_SYNC, "Condition" },
	{ WAIT,  7, MEANS_SYNC, "Barrier" },
	{ WAIT,  8, MEANS_SYNC, "Semaphore" },
	{ WAIT,  9, MEANS_SYNC, "Join" },
	{ WAIT, 10, MEANS_SYNC, "Once" },
	{ WAIT, 11, MEANS_SYNC, "Futex" },
	{ REASON, 1, MEANS_TASK,  "Running" },
	{ REASON, 2, MEANS_READY, "Ready: preempted" },
	{ REASON, 3, MEANS_READY, "Ready: woken" },
	{ REASON, 4, MEANS_SYNC,  "Blocked" },
	{ REASON, 5, MEANS_IO,    "Blocked: disk" },
	{ REASON, 6, MEANS_IDLE,  "Stopped" },
};

/* The waits, in the order of the first rows of `events`. The last argument of
 * the event that begins the wait is the line. */
static const struct wait_def {
	int64_t value;
	int line; /* index of the argument */
	int of;   /* A_LOCK or A_THREAD: what the first argument is */
	int link; /* kind of the link that ends the wait; 0: none */
} waits[] = {
	{  1, 2, A_LOCK, LINK_LOCK },
	{  2, 2, A_LOCK, LINK_LOCK },
	{  3, 2, A_LOCK, LINK_LOCK },
	{  4, 1, A_LOCK, LINK_LOCK },
	{  5, 2, A_LOCK, LINK_LOCK },
	{  6, 2, A_LOCK, LINK_CONDITION },
	{  7, 2, A_LOCK, LINK_BARRIER },
	{  8, 1, A_LOCK, LINK_SEMAPHORE },
	{  9, 1, A_THREAD, LINK_END },
	{ 10, 1, A_LOCK, 0 },
	{ 11, 1, A_LOCK, LINK_FUTEX },
};

static event_fn enter, leave, hand_over, define_module, define_site, define_lock;

static const struct event_def events[] = {
	{ "WMm(u32 lock, i32 owner, u32 site)",
	  "begins waiting for mutex %lock of thread %owner at line %site", enter, 0 },
	{ "WMM(u32 result)", "ceases waiting for a mutex", leave, PAYLOAD_ANY },
	{ "WMr(u32 lock, i32 owner, u32 site)",
	  "begins waiting to read under lock %lock of thread %owner at line %site",
	  enter, 0 },
	{ "WMR(u32 result)", "ceases waiting to read under a lock", leave,
	  PAYLOAD_ANY },
	{ "WMw(u32 lock, i32 owner, u32 site)",
	  "begins waiting to write under lock %lock of thread %owner at line %site",
	  enter, 0 },
	{ "WMW(u32 result)", "ceases waiting to write under a lock", leave,
	  PAYLOAD_ANY },
	{ "WMs(u32 lock, u32 site)",
	  "begins waiting for spin lock %lock at line %site", enter, 0 },
	{ "WMS(u32 result)", "ceases waiting for a spin lock", leave, PAYLOAD_ANY },
	{ "WMo(u32 lock, i32 owner, u32 site)",
	  "begins waiting for OpenMP lock %lock of thread %owner at line %site",
	  enter, 0 },
	{ "WMO(u32 result)", "ceases waiting for an OpenMP lock", leave,
	  PAYLOAD_ANY },
	{ "WCw(u32 cond, u32 mutex, u32 site)",
	  "begins waiting for condition %cond with mutex %mutex at line %site",
	  enter, 0 },
	{ "WCW(u32 result)", "ceases waiting for a condition", leave, PAYLOAD_ANY },
	{ "WBw(u32 barrier, u32 count, u32 site)",
	  "begins waiting at barrier %barrier of %count threads at line %site",
	  enter, 0 },
	{ "WBW(u32 serial)", "ceases waiting at a barrier", leave, PAYLOAD_ANY },
	{ "WSw(u32 semaphore, u32 site)",
	  "begins waiting for semaphore %semaphore at line %site", enter, 0 },
	{ "WSW(u32 result)", "ceases waiting for a semaphore", leave, PAYLOAD_ANY },
	{ "WJj(i32 tid, u32 site)",
	  "begins waiting for the end of thread %tid at line %site", enter, 0 },
	{ "WJJ(u32 result)", "ceases waiting for the end of a thread", leave,
	  PAYLOAD_ANY },
	{ "WOo(u32 once, u32 site)",
	  "begins waiting for the initialisation %once at line %site", enter, 0 },
	{ "WOO(u32 result)", "ceases waiting for an initialisation", leave,
	  PAYLOAD_ANY },
	{ "WFf(u32 futex, u32 site)",
	  "begins waiting for futex %futex at line %site", enter, 0 },
	{ "WFF(u32 error)", "ceases waiting for a futex", leave, PAYLOAD_ANY },

	{ "WHu(u32 lock, u32 site)",
	  "unlocks %lock, which others wait for, at line %site", hand_over, 0 },
	{ "WHs(u32 cond, u32 n)",
	  "signals condition %cond to at most %n threads", hand_over, 0 },
	{ "WHp(u32 semaphore)", "posts semaphore %semaphore", hand_over, 0 },
	{ "WHf(u32 futex, u32 woken)", "wakes %woken threads at futex %futex",
	  hand_over, 0 },

	{ "WYm+(u32 module, u64 base, u64 size, str name)",
	  "defines module %module from %#llx{base} with %size bytes: %name",
	  define_module, 0 },
	{ "WYs+(u32 site, u32 module, u64 offset, u32 parent)",
	  "defines line %site of module %module at %#llx{offset} below line %parent",
	  define_site, 0 },
	{ "WYl+(u32 lock, u64 address, u32 kind, u32 init_site)",
	  "defines object %lock at %#llx{address} of kind %kind from line %init_site",
	  define_lock, 0 },
};
/* clang-format on */

/* A moment on a thread, and its CPU. */
struct moment {
	int64_t time;
	uint32_t thread_row, cpu_row; /* or ROW_NONE; thread_row ROW_NONE:
	                               * none yet */
};

/* A lock, condition, barrier, semaphore or futex. */
struct object {
	int64_t value;       /* of its label */
	struct moment given; /* the last hand-over; of a barrier: when the last
	                      * thread arrived */
	uint32_t narrived;   /* of a barrier, since it was last complete */
};

struct module {
	uint64_t base, size;
	const char *name;
};

/* Maps have keys of process and number; values are pointers. */
struct wait {
	struct map objects, modules, sites;
	struct map open;           /* by thread -> struct open */
	bool has_kind[LINK_KINDS]; /* sinks know what the links mean */
};

struct open_wait {
	struct object *object; /* NULL: waits for the thread tid */
	int64_t tid, since;
};

/* The open waits of a thread. */
struct open {
	VEC(struct open_wait) wait;
	uint32_t ngaps; /* of the thread when `wait` was changed last */
};

static struct wait *
wait_of(struct emu *emu)
{
	if (emu->wait == NULL)
		emu->wait = ARENA_NEW(emu->arena, struct wait);
	return emu->wait;
}

static int
chan_at(const struct emu *emu, int chan)
{
	return emu->binding->first_chan + chan;
}

static uint64_t
key(const struct emu *emu, uint32_t number)
{
	const struct process *p = emu->thread->process;

	return (uint64_t)(p - emu->system.processes) << 32 | number;
}

static struct moment
moment_now(const struct emu *emu)
{
	const struct cpu *cpu = emu->thread->cpu;

	return (struct moment){ emu->now, emu->thread->has.row,
		cpu == NULL ? ROW_NONE : cpu->row };
}

/* Gives the text a value in a channel. Equal texts have the same value. */
static int64_t
value_of_text(struct emu *emu, int chan, const char *text)
{
	int64_t value = label_id(text);

	view_label(emu, chan_at(emu, chan), value, text);
	return value;
}

static struct object *
object_of(struct emu *emu, uint32_t number)
{
	uint64_t *at = map_put(&wait_of(emu)->objects, key(emu, number));
	struct object *o = (struct object *)(uintptr_t)*at;

	if (o != NULL)
		return o;
	o = ARENA_NEW(emu->arena, struct object);
	o->given.thread_row = ROW_NONE;
	o->value = value_of_text(emu, OBJECT,
		arena_printf(emu->arena, "unknown (lock %u)", number));
	*at = (uint64_t)(uintptr_t)o;
	return o;
}

static int64_t
line_value(struct emu *emu, uint32_t site)
{
	uint64_t *at = map_put(&wait_of(emu)->sites, key(emu, site));

	if (*at == 0)
		*at = (uint64_t)value_of_text(emu, LINE,
			arena_printf(emu->arena, "unknown (site %u)", site));
	return (int64_t)*at;
}

static struct open *
open_of(struct emu *emu)
{
	uint64_t *at = map_put(&wait_of(emu)->open, emu->thread->has.row);
	struct open *o = (struct open *)(uintptr_t)*at;

	if (o == NULL) {
		o = ARENA_NEW(emu->arena, struct open);
		*at = (uint64_t)(uintptr_t)o;
	}
	/* after lost events it is not known what the thread waits for */
	if (o->ngaps != emu->thread->ngaps)
		o->wait.n = 0;
	o->ngaps = emu->thread->ngaps;
	return o;
}

/* The rows of `events` that begin and end the waits are in the order of
 * `waits`, two for each. */
static const struct wait_def *
wait_def_of(const struct emu *emu)
{
	return &waits[emu->binding->value / 2];
}

/* When the last thread arrives, the barrier is handed to all others. */
static void
arrive(struct emu *emu, struct object *barrier, uint32_t count)
{
	if (count == 0 || ++barrier->narrived < count)
		return;
	barrier->narrived = 0;
	barrier->given = moment_now(emu);
}

static void
enter(struct emu *emu, const struct event *ev)
{
	const struct wait_def *d = wait_def_of(emu);
	struct open *open = open_of(emu);
	struct open_wait w = { .tid = emu_arg(emu, 0), .since = emu->now };
	int64_t object;

	(void)ev;
	if (d->of == A_THREAD) {
		object = value_of_text(emu, OBJECT,
			arena_printf(emu->arena, "thread %" PRId64, w.tid));
	} else {
		w.object = object_of(emu, emu_arg_u32(emu, 0));
		object = w.object->value;
	}
	if (d->link == LINK_BARRIER && w.object != NULL)
		arrive(emu, w.object, emu_arg_u32(emu, 1));
	VEC_PUSH(&open->wait, emu->arena, w);
	emu_push(emu, chan_at(emu, WAIT), d->value);
	emu_push(emu, chan_at(emu, OBJECT), object);
	emu_push(emu, chan_at(emu, LINE),
		line_value(emu, emu_arg_u32(emu, d->line)));
}

/* Tells sinks what the links mean, before the first one of the kind. */
static void
put_kind(struct emu *emu, int kind)
{
	static const struct link_kind kinds[LINK_KINDS] = {
		[LINK_LOCK] = { 1, "wait: lock handed over", LINK_UNLOCK },
		[LINK_CONDITION] = { 2, "wait: condition signalled",
			LINK_WAKEUP },
		[LINK_SEMAPHORE] = { 3, "wait: semaphore posted", LINK_WAKEUP },
		[LINK_BARRIER] = { 4, "wait: last thread at the barrier",
			LINK_WAKEUP },
		[LINK_END] = { 5, "wait: end of the thread", LINK_WAKEUP },
		[LINK_FUTEX] = { 12, "wait: futex woken", LINK_WAKEUP },
	};

	if (!emu->wait->has_kind[kind])
		sink_link_kind(emu->sink, &kinds[kind]);
	emu->wait->has_kind[kind] = true;
}

static void
put_link(struct emu *emu, struct moment from, int kind, int64_t id)
{
	struct moment to = moment_now(emu);
	struct link link = { .from_time = from.time,
		.to_time = to.time,
		.from_row = from.thread_row,
		.to_row = to.thread_row,
		.kind = kind,
		.id = id };

	put_kind(emu, kind);
	sink_link(emu->sink, &link);
	link.from_row = from.cpu_row;
	link.to_row = to.cpu_row;
	if (from.cpu_row != ROW_NONE && to.cpu_row != ROW_NONE)
		sink_link(emu->sink, &link);
}

/* Links the end of a thread to the wait for it. */
static void
link_end(struct emu *emu, int64_t tid)
{
	const struct thread *th = system_thread(emu->thread->process, tid);
	const struct shown *state;

	if (th == NULL || th->state != THREAD_DEAD)
		return;
	state = &th->core[THREAD_STATE];
	if (state->begun != 0)
		put_link(emu,
			(struct moment){ (int64_t)state->begun - 1, th->has.row,
				ROW_NONE },
			LINK_END, tid);
}

/* Links the hand-over that ended a wait to it: the last one of the object, if
 * it came after the wait began. */
static void
link_wait(struct emu *emu, const struct wait_def *d, const struct open_wait *w)
{
	bool is_done = !bind_has(emu->binding, emu->event, 0) ||
		emu_arg_u32(emu, 0) == DONE;
	const struct moment *from;

	if (d->link == LINK_END && is_done)
		link_end(emu, w->tid);
	/* of barriers the result tells one thread from the others */
	if (w->object == NULL || d->link == 0 ||
		(!is_done && d->link != LINK_BARRIER))
		return;
	from = &w->object->given;
	if (from->thread_row != ROW_NONE && from->time >= w->since &&
		from->thread_row != emu->thread->has.row)
		put_link(emu, *from, d->link, w->object->value);
}

/* Pops what the channel holds. The begin of the wait may be lost. */
static void
pop(struct emu *emu, int chan)
{
	int at = chan_at(emu, chan);
	const struct chan *ch = &emu->thread->has.chan[at];

	emu_pop(emu, at,
		ch->depth > 0 ? ch->value
			      : value_of_text(emu, chan, "unknown"));
}

static void
leave(struct emu *emu, const struct event *ev)
{
	const struct wait_def *d = wait_def_of(emu);
	int at = chan_at(emu, WAIT);
	const struct chan *ch = &emu->thread->has.chan[at];
	struct open *open = open_of(emu);
	bool is_other = ch->depth > 0 && ch->value != d->value;

	(void)ev;
	if (ch->depth == 0 && ch->lost == CHAN_KNOWN) {
		emu_finding(emu, FINDING_NOTE,
			"this wait began before the recording");
		return;
	}
	emu_pop(emu, at, d->value);
	if (is_other)
		return; /* was reported */
	pop(emu, OBJECT);
	pop(emu, LINE);
	if (open->wait.n > 0)
		link_wait(emu, d, &open->wait.at[--open->wait.n]);
}

static void
hand_over(struct emu *emu, const struct event *ev)
{
	(void)ev;
	object_of(emu, emu_arg_u32(emu, 0))->given = moment_now(emu);
}

static void
define_module(struct emu *emu, const struct event *ev)
{
	uint64_t *at;
	const char *path = bind_str(emu->binding, ev, 3), *name;
	struct module *m;

	if (path == NULL) {
		emu_finding(emu, FINDING_ERROR,
			"the name of module %u has no end",
			emu_arg_u32(emu, 0));
		return;
	}
	name = strrchr(path, '/');
	m = ARENA_NEW(emu->arena, struct module);
	m->base = (uint64_t)emu_arg(emu, 1);
	m->size = (uint64_t)emu_arg(emu, 2);
	m->name = arena_strdup(emu->arena, name == NULL ? path : name + 1);
	at = map_put(&wait_of(emu)->modules, key(emu, emu_arg_u32(emu, 0)));
	*at = (uint64_t)(uintptr_t)m;
}

static void
define_site(struct emu *emu, const struct event *ev)
{
	struct wait *w = wait_of(emu);
	const uint64_t *m = map_get(&w->modules, key(emu, emu_arg_u32(emu, 1)));
	uint64_t offset = (uint64_t)emu_arg(emu, 2), *at;
	const char *text = m == NULL
		? arena_printf(emu->arena, "unknown (module %u)+%#" PRIx64,
			  emu_arg_u32(emu, 1), offset)
		: arena_printf(emu->arena, "%s+%#" PRIx64,
			  ((const struct module *)(uintptr_t)*m)->name, offset);

	(void)ev;
	at = map_put(&w->sites, key(emu, emu_arg_u32(emu, 0)));
	*at = (uint64_t)value_of_text(emu, LINE, text);
}

/* Returns the module of the current process at an address, or NULL. */
static const struct module *
module_at(struct emu *emu, uint64_t address)
{
	uint64_t k, value, process = key(emu, 0) >> 32;

	for (size_t pos = 0;
		map_next(&wait_of(emu)->modules, &pos, &k, &value);) {
		const struct module *m = (struct module *)(uintptr_t)value;

		if (k >> 32 == process && address - m->base < m->size)
			return m;
	}
	return NULL;
}

static void
define_lock(struct emu *emu, const struct event *ev)
{
	static const char *const kinds[] = { "object", "mutex", "rwlock",
		"spin lock", "OpenMP lock", "condition", "barrier", "semaphore",
		"once", "futex" };
	uint32_t kind = emu_arg_u32(emu, 2);
	uint64_t address = (uint64_t)emu_arg(emu, 1);
	const struct module *m = module_at(emu, address);
	const char *what =
		kinds[kind < sizeof kinds / sizeof *kinds ? kind : 0];
	uint64_t *at =
		map_put(&wait_of(emu)->objects, key(emu, emu_arg_u32(emu, 0)));
	struct object *o = (struct object *)(uintptr_t)*at;

	(void)ev;
	/* two threads may define the same object */
	if (o == NULL) {
		o = ARENA_NEW(emu->arena, struct object);
		o->given.thread_row = ROW_NONE;
		*at = (uint64_t)(uintptr_t)o;
	}
	o->value = value_of_text(emu, OBJECT,
		m == NULL ? arena_printf(
				    emu->arena, "%s %#" PRIx64, what, address)
			  : arena_printf(emu->arena, "%s %s+%#" PRIx64, what,
				    m->name, address - m->base));
}

static void
fini(struct emu *emu)
{
	struct wait *w = emu->wait;

	if (w == NULL)
		return;
	map_fini(&w->objects);
	map_fini(&w->modules);
	map_fini(&w->sites);
	map_fini(&w->open);
}

const struct model model_wait = {
	.id = 'W',
	.name = "wait",
	.version = "1.0.0",
	.is_new = true,
	.brief = "what threads of any program wait for, and who ended the wait",
	.need = NEED_ACTIVE,
	MODEL_ROWS(chans),
	MODEL_ROWS(events),
	MODEL_ROWS(labels),
	.fini = fini,
};
