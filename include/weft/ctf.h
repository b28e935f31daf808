/* SPDX-License-Identifier: MIT */
/*
 * weft/ctf.h - tracepoints of a task runtime that know task context.
 *
 *	enum { SPAWN, WAIT, RUN, DONE, NPOINTS };
 *	static struct weft_ctf_tracepoint points[NPOINTS + 1] = {
 *		[SPAWN] = { "spawn", "u32 id", WEFT_CTF_TC | WEFT_CTF_OC },
 *		[WAIT] = { "wait", "", WEFT_CTF_TC },
 *		[RUN] = { "task_start", "u32 id", .does = WEFT_CTF_TASK_START },
 *		[DONE] = { "task_end", "", .does = WEFT_CTF_TASK_END },
 *	};
 *	weft_ctf_start(&(struct weft_ctf_runtime){
 *		.prefix = "mine", .points = points, .ncpus = 4 });
 *	...
 *	weft_ctf_enter_u32(&points[SPAWN], is_in_task, id);
 *	weft_ctf_exit(&points[SPAWN], is_in_task);
 *
 * A runtime's public functions are entry points. A call in task context (tc)
 * ends user code and begins runtime code; a call in other context (oc) comes
 * from the runtime itself or from a thread that runs no task. Each variant is a
 * pair of events, enter and exit. Hardware counters (weft/hwc.h) go with the tc
 * events: the enter carries the task's counters, the exit the runtime's.
 *
 * A worker thread declares which virtual CPU it owns. All other threads are
 * external; the library sets up each of them at its first event. Each CPU and
 * each external thread has its own ring and stream, which survives the death of
 * the process. The trace is CTF 1.8 in the layout of Nanos6, in the directory
 * trace_PROGRAM/RANK/ctf/user below the current directory or below
 * $WEFT_CTF_DIR.
 *
 * An event costs one read of the time-stamp counter and a store, and signal
 * handlers may record events. An event that carries counters also costs the
 * reading of the counters, and handlers may not record it. A program compiled
 * with -DWEFT_CTF_DEBUG stops at the first event with a wrong context, with
 * fields that were not declared, or from a second thread on one CPU.
 *
 * WEFT_EVENTS selects tracepoints by name (ctf:barrier, ctf:-scheduler_*) when
 * they are declared; the selection does not change later. weft_off() and
 * weft_on() of weft/trace.h switch all of them. Counters keep counting while a
 * tracepoint is off: the next event that carries counters holds all counts
 * since the previous such event.
 *
 * docs/user/instrument-a-runtime.md; C11, C17, C++17; link with -lovni.
 */
#ifndef WEFT_CTF_H
#define WEFT_CTF_H

#include <weft/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The layout of the structs below, checked like WEFT_LAYOUT of trace.h. */
#define WEFT_CTF_LAYOUT 2

/* The contexts that call an entry point; 0: the tracepoint is a plain event. */
enum { WEFT_CTF_TC = 1, WEFT_CTF_OC = 2 };

/* The counters that an event carries on a worker's stream: those of the task
 * burst or of the runtime burst that the event ends. At an entry point the
 * enter carries the task's counters and the exit the runtime's. */
enum { WEFT_CTF_TASK = 1, WEFT_CTF_RUNTIME = 2 };

/* What a plain event means for its thread. The checks, the totals and the
 * events that the library records by itself depend on this meaning. */
enum weft_ctf_does {
	WEFT_CTF_NOTHING,
	WEFT_CTF_TASK_START,
	WEFT_CTF_TASK_END,
	WEFT_CTF_TASK_BLOCK,
	WEFT_CTF_TASK_UNBLOCK,
	/* The library records these by itself, if the table declares them. */
	WEFT_CTF_EXTERNAL_CREATE,   /* u32 tid; at the first event of an */
	WEFT_CTF_EXTERNAL_RESUME,   /* external thread, or of the leader */
	WEFT_CTF_EXTERNAL_SHUTDOWN, /* u32 tid; at its end */
	WEFT_CTF_FLUSH, /* u64 start, u64 end: a wait for room in the ring */
	/* u32 tid. A runtime whose threads change CPUs within calls or tasks
	 * records this event after weft_ctf_cpu(), so that readers know which
	 * thread the following events belong to. */
	WEFT_CTF_THREAD_RESUME,
	/* For events that start, move or end a thread or define a name: they
	 * are recorded whatever WEFT_EVENTS says, and while recording is
	 * off. */
	WEFT_CTF_KEPT,
};

/* An event of the trace; set by the library. */
struct weft_ctf_event {
	uint8_t id;       /* 0: not recorded */
	uint8_t counters; /* WEFT_CTF_TASK, WEFT_CTF_RUNTIME or 0 */
	uint8_t own;      /* the id, also while the event is switched off */
};

/* Indices of the four events of an entry point. */
enum {
	WEFT_CTF_TC_ENTER,
	WEFT_CTF_TC_EXIT,
	WEFT_CTF_OC_ENTER,
	WEFT_CTF_OC_EXIT
};

/* One entry of a runtime's table. It must live as long as the process. */
struct weft_ctf_tracepoint {
	const char *name;   /* letters, digits and _ */
	const char *fields; /* fields of a plain event or of an enter: "u32 id,
	                     * str label"; u8 u16 u32 u64 i8 i16 i32 i64 str, at
	                     * most 8 */
	int variants;
	int counters;
	enum weft_ctf_does does;        /* meaning of a plain event */
	struct weft_ctf_event event[4]; /* a plain event uses only the first */
};

struct weft_ctf_runtime {
	const char *
		prefix; /* start of all names: "nanos6" makes "nanos6:tc:..." */
	struct weft_ctf_tracepoint
		*points; /* ended by an entry without a name */
	int ncpus;       /* virtual CPUs */
	const int *cpus; /* their system ids; NULL: 0, 1, ... */
};

/*
 * Begins the trace of the process: assigns ids to the events in the order of
 * the table, from 1 on (tc enter, tc exit, oc enter, oc exit), and writes the
 * metadata. Two tracepoints with one name, unknown fields or more than 255
 * events end the program with a message. Returns 0 if no trace can be written
 * or a trace was begun before; the program then continues without a trace. Not
 * for signal handlers.
 */
WEFT_API int weft_ctf_start(const struct weft_ctf_runtime *runtime);

/* Adds tracepoints from a table as above, also while other threads record. */
WEFT_API void weft_ctf_declare(struct weft_ctf_tracepoint *points);

/* Ends the trace, as exit() does. No thread may record events afterwards. */
WEFT_API void weft_ctf_stop(void);

/* Declares that the calling thread owns virtual CPU index, counted from 0, or,
 * with WEFT_CTF_LEADER, the leader's own CPU. The previous owner must have left
 * the CPU. The thread's events belong to this CPU until weft_ctf_leave(). */
#define WEFT_CTF_LEADER (-1)
WEFT_INLINE void weft_ctf_cpu(int index);

/* Declares that the calling thread owns no CPU any more. */
WEFT_API void weft_ctf_leave(void);

/* Sets the type of the task that the calling thread runs, for the counter
 * totals; NULL: none. The text is borrowed and must not be freed. */
WEFT_API void weft_ctf_task_type(const char *label);

/* Returns the time of the trace's clock in ns, for use in fields. */
WEFT_API uint64_t weft_ctf_now(void);

/* The ring of a CPU or of an external thread. For the library only. */
struct weft_ctf_ring {
	struct weft_ring ring;
	uint64_t start; /* ns; times of the trace count from here */
	uint32_t tid; /* TID of a thread without a CPU, which its events carry;
	               * else 0 */
	uint32_t counters; /* counters that events may carry: both bits, or 0 */
};

extern WEFT_API __thread struct weft_ctf_ring *weft_ctf_self
	__attribute__((tls_model("initial-exec")));

/* Slow paths, like weft_room() in trace.h. */
WEFT_API int weft_ctf_room(uint64_t size, int layout);
WEFT_API void weft_ctf_own(int index, int is_checked);
WEFT_API void weft_ctf_counted(
	const struct weft_ctf_event *e, const void *data, uint64_t n);
WEFT_API void weft_ctf_check(
	const struct weft_ctf_event *e, const void *data, uint64_t n);

WEFT_INLINE void
weft_ctf_cpu(int index)
{
#ifdef WEFT_CTF_DEBUG
	weft_ctf_own(index, 1);
#else
	weft_ctf_own(index, 0);
#endif
}

#define WEFT_CTF_HEAD 9 /* id, time */

/* Reserves a record as weft_store() does and stores its head; *at receives its
 * position. The caller made sure of room. Returns the address for the n bytes
 * of fields; weft_publish() completes the record. */
WEFT_INLINE unsigned char *
weft_ctf_head(struct weft_ctf_ring *r, uint8_t id, uint64_t n, uint64_t *at)
{
	uint32_t tid = r->tid;
	uint64_t head = WEFT_CTF_HEAD + (tid != 0 ? 4 : 0), later;
	uint64_t pos = *at = weft_reserve(&r->ring.res, head + n);
	uint64_t time = weft_ring_now(&r->ring) - r->start;
	unsigned char *to;

	if (__builtin_expect(__atomic_load_n(&r->ring.res, __ATOMIC_RELAXED) !=
			    pos + head + n,
		    0)) {
		memcpy(&later,
			r->ring.base + ((pos + head + n) & r->ring.mask) + 1,
			8);
		if (later < time)
			time = later;
	}
	to = r->ring.base + (pos & r->ring.mask);
	*to = id;
	memcpy(to + 1, &time, 8);
	if (tid != 0)
		memcpy(to + WEFT_CTF_HEAD, &tid, 4);
	return to + head;
}

WEFT_INLINE void
weft_ctf_store(
	struct weft_ctf_ring *r, uint8_t id, const void *data, uint64_t n)
{
	uint64_t pos;

	memcpy(weft_ctf_head(r, id, n, &pos), data, n);
	weft_publish(&r->ring, pos);
}

/* Records an event with n bytes of fields: one after the other, without
 * padding; each text has at most 511 bytes and its NUL. */
WEFT_INLINE void
weft_ctf_data(const struct weft_ctf_event *e, const void *data, uint64_t n)
{
	uint8_t id = __atomic_load_n(&e->id, __ATOMIC_ACQUIRE);
	struct weft_ctf_ring *r;

#ifdef WEFT_CTF_DEBUG
	weft_ctf_check(e, data, n);
#endif
	if (__builtin_expect(id == 0, 0))
		return;
	r = weft_ctf_self;
	if (__builtin_expect((e->counters & r->counters) != 0, 0)) {
		weft_ctf_counted(e, data, n);
		return;
	}
	if (__builtin_expect(
		    weft_is_beyond(&r->ring.limit,
			    __atomic_load_n(&r->ring.res, __ATOMIC_RELAXED) +
				    WEFT_CTF_HEAD + 4 + n),
		    0)) {
		if (!weft_ctf_room(WEFT_CTF_HEAD + 4 + n, WEFT_CTF_LAYOUT))
			return;
		r = weft_ctf_self;
	}
	weft_ctf_store(r, id, data, n);
}

/* Plain events. weft/ctf_calls.h has the calls for events with fields. */
WEFT_INLINE void
weft_ctf_ev(const struct weft_ctf_tracepoint *p)
{
	weft_ctf_data(&p->event[0], "", 0);
}

/* Records texts followed by n bytes of other fields; the table must declare the
 * fields in this order, else the program stops. Each text is cut at 511
 * bytes. */
WEFT_API void weft_ctf_ev_texts(const struct weft_ctf_tracepoint *p,
	const char *const *texts, int ntexts, const void *data, uint64_t n);

/* Entry points. in_task: true if a task calls from its own code. */
WEFT_INLINE void
weft_ctf_enter_data(const struct weft_ctf_tracepoint *p, int in_task,
	const void *data, uint64_t n)
{
	weft_ctf_data(
		&p->event[in_task ? WEFT_CTF_TC_ENTER : WEFT_CTF_OC_ENTER],
		data, n);
}

WEFT_INLINE void
weft_ctf_enter(const struct weft_ctf_tracepoint *p, int in_task)
{
	weft_ctf_enter_data(p, in_task, "", 0);
}

WEFT_INLINE void
weft_ctf_enter_u16_u32(const struct weft_ctf_tracepoint *p, int in_task,
	uint16_t a, uint32_t b)
{
	unsigned char both[6];
	memcpy(both, &a, 2);
	memcpy(both + 2, &b, 4);
	weft_ctf_enter_data(p, in_task, both, 6);
}

WEFT_INLINE void
weft_ctf_exit(const struct weft_ctf_tracepoint *p, int in_task)
{
	weft_ctf_data(&p->event[in_task ? WEFT_CTF_TC_EXIT : WEFT_CTF_OC_EXIT],
		"", 0);
}

#include <weft/ctf_calls.h>

#ifdef __cplusplus
}
#endif
#endif
