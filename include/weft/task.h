/* SPDX-License-Identifier: MIT */
/*
 * weft/task.h - what the components of a simulator are busy with, and tracers.
 *
 *	struct weft_tracer_busy_time busy;
 *	weft_tracer_busy_time_init(&busy);
 *	weft_task_collect(&cache->domain, &busy.tracer);
 *	...
 *	id = weft_task_start(&cache->domain,
 *		&(struct weft_task){ .kind = "lookup", .what = "read" });
 *	weft_task_tag(&cache->domain, id, "hit");
 *	weft_task_end(&cache->domain, id);
 *
 * A task has a kind, a what, a location and a parent, and lasts from start to
 * end. Tracers are attached to domains (components) and told of the tasks
 * there. With no tracer and no hook attached a call is a load and a branch.
 *
 * Texts of a task (kind, what, location) and its detail are borrowed from its
 * start to its end: use literals, or weft_sim_string(). What a tag or milestone
 * names is borrowed for the call.
 *
 * A task belongs to the domain that started it: hooks and tracers of that one
 * hear of its tags and its end, whoever calls. A call from another domain is a
 * fault, WEFT_SIM_ELSEWHERE, and counts all the same.
 *
 * What does not fit (ending a task that is not open, a task without a kind) is
 * a fault of the engine; see weft/sim.h. A domain that is traced only since its
 * engine ran may have open tasks that nobody saw start: there it is no fault to
 * end a task that is not known.
 */
#ifndef WEFT_TASK_H
#define WEFT_TASK_H

#include <weft/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_task {
	uint64_t id;          /* 0: given by start */
	uint64_t parent;      /* id of a task, or 0 */
	const char *kind;     /* "req_in", "pipeline"... */
	const char *what;     /* "read" */
	const char *location; /* NULL: derived, see weft_task_start */
	void *detail;         /* for hooks, filters and tracers; not stored */
	/* The detail for people, as snprintf; for tracers that ask. Or NULL. */
	int (*detail_text)(const void *detail, char *text, size_t size);
	int64_t start, end; /* ps, set by the library; end: -1 if open */
	struct weft_sim_domain *domain; /* set by the library */
};

/* At `time` the task stopped to wait for what the milestone names. */
struct weft_milestone {
	const char *kind; /* one of those below, or your own */
	const char *what;
	const char *location; /* NULL: the task's */
	int64_t time;         /* set by the library */
};

#define WEFT_WAIT_RESOURCE "hardware_resource"
#define WEFT_WAIT_TRANSFER "network_transfer"
#define WEFT_WAIT_NETWORK "network_busy"
#define WEFT_WAIT_QUEUE "queue"
#define WEFT_WAIT_DATA "data"
#define WEFT_WAIT_DEPENDENCY "dependency"
#define WEFT_WAIT_TRANSLATION "translation"
#define WEFT_WAIT_SUBTASK "subtask"
#define WEFT_WAIT_WORK "work"
#define WEFT_WAIT_OTHER "other"

/* Positions on the domain of a task. Item: struct weft_task; detail: the text
 * of a step or tag, the struct weft_milestone, else the task's detail. */
extern WEFT_API const struct weft_sim_hook_pos weft_task_pos_start,
	weft_task_pos_step, weft_task_pos_tag, weft_task_pos_milestone,
	weft_task_pos_end;

/* ---- tasks ---- */

WEFT_API void weft_task_start_traced(
	struct weft_sim_domain *d, const struct weft_task *task, uint64_t id);
WEFT_API void weft_task_tag_traced(
	struct weft_sim_domain *d, uint64_t id, const char *what, bool step);
WEFT_API void weft_task_milestone_traced(
	struct weft_sim_domain *d, uint64_t id, const struct weft_milestone *m);
WEFT_API void weft_task_end_traced(struct weft_sim_domain *d, uint64_t id);

WEFT_INLINE bool
weft_task_traced(const struct weft_sim_domain *d)
{
	return __builtin_expect((d->mask & WEFT_SIM_ON_TASK) != 0, 0);
}

/* Own: somebody may have seen a task start, here or elsewhere. */
WEFT_INLINE bool
weft_task_is_seen(const struct weft_sim_domain *d)
{
	return __builtin_expect(
		(d->mask & (WEFT_SIM_ON_TASK | WEFT_SIM_TASKS_SEEN)) != 0, 0);
}

/*
 * Starts a task of the domain, now; returns its id, which is the same whether
 * anybody traces or not. A location that is not given is the domain's name,
 * with ".req_in" or ".req_out" for these kinds; for "pipeline" it is what.
 */
WEFT_INLINE uint64_t
weft_task_start(struct weft_sim_domain *d, const struct weft_task *task)
{
	uint64_t id = task->id != 0 ? task->id : weft_sim_id(d->engine);

	if (weft_task_traced(d))
		weft_task_start_traced(d, task, id);
	return id;
}

/* A step: something that the task has reached; a tag: something it is. */
WEFT_INLINE void
weft_task_step(struct weft_sim_domain *d, uint64_t id, const char *what)
{
	if (weft_task_is_seen(d))
		weft_task_tag_traced(d, id, what, true);
}

WEFT_INLINE void
weft_task_tag(struct weft_sim_domain *d, uint64_t id, const char *what)
{
	if (weft_task_is_seen(d))
		weft_task_tag_traced(d, id, what, false);
}

/* Of several at one time on one task, the first counts. */
WEFT_INLINE void
weft_task_milestone(struct weft_sim_domain *d, uint64_t id, const char *kind,
	const char *what)
{
	struct weft_milestone m;

	if (weft_task_is_seen(d)) {
		m.kind = kind;
		m.what = what;
		m.location = NULL;
		m.time = 0;
		weft_task_milestone_traced(d, id, &m);
	}
}

WEFT_INLINE void
weft_task_end(struct weft_sim_domain *d, uint64_t id)
{
	if (weft_task_is_seen(d))
		weft_task_end_traced(d, id);
}

/* ---- requests between components ---- */

/*
 * The four moments of a request: the sender has it ready (initiate: a task
 * "req_out" with the message's id), the receiver takes it (receive: a task
 * "req_in" whose parent it is), the receiver is done (complete), the sender has
 * the response (finalize, with the request). What: the message's type; detail:
 * the message.
 */
WEFT_API uint64_t weft_task_req_initiate(
	struct weft_sim_domain *d, struct weft_sim_msg *msg, uint64_t parent);
WEFT_API uint64_t weft_task_req_receive(
	struct weft_sim_domain *d, struct weft_sim_msg *msg);
WEFT_API void weft_task_req_complete(
	struct weft_sim_domain *d, const struct weft_sim_msg *msg);
WEFT_API void weft_task_req_finalize(
	struct weft_sim_domain *d, const struct weft_sim_msg *msg);

/* The id of the "req_in" task of a message at that domain: computed from the
 * two, so it needs no table and is never forgotten. */
WEFT_API uint64_t weft_task_id_at(
	const struct weft_sim_domain *d, const struct weft_sim_msg *msg);

/*
 * From now on every message is a task while it is in a buffer of the port:
 * "incoming_buffer" and "outgoing_buffer", of the port's owner, children of the
 * message's req_out, with a milestone when they are first in line. Nobody
 * traces the owner: they cost nothing but the hook.
 */
WEFT_API int weft_task_port(struct weft_sim_port *p);

/* ---- tracers ---- */

struct weft_tracer;

/*
 * What a tracer does; members may be NULL. A task is borrowed for the call;
 * the pointer is the same from its start to its end. Calls come one at a time,
 * in the order of simulated time, with any number of threads.
 */
struct weft_tracer_ops {
	void (*start)(struct weft_tracer *t, const struct weft_task *task);
	void (*step)(struct weft_tracer *t, const struct weft_task *task,
		const char *what);
	void (*tag)(struct weft_tracer *t, const struct weft_task *task,
		const char *what);
	void (*milestone)(struct weft_tracer *t, const struct weft_task *task,
		const struct weft_milestone *m);
	void (*end)(struct weft_tracer *t, const struct weft_task *task);
	/* Once, when the simulation finishes: see weft_tracer_open_tasks. */
	void (*finish)(struct weft_tracer *t, int64_t now);
	/* From `time` on it records, or not: for tracers that measure time.
	 * Comes before what happens at that time. */
	void (*window)(struct weft_tracer *t, int64_t time, bool open);
};

/*
 * The base of every tracer, first in its struct. Set ops and what you like of
 * the rest; all else zero. It lives until its engine is closed; for another
 * engine it is to be initialized again.
 *
 * Tracers are read through their functions: from a handler these wait for its
 * turn, and answer the same with any number of threads. Members are for when no
 * handler runs, and for hooks and tracers.
 */
struct weft_tracer {
	const struct weft_tracer_ops *ops;
	const char *name; /* for messages */
	/* Which tasks it is told of; asked at their start. */
	bool (*filter)(const struct weft_task *task, void *arg);
	void *filter_arg;
	const char *kind, *what; /* only these; NULL: any */
	uint64_t max_tasks;      /* then it records no new ones; 0: no limit */
	/* To read: */
	uint64_t dropped; /* tasks beyond the limit */
	int64_t now;      /* when that happened which it is told of, ps */
	/* own: */
	struct weft_sim_hook hook;
	struct weft_sim_engine *engine;
	uint64_t bit, tasks;
	int64_t from, to, change; /* change: when a window opens or closes */
	bool off, finished;
	struct weft_tracer *next;
};

/*
 * Tells the tracer of the tasks of this domain; below: and of all domains below
 * it; all: of the domains whose name matches (* any text, ? any character),
 * returns how many. WEFT_SIM_TWICE if it collects from there already; at most
 * 63 tracers an engine (WEFT_SIM_LIMIT).
 */
WEFT_API int weft_task_collect(
	struct weft_sim_domain *d, struct weft_tracer *t);
WEFT_API int weft_task_collect_below(
	struct weft_sim_domain *d, struct weft_tracer *t);
WEFT_API int weft_task_collect_all(
	struct weft_sim_engine *e, const char *pattern, struct weft_tracer *t);

/*
 * Windows: a tracer is told of every task that is open at some time while it
 * records; of those that were open already when the window opens, then. Stop
 * and start at any time; or give the window in advance, [from, to) in ps, of
 * which what is past is left out.
 */
WEFT_API void weft_tracer_stop(struct weft_tracer *t);
WEFT_API void weft_tracer_start(struct weft_tracer *t);
WEFT_API void weft_tracer_window(
	struct weft_tracer *t, int64_t from, int64_t to);

/* Calls fn for each open task that the tracer was told of, by start and id.
 * None once the engine is closed, and a line on standard error. */
WEFT_API void weft_tracer_open_tasks(struct weft_tracer *t,
	void (*fn)(void *arg, const struct weft_task *task), void *arg);

/* The open task of that id, or NULL. */
WEFT_API const struct weft_task *weft_task_find(
	struct weft_sim_engine *e, uint64_t id);

/* ---- tracers that come with the library ---- */

/* How long at least one task was open: an exact union. */
struct weft_tracer_busy_time {
	struct weft_tracer tracer;
	uint64_t open;
	int64_t since, busy; /* busy: without what is open */
	int64_t border;      /* when recording began */
	bool stopped;
};

WEFT_API void weft_tracer_busy_time_init(struct weft_tracer_busy_time *t);
/* Up to now, with what is open. */
WEFT_API int64_t weft_tracer_busy_time_at(
	const struct weft_tracer_busy_time *t, int64_t now);

/* The sum of the durations of ended tasks. */
struct weft_tracer_total_time {
	struct weft_tracer tracer;
	uint64_t count;
	int64_t total; /* stays at INT64_MAX when it does not fit */
};

WEFT_API void weft_tracer_total_time_init(struct weft_tracer_total_time *t);

/* Durations of ended tasks: exact average, minimum, maximum; percentiles with
 * a relative error of at most 1 %, from a histogram of 15 KiB. */
struct weft_tracer_average_time {
	struct weft_tracer tracer;
	uint64_t count;
	int64_t min, max; /* of count > 0 */
	uint64_t sum[2];  /* 128 bits, low word first */
	uint32_t scale, skipped;
	uint32_t bucket[3712];
};

WEFT_API void weft_tracer_average_time_init(struct weft_tracer_average_time *t);
/* 0 of no task. */
WEFT_API double weft_tracer_average_time_mean(
	const struct weft_tracer_average_time *t);
/* percent from 0 to 100; ps. */
WEFT_API int64_t weft_tracer_average_time_percentile(
	const struct weft_tracer_average_time *t, double percent);

/* How often each step and tag occurs, and on how many tasks. It is read before
 * the engine is closed: later it tells 0 (NULL), and a line on standard error
 * says why. */
struct weft_tracer_step_count {
	struct weft_tracer tracer;
	struct weft_step_counts *counts; /* own */
};

WEFT_API void weft_tracer_step_count_init(struct weft_tracer_step_count *t);
WEFT_API uint64_t weft_tracer_step_count_of(
	const struct weft_tracer_step_count *t, const char *what);
WEFT_API uint64_t weft_tracer_step_count_tasks(
	const struct weft_tracer_step_count *t, const char *what);
/* The i-th name in the order of appearance, or NULL. */
WEFT_API const char *weft_tracer_step_count_name(
	const struct weft_tracer_step_count *t, uint32_t i);

/* Keeps nothing: to ask what is open, when a simulation hangs. When the engine
 * is closed the text is empty, and a line on standard error says why. */
struct weft_tracer_back_trace {
	struct weft_tracer tracer;
};

WEFT_API void weft_tracer_back_trace_init(struct weft_tracer_back_trace *t);
/* The task and its open ancestors, a line "kind-what@location, N ps" each, with
 * ": " and the text of its detail if there is one;
 * as snprintf: cut at size, returns the length of all. */
WEFT_API size_t weft_tracer_back_trace_text(
	struct weft_tracer_back_trace *t, uint64_t id, char *text, size_t size);
/* The same for every open task that no open task has as parent: what a hang
 * waits for. An empty text: all tasks ended. */
WEFT_API size_t weft_tracer_back_trace_open(
	struct weft_tracer_back_trace *t, char *text, size_t size);

/*
 * Stores tasks with their steps, tags and milestones in a database or files:
 *
 *	stream:FILE, sqlite:FILE, csv:FOLDER, json:FILE
 *	mariadb://[USER@]HOST[:PORT]/DATABASE, mysql:// the same
 *	mongodb://[USER@]HOST[:PORT]/DATABASE
 *
 * A file or folder that is there is replaced, a database gets one more run.
 * Tasks that are open when the simulation finishes are stored as open.
 *
 * What the tracer is told goes into a journal beside the store, from where a
 * thread of its own brings it into the store; so it outlives the process,
 * however that ends (docs/user/stores.md). A stream is that journal alone. A
 * store that goes away does not stop the simulation: what it does not take goes
 * to a spool file, and the fault (WEFT_SIM_STORE) says where that is.
 */
struct weft_tracer_store {
	struct weft_tracer tracer;
	uint64_t max_bytes; /* about: 8 a value; then no new tasks; 0: no limit
	                     */
	/* Set when the simulation has finished: */
	uint64_t stored, spooled, lost; /* rows */
	/* own: */
	struct weft_store_state *state;
	uint64_t bytes;
};

/* WEFT_SIM_STORE if the place cannot be opened: then nothing is stored, and
 * the tracer may be used all the same. */
WEFT_API int weft_tracer_store_init(struct weft_tracer_store *t,
	struct weft_sim_engine *e, const char *place);

/*
 * A flight recorder in front of another tracer: it keeps what happened last,
 * and tells the target when something asks for it: a task for which `when` is
 * true at its end, or weft_tracer_flight_trigger. From then on the target is
 * told of what happens, until `after` more tasks have ended; and of the tasks
 * it knows, to their end. Details are not kept: the target's filter sees none.
 * A task whose start was forgotten starts, for the target, late.
 */
struct weft_tracer_flight {
	struct weft_tracer tracer;
	bool (*when)(const struct weft_task *task, void *arg);
	void *when_arg;
	uint64_t after;    /* 0: to the end of the simulation */
	uint64_t triggers; /* so far */
	/* own: */
	struct weft_tracer *target;
	struct weft_flight *flight;
	uint32_t moments;
};

/* Remembers that many moments (a start, tag, end... each is one). The target
 * is not attached to anything itself. */
WEFT_API void weft_tracer_flight_init(struct weft_tracer_flight *t,
	struct weft_tracer *target, uint32_t moments);
WEFT_API void weft_tracer_flight_trigger(struct weft_tracer_flight *t);

#ifdef __cplusplus
}
#endif

#endif
