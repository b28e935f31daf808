/* SPDX-License-Identifier: MIT */
/*
 * weft/ctf.h - tracepoints of a task runtime that know task context.
 *
 *	enum { SPAWN, WAIT, RUN, DONE, NPOINTS };
 *	static struct weft_ctf_point points[NPOINTS + 1] = {
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
 * A runtime's public functions are entry points. A call from task context (tc)
 * ends user code and begins runtime code; a call from other context (oc) comes
 * from the runtime itself or from a thread that runs no task. Each variant is
 * a pair of events, enter and exit. Hardware counters (weft/hwc.h) go with the
 * tc events: those of the task at the enter, those of the runtime at the exit.
 *
 * A worker thread says which virtual CPU it owns; all others are external and
 * set up by their first event. Each CPU and each external thread has a ring and
 * a stream of its own, which survives the death of the process. The trace is
 * CTF 1.8 in the layout of Nanos6: trace_PROGRAM/RANK/ctf/user, in the current
 * directory or where WEFT_CTF_DIR says.
 *
 * An event costs one read of the time-stamp counter and a store, and may be
 * recorded in signal handlers; if it carries counters, their reading too, and
 * not in handlers. A program that is compiled with -DWEFT_CTF_DEBUG stops at
 * the first event of a wrong context, of fields that were not declared, or of
 * two threads on one CPU.
 *
 * WEFT_EVENTS chooses points by name (ctf:barrier, ctf:-scheduler_*), once and
 * for all when they are declared; weft_off() and weft_on() of weft/trace.h
 * switch all of them. Counters go on while a point is off: the next event that
 * carries them has what was counted since the last that did.
 *
 * docs/user/instrument-a-runtime.md; C11, C17, C++17; link with -lovni.
 */
#ifndef WEFT_CTF_H
#define WEFT_CTF_H

#include <weft/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The layout of the structs below, as WEFT_LAYOUT is that of trace.h. */
#define WEFT_CTF_LAYOUT 2

/* Which contexts call an entry point; neither: it is a plain event. */
enum { WEFT_CTF_TC = 1, WEFT_CTF_OC = 2 };

/* Which counters an event carries on a worker's stream: those of the task burst
 * that it ends, or of the runtime's. Of an entry point: at its enter, at its
 * exit. */
enum { WEFT_CTF_TASK = 1, WEFT_CTF_RUNTIME = 2 };

/* What a plain event tells of its thread, for checks, totals, and for what the
 * library records by itself. */
enum weft_ctf_does {
	WEFT_CTF_NOTHING,
	WEFT_CTF_TASK_START,
	WEFT_CTF_TASK_END,
	WEFT_CTF_TASK_BLOCK,
	WEFT_CTF_TASK_UNBLOCK,
	/* These the library records by itself, if the table has them. */
	WEFT_CTF_EXTERNAL_CREATE,   /* u32 tid; at the first event of an */
	WEFT_CTF_EXTERNAL_RESUME,   /* external thread, or of the leader */
	WEFT_CTF_EXTERNAL_SHUTDOWN, /* u32 tid; at its end */
	WEFT_CTF_FLUSH, /* u64 start, u64 end: it waited for room in its ring */
	/* u32 tid; a runtime whose threads change CPUs within calls or tasks
	 * records it behind weft_ctf_cpu(), so that readers know whose they
	 * are. */
	WEFT_CTF_THREAD_RESUME,
	/* Threads begin, move and end, or something gets its name: is recorded
	 * whatever WEFT_EVENTS says, and while recording is switched off. */
	WEFT_CTF_KEPT,
};

/* An event of the trace; set by the library. */
struct weft_ctf_event {
	uint8_t id;       /* 0: not recorded */
	uint8_t counters; /* WEFT_CTF_TASK, WEFT_CTF_RUNTIME or 0 */
	uint8_t own;      /* id, also while it is switched off */
};

/* Which of the events of an entry point. */
enum {
	WEFT_CTF_TC_ENTER,
	WEFT_CTF_TC_EXIT,
	WEFT_CTF_OC_ENTER,
	WEFT_CTF_OC_EXIT
};

/* A row of a runtime's table, which lives as long as the process. */
struct weft_ctf_point {
	const char *name;   /* letters, digits and _ */
	const char *fields; /* of the event or the enter: "u32 id, str label";
	                     * u8 u16 u32 u64 i8 i16 i32 i64 str, at most 8 */
	int variants;
	int counters;
	enum weft_ctf_does does;        /* a plain event */
	struct weft_ctf_event event[4]; /* a plain event has the first */
};

struct weft_ctf_runtime {
	const char *prefix; /* of all names: "nanos6" makes "nanos6:tc:..." */
	struct weft_ctf_point *points; /* ended by a row without a name */
	int ncpus;                     /* virtual CPUs */
	const int *cpus;               /* their system ids; NULL: 0, 1, ... */
};

/*
 * Begins the trace of the process: events get their ids in the order of the
 * table, from 1 on (tc enter, tc exit, oc enter, oc exit), and the metadata is
 * written. Two points of one name, unknown fields, more than 255 events end the
 * program with a message. 0: no trace can be written, or one was begun; the
 * program goes on without. Not for signal handlers.
 */
WEFT_API int weft_ctf_start(const struct weft_ctf_runtime *runtime);

/* Adds points, also while other threads record; the table as above. */
WEFT_API void weft_ctf_declare(struct weft_ctf_point *points);

/* Ends the trace; exit does the same. No thread may record any more. */
WEFT_API void weft_ctf_stop(void);

/* The calling thread owns that virtual CPU from now on, counted from 0, or is
 * the leader, on a CPU of its own; whoever owned it has left it. What it
 * records until weft_ctf_leave() is of that CPU. */
#define WEFT_CTF_LEADER (-1)
WEFT_INLINE void weft_ctf_cpu(int index);

/* The calling thread owns no CPU any more. */
WEFT_API void weft_ctf_leave(void);

/* The task that the thread runs from now on is of this type; NULL: none. For
 * the totals of counters; the text must stay. */
WEFT_API void weft_ctf_task_type(const char *label);

/* ns of the trace's clock, for fields. */
WEFT_API uint64_t weft_ctf_now(void);

/* The ring of a CPU or of an external thread. Not to be touched. */
struct weft_ctf_ring {
	struct weft_ring ring;
	uint64_t start; /* ns; times of the trace count from here */
	uint32_t tid;   /* of a thread on no CPU: its events carry it; or 0 */
	uint32_t counters; /* what events carry here: both, or 0 */
};

extern WEFT_API __thread struct weft_ctf_ring *weft_ctf_self
	__attribute__((tls_model("initial-exec")));

/* The slow ways, as weft_room() in trace.h. */
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

/* Begins a record, as weft_store() does, at *at. There is room. Returns where
 * its n bytes go; weft_publish() ends it. */
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

/* Records an event whose fields are n bytes: one after the other, without
 * padding, texts of at most 511 bytes with their NUL. */
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

/* Plain events; those with fields are in weft/ctf_calls.h. */
WEFT_INLINE void
weft_ctf_ev(const struct weft_ctf_point *p)
{
	weft_ctf_data(&p->event[0], "", 0);
}

/* Texts, then n bytes of other fields, which the table has in this order; each
 * text is cut at 511 bytes. A program whose table has another order stops. */
WEFT_API void weft_ctf_ev_texts(const struct weft_ctf_point *p,
	const char *const *texts, int ntexts, const void *data, uint64_t n);

/* Entry points. in_task: a task calls, from its own code. */
WEFT_INLINE void
weft_ctf_enter_data(const struct weft_ctf_point *p, int in_task,
	const void *data, uint64_t n)
{
	weft_ctf_data(
		&p->event[in_task ? WEFT_CTF_TC_ENTER : WEFT_CTF_OC_ENTER],
		data, n);
}

WEFT_INLINE void
weft_ctf_enter(const struct weft_ctf_point *p, int in_task)
{
	weft_ctf_enter_data(p, in_task, "", 0);
}

WEFT_INLINE void
weft_ctf_enter_u16_u32(
	const struct weft_ctf_point *p, int in_task, uint16_t a, uint32_t b)
{
	unsigned char both[6];
	memcpy(both, &a, 2);
	memcpy(both + 2, &b, 4);
	weft_ctf_enter_data(p, in_task, both, 6);
}

WEFT_INLINE void
weft_ctf_exit(const struct weft_ctf_point *p, int in_task)
{
	weft_ctf_data(&p->event[in_task ? WEFT_CTF_TC_EXIT : WEFT_CTF_OC_EXIT],
		"", 0);
}

#include <weft/ctf_calls.h>

#ifdef __cplusplus
}
#endif
#endif
