/* SPDX-License-Identifier: MIT */
/*
 * weft/task.h - tasks, what the components of a simulator do, and tracers.
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
 * A task has a kind, a what, a location and a parent, and lasts from its start
 * to its end. Tracers are attached to domains (components) and receive the
 * tasks of these domains. Without tracer and hook a call is a load and a
 * branch.
 *
 * The texts of a task (kind, what, location) and its detail are borrowed from
 * its start to its end: use literals or weft_sim_string(). The text of a tag,
 * step or milestone is borrowed for the call.
 *
 * A task belongs to the domain that started it: hooks and tracers of that
 * domain receive its tags and its end, whichever domain the caller names. A
 * call that names another domain is a fault, WEFT_SIM_ELSEWHERE, but takes
 * effect.
 *
 * A wrong call (ending a task that is not open, a task without a kind) is a
 * fault of the engine; see weft/sim.h. A domain that is traced only since its
 * engine ran may have open tasks whose start no tracer saw: ending an unknown
 * task of such a domain is no fault.
 */
#ifndef WEFT_TASK_H
#define WEFT_TASK_H

#include <weft/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_task {
	uint64_t id;          /* 0: assigned by weft_task_start */
	uint64_t parent;      /* id of a task, or 0 */
	const char *kind;     /* "req_in", "pipeline"... */
	const char *what;     /* "read" */
	const char *location; /* NULL: derived, see weft_task_start */
	void *detail;         /* for hooks, filters and tracers; not stored */
	/* Writes the detail as text for people, like snprintf; or NULL. */
	int (*detail_text)(const void *detail, char *text, size_t size);
	int64_t start, end; /* ps, set by the library; end: -1 if open */
	struct weft_sim_domain *domain; /* set by the library */
};

/* At `time` the task stopped waiting for the thing that kind and what
 * describe. */
struct weft_milestone {
	const char *kind; /* WEFT_WAIT_*, or your own */
	const char *what;
	const char *location; /* NULL: the location of the task */
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

/* Hook positions on the domain of a task. Item: struct weft_task; detail: the
 * text of a step or tag, the struct weft_milestone, else the task's detail. */
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

/* Own: returns true if a tracer or hook may have seen the start of some task,
 * in this domain or another. */
WEFT_INLINE bool
weft_task_is_seen(const struct weft_sim_domain *d)
{
	return __builtin_expect(
		(d->mask & (WEFT_SIM_ON_TASK | WEFT_SIM_TASKS_SEEN)) != 0, 0);
}

/*
 * Starts a task of the domain, now. Returns its id, which does not depend on
 * whether the task is traced. The default location is the domain's name; the
 * kinds "req_in" and "req_out" are appended to the name after a dot. For the
 * kind "pipeline" the default is `what`.
 */
WEFT_INLINE uint64_t
weft_task_start(struct weft_sim_domain *d, const struct weft_task *task)
{
	uint64_t id = task->id != 0 ? task->id : weft_sim_id(d->engine);

	if (weft_task_traced(d))
		weft_task_start_traced(d, task, id);
	return id;
}

/* A step is something that the task has reached; a tag is a property of it. */
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

/* Of several milestones of a task at the same time, the first counts. */
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
 * The four moments of a request: the sender has it ready (initiate: starts a
 * task "req_out" with the message's id), the receiver takes it (receive: starts
 * a task "req_in", a child of req_out), the receiver is done (complete: ends
 * req_in), the sender has the response (finalize, called with the request: ends
 * req_out). The what of both tasks is the message's type, their detail is the
 * message.
 */
WEFT_API uint64_t weft_task_req_initiate(
	struct weft_sim_domain *d, struct weft_sim_msg *msg, uint64_t parent);
WEFT_API uint64_t weft_task_req_receive(
	struct weft_sim_domain *d, struct weft_sim_msg *msg);
WEFT_API void weft_task_req_complete(
	struct weft_sim_domain *d, const struct weft_sim_msg *msg);
WEFT_API void weft_task_req_finalize(
	struct weft_sim_domain *d, const struct weft_sim_msg *msg);

/* Returns the id of the "req_in" task of a message at that domain. It is
 * computed from the two, without a table. */
WEFT_API uint64_t weft_task_id_at(
	const struct weft_sim_domain *d, const struct weft_sim_msg *msg);

/*
 * Makes every message a task while it is in a buffer of the port, from now on:
 * kind "incoming_buffer" or "outgoing_buffer", of the port's owner, a child of
 * the message's req_out, with a milestone when the message becomes first in
 * line. If no tracer watches the owner, only the hook is called.
 */
WEFT_API int weft_task_port(struct weft_sim_port *p);

/* ---- tracers ---- */

struct weft_tracer;

/*
 * The callbacks of a tracer; any may be NULL. A task is borrowed for the call;
 * its pointer is the same from its start to its end. Calls come one at a time,
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
	/* Called once, when the simulation finishes: see
	 * weft_tracer_open_tasks. */
	void (*finish)(struct weft_tracer *t, int64_t now);
	/* Recording begins (open) or stops at `time`; for tracers that measure
	 * time. Called before the tracer hears of anything that happens at that
	 * time. */
	void (*window)(struct weft_tracer *t, int64_t time, bool open);
};

/*
 * The base of every tracer, first in its struct. Set ops, and any of the
 * members up to max_tasks; zero all others. The tracer must live until its
 * engine is closed. To use it with another engine, initialize it again.
 *
 * Read a tracer through its functions: called in a handler they wait for the
 * handler's turn, and return the same with any number of threads. Read members
 * directly only while no handler runs, or in hooks and tracers.
 */
struct weft_tracer {
	const struct weft_tracer_ops *ops;
	const char *name; /* for messages */
	/* Selects the tasks to receive; called at their start. */
	bool (*filter)(const struct weft_task *task, void *arg);
	void *filter_arg;
	const char *kind, *what; /* only these; NULL: any */
	uint64_t max_tasks;      /* then new tasks are not recorded; 0: no
	                          * limit */
	/* For reading: */
	uint64_t dropped; /* tasks beyond the limit */
	int64_t now;      /* ps; time of the current callback */
	/* own: */
	struct weft_sim_hook hook;
	struct weft_sim_engine *engine;
	uint64_t bit, tasks;
	int64_t from, to, change; /* change: when a window opens or closes */
	bool off, finished;
	struct weft_tracer *next;
};

/*
 * Attaches the tracer to the tasks of this domain; _below: also of all domains
 * below it; _all: of the domains whose name matches (* any text, ? any
 * character), and returns their number. Returns WEFT_SIM_TWICE if the tracer is
 * attached there already, and WEFT_SIM_LIMIT for more than 63 tracers of an
 * engine.
 */
WEFT_API int weft_task_collect(
	struct weft_sim_domain *d, struct weft_tracer *t);
WEFT_API int weft_task_collect_below(
	struct weft_sim_domain *d, struct weft_tracer *t);
WEFT_API int weft_task_collect_all(
	struct weft_sim_engine *e, const char *pattern, struct weft_tracer *t);

/*
 * Windows: a tracer receives every task that is open at some time while it
 * records; a task that was open before the window is received when the window
 * opens. Stop and start at any time, or set the window in advance, [from, to)
 * in ps; its part in the past is ignored.
 */
WEFT_API void weft_tracer_stop(struct weft_tracer *t);
WEFT_API void weft_tracer_start(struct weft_tracer *t);
WEFT_API void weft_tracer_window(
	struct weft_tracer *t, int64_t from, int64_t to);

/* Calls fn for each open task that the tracer has received, ordered by start
 * and id. After the engine is closed it calls nothing and prints a line on
 * standard error. */
WEFT_API void weft_tracer_open_tasks(struct weft_tracer *t,
	void (*fn)(void *arg, const struct weft_task *task), void *arg);

/* Returns the open task with that id, or NULL. */
WEFT_API const struct weft_task *weft_task_find(
	struct weft_sim_engine *e, uint64_t id);

/* ---- tracers that come with the library ---- */

/* The time during which at least one task was open: an exact union. */
struct weft_tracer_busy_time {
	struct weft_tracer tracer;
	uint64_t open;
	int64_t since, busy; /* busy: ps so far, without the time of open
	                      * tasks */
	int64_t border;      /* when recording began */
	bool stopped;
};

WEFT_API void weft_tracer_busy_time_init(struct weft_tracer_busy_time *t);
/* Returns the busy time in ps up to now, including open tasks. */
WEFT_API int64_t weft_tracer_busy_time_at(
	const struct weft_tracer_busy_time *t, int64_t now);

/* The sum of the durations of all ended tasks. */
struct weft_tracer_total_time {
	struct weft_tracer tracer;
	uint64_t count;
	int64_t total; /* stays at INT64_MAX when it does not fit */
};

WEFT_API void weft_tracer_total_time_init(struct weft_tracer_total_time *t);

/* Durations of ended tasks: exact average, minimum and maximum; percentiles
 * with a relative error of at most 1 %, from a histogram of 15 KiB. */
struct weft_tracer_average_time {
	struct weft_tracer tracer;
	uint64_t count;
	int64_t min, max; /* valid if count > 0 */
	uint64_t sum[2];  /* 128 bits, low word first */
	uint32_t scale, skipped;
	uint32_t bucket[3712];
};

WEFT_API void weft_tracer_average_time_init(struct weft_tracer_average_time *t);
/* Returns 0 if no task has ended. */
WEFT_API double weft_tracer_average_time_mean(
	const struct weft_tracer_average_time *t);
/* percent is 0 to 100. Returns ps. */
WEFT_API int64_t weft_tracer_average_time_percentile(
	const struct weft_tracer_average_time *t, double percent);

/* Counts each step and tag, and the tasks that have it. Read the counts before
 * the engine is closed: afterwards the functions return 0 (or NULL) and print
 * the reason on standard error. */
struct weft_tracer_step_count {
	struct weft_tracer tracer;
	struct weft_step_counts *counts; /* own */
};

WEFT_API void weft_tracer_step_count_init(struct weft_tracer_step_count *t);
WEFT_API uint64_t weft_tracer_step_count_of(
	const struct weft_tracer_step_count *t, const char *what);
WEFT_API uint64_t weft_tracer_step_count_tasks(
	const struct weft_tracer_step_count *t, const char *what);
/* Returns the i-th name in the order of appearance, or NULL. */
WEFT_API const char *weft_tracer_step_count_name(
	const struct weft_tracer_step_count *t, uint32_t i);

/* Records nothing; lists the tasks that are open when a simulation hangs. After
 * the engine is closed the text is empty, and the reason is printed on standard
 * error. */
struct weft_tracer_back_trace {
	struct weft_tracer tracer;
};

WEFT_API void weft_tracer_back_trace_init(struct weft_tracer_back_trace *t);
/* Writes the task and its open ancestors, each on a line "kind-what@location, N
 * ps", followed by ": " and its detail's text if it has one. Like snprintf:
 * cuts the text at size, returns its full length. */
WEFT_API size_t weft_tracer_back_trace_text(
	struct weft_tracer_back_trace *t, uint64_t id, char *text, size_t size);
/* Writes the same for every open task that is not the parent of an open task:
 * the tasks that a hang waits for. The text is empty if all tasks have
 * ended. */
WEFT_API size_t weft_tracer_back_trace_open(
	struct weft_tracer_back_trace *t, char *text, size_t size);

/*
 * Stores tasks with their steps, tags and milestones in a database or files:
 *
 *	stream:FILE, sqlite:FILE, csv:FOLDER, json:FILE
 *	mariadb://[USER@]HOST[:PORT]/DATABASE, mysql:// the same
 *	mongodb://[USER@]HOST[:PORT]/DATABASE
 *
 * An existing file or directory is replaced; a database gets another run. Tasks
 * that are open when the simulation finishes are stored as open.
 *
 * The tracer appends to a journal beside the store, and a thread of its own
 * copies the journal into the store; so the records survive any death of the
 * process (docs/user/stores.md). A stream is the journal alone. If a store
 * fails, the simulation goes on: records that the store does not take go to a
 * spool file, and the fault (WEFT_SIM_STORE) says where that file is.
 */
struct weft_tracer_store {
	struct weft_tracer tracer;
	uint64_t max_bytes; /* approximate limit, 8 bytes per value; then new
	                     * tasks are not counted; 0: no limit */
	/* Set when the simulation has finished: */
	uint64_t stored, spooled, lost; /* database rows */
	/* own: */
	struct weft_store_state *state;
	uint64_t bytes;
};

/* Returns WEFT_SIM_STORE if the store's address cannot be opened: then nothing
 * is stored, but the tracer may be used. */
WEFT_API int weft_tracer_store_init(struct weft_tracer_store *t,
	struct weft_sim_engine *e, const char *place);

/*
 * A flight recorder in front of another tracer, the target. It remembers the
 * last moments and passes them to the target when triggered: by a task for
 * which `when` is true at its end, or by weft_tracer_flight_trigger. From then
 * on the target receives all events until `after` more tasks have ended, and
 * after that only events of tasks that it has received, up to their ends.
 * Details are not kept: the target's filter sees none. If the start of a task
 * was forgotten, the target sees the task start late.
 */
struct weft_tracer_flight {
	struct weft_tracer tracer;
	bool (*when)(const struct weft_task *task, void *arg);
	void *when_arg;
	uint64_t after;    /* 0: to the end of the simulation */
	uint64_t triggers; /* number of triggers so far */
	/* own: */
	struct weft_tracer *target;
	struct weft_flight *flight;
	uint32_t moments;
};

/* Initializes the recorder to remember that many moments (each start, tag,
 * end... is one). Do not attach the target itself to any domain. */
WEFT_API void weft_tracer_flight_init(struct weft_tracer_flight *t,
	struct weft_tracer *target, uint32_t moments);
WEFT_API void weft_tracer_flight_trigger(struct weft_tracer_flight *t);

#ifdef __cplusplus
}
#endif

#endif
