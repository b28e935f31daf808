/* SPDX-License-Identifier: MIT */
/*
 * events.h - what the runtime records, in either of two formats or in both:
 * MINITASK_TRACE=ovni, ctf or both.
 *
 * nanos6_events.h has the events of ovni. Those of CTF are the table of
 * <weft/nanos6.h>: fewer, but calls are told apart by whether a task makes
 * them, and can carry counters. A worker records on the stream of its CPU, so
 * it owns this stream from the event that resumes it to the event that suspends
 * it.
 */
#ifndef MINITASK_EVENTS_H
#define MINITASK_EVENTS_H

#include <weft/nanos6.h>

#include "internal.h"
#include "nanos6_events.h"

enum { MT_OVNI = 1, MT_CTF = 2 };
extern int mt_traces;

/* The tracepoints of Nanos6, and two that older versions of it had: a worker
 * helps with a task-for. */
enum { HELP_BEGIN = WEFT_NANOS6_N, HELP_END };
extern struct weft_ctf_tracepoint mt_points[];
#define CTF(point) (&mt_points[point])

/* Ids below 4 have fixed meanings in Nanos6. */
enum { FIRST_ID = 3 };

/* start.c: events_choose() reads MINITASK_TRACE; events_begin() begins the
 * traces, once the CPUs are known. */
void events_choose(void);
void events_begin(void);

/* Returns whether the caller is a task's own code. */
static inline int
in_task(void)
{
	return mt_me && mt_me->task;
}

#define EV_OVNI(call) \
	do { \
		if (mt_traces & MT_OVNI) \
			call; \
	} while (0)
#define EV_CTF(call) \
	do { \
		if (mt_traces & MT_CTF) \
			call; \
	} while (0)

/* Define the functions ev_NAME_begin and ev_NAME_end (pairs), and ev_NAME
 * (punctual events). */
#define EV_PAIR(name, at_begin, at_end) \
	static inline void ev_##name##_begin(void) \
	{ \
		EV_OVNI(n6_##name##_begin()); \
		at_begin; \
	} \
	static inline void ev_##name##_end(void) \
	{ \
		at_end; \
		EV_OVNI(n6_##name##_end()); \
	}
#define EV_ONLY(name) EV_PAIR(name, , )
#define EV_PLAIN(name, first, second) \
	EV_PAIR(name, EV_CTF(weft_ctf_ev(CTF(WEFT_NANOS6_##first))), \
		EV_CTF(weft_ctf_ev(CTF(WEFT_NANOS6_##second))))
#define EV_CALL(name, point) \
	EV_PAIR(name, \
		EV_CTF(weft_ctf_enter(CTF(WEFT_NANOS6_##point), in_task())), \
		EV_CTF(weft_ctf_exit(CTF(WEFT_NANOS6_##point), in_task())))
#define EV_POINT(name) \
	static inline void ev_##name(void) \
	{ \
		EV_OVNI(n6_##name()); \
	}

static inline void
ev_lock_begin(void)
{
	EV_CTF(weft_ctf_enter(CTF(WEFT_NANOS6_MUTEX_LOCK), 1));
}

static inline void
ev_lock_end(void)
{
	EV_CTF(weft_ctf_exit(CTF(WEFT_NANOS6_MUTEX_LOCK), 1));
}

static inline void
ev_unlock_begin(void)
{
	EV_CTF(weft_ctf_enter(CTF(WEFT_NANOS6_MUTEX_UNLOCK), 1));
}

static inline void
ev_unlock_end(void)
{
	EV_CTF(weft_ctf_exit(CTF(WEFT_NANOS6_MUTEX_UNLOCK), 1));
}

static inline void
ev_type_create(const struct mt_type *type, uint32_t id)
{
	const char *texts[2] = { type->label, type->source };
	uint16_t number = (uint16_t)(id + FIRST_ID);

	EV_OVNI(n6_type_create(id, type->label));
	EV_CTF(weft_ctf_ev_texts(CTF(WEFT_NANOS6_TASK_LABEL), texts, 2, &number,
		sizeof(number)));
}

static inline void
ev_create_begin(uint32_t type, uint32_t id)
{
	EV_OVNI(n6_create_begin());
	EV_CTF(weft_ctf_enter_u16_u32(CTF(WEFT_NANOS6_TASK_CREATE), in_task(),
		(uint16_t)(type + FIRST_ID), id + FIRST_ID));
}

static inline void
ev_create_end(uint32_t type, uint32_t id)
{
	EV_CTF(weft_ctf_exit(CTF(WEFT_NANOS6_TASK_CREATE), in_task()));
	EV_OVNI(n6_task_create(id, type));
	EV_OVNI(n6_create_end());
}

static inline void
ev_task_begin(const struct mt_task *task)
{
	EV_OVNI(n6_task_execute(task->id));
	EV_OVNI(n6_task_body_begin(task->id));
	EV_CTF(weft_ctf_ev_u32(
		CTF(WEFT_NANOS6_TASK_START), task->id + FIRST_ID));
	EV_CTF(weft_ctf_task_type(task->type->label));
}

static inline void
ev_body_end(const struct mt_task *task)
{
	EV_OVNI(n6_task_body_end(task->id));
}

static inline void
ev_task_end(const struct mt_task *task)
{
	EV_CTF(weft_ctf_ev(CTF(WEFT_NANOS6_TASK_END)));
	EV_CTF(weft_ctf_task_type(
		task->below ? task->below->type->label : NULL));
	EV_OVNI(n6_task_end(task->id));
}

static inline void
ev_task_pause(const struct mt_task *task)
{
	EV_OVNI(n6_task_pause(task->id));
	EV_CTF(weft_ctf_ev(CTF(WEFT_NANOS6_TASK_BLOCK)));
}

static inline void
ev_task_resume(const struct mt_task *task)
{
	EV_CTF(weft_ctf_ev(CTF(WEFT_NANOS6_TASK_UNBLOCK)));
	EV_OVNI(n6_task_resume(task->id));
}

/* A task begins to run on top of another one. In CTF the lower task is blocked
 * meanwhile; for ovni both run. */
static inline void
ev_cover(void)
{
	EV_CTF(weft_ctf_ev(CTF(WEFT_NANOS6_TASK_BLOCK)));
}

static inline void
ev_uncover(void)
{
	EV_CTF(weft_ctf_ev(CTF(WEFT_NANOS6_TASK_UNBLOCK)));
}

static inline void
ev_help_begin(const struct mt_task *task)
{
	unsigned char both[6];
	uint16_t type = (uint16_t)(task->type->id + FIRST_ID);
	uint32_t id = task->id + FIRST_ID;

	memcpy(both, &type, 2);
	memcpy(both + 2, &id, 4);
	EV_CTF(weft_ctf_data(&CTF(HELP_BEGIN)->event[0], both, sizeof(both)));
	EV_CTF(weft_ctf_ev(CTF(HELP_END)));
}

static inline void
ev_chunk_begin(const struct mt_task *task, int is_helper)
{
	EV_OVNI(n6_task_chunk_begin(task->id));
	if (is_helper)
		EV_CTF(weft_ctf_ev_u32(
			CTF(WEFT_NANOS6_TASK_START), task->id + FIRST_ID));
}

static inline void
ev_chunk_end(const struct mt_task *task, int is_helper)
{
	if (is_helper)
		EV_CTF(weft_ctf_ev(CTF(WEFT_NANOS6_TASK_END)));
	EV_OVNI(n6_task_chunk_end(task->id));
}

/* Returns the time from which a thread waits for the scheduler's lock. */
static inline uint64_t
ev_now(void)
{
	return mt_traces & MT_CTF ? weft_ctf_now() : 0;
}

static inline void
ev_serve_begin(uint64_t since)
{
	EV_OVNI(n6_serve_begin());
	EV_CTF(weft_ctf_ev_u64(CTF(WEFT_NANOS6_LOCK_SERVER), since));
}

static inline void
ev_serve_end(void)
{
	EV_CTF(weft_ctf_ev(CTF(WEFT_NANOS6_LOCK_SERVER_EXIT)));
	EV_OVNI(n6_serve_end());
}

static inline void
ev_sent(const struct mt_task *task)
{
	EV_OVNI(n6_sent());
	EV_CTF(weft_ctf_ev_u32(
		CTF(WEFT_NANOS6_LOCK_ASSIGN), task->id + FIRST_ID));
}

static inline void
ev_received(uint64_t since, const struct mt_task *task)
{
	EV_OVNI(n6_received());
	EV_CTF(weft_ctf_ev_u64_u32(
		CTF(WEFT_NANOS6_LOCK_CLIENT), since, task->id + FIRST_ID));
}

static inline void
ev_wake(int32_t tid)
{
	EV_OVNI(n6_wake(tid));
}

/* Workers. After thread_cool() another worker may record on the CPU. */
static inline void
ev_worker_start(const struct worker *me)
{
	EV_OVNI(thread_begin(me->cpu->id, me->creator));
	EV_CTF(weft_ctf_cpu(me->cpu->index));
	EV_CTF(weft_ctf_ev_u32(
		CTF(WEFT_NANOS6_THREAD_CREATE), (uint32_t)me->tid));
	EV_CTF(weft_ctf_ev_u32(
		CTF(WEFT_NANOS6_THREAD_RESUME), (uint32_t)me->tid));
}

static inline void
ev_worker_stop(const struct worker *me)
{
	EV_CTF(weft_ctf_ev_u32(
		CTF(WEFT_NANOS6_THREAD_SHUTDOWN), (uint32_t)me->tid));
	EV_CTF(weft_ctf_leave());
	EV_OVNI(thread_end());
}

static inline void
ev_worker_leave(const struct worker *me)
{
	EV_CTF(weft_ctf_ev_u32(
		CTF(WEFT_NANOS6_THREAD_SUSPEND), (uint32_t)me->tid));
	EV_CTF(weft_ctf_leave());
}

static inline void
ev_worker_back(const struct worker *me)
{
	EV_OVNI(thread_resume());
	EV_CTF(weft_ctf_cpu(me->cpu->index));
	EV_CTF(weft_ctf_ev_u32(
		CTF(WEFT_NANOS6_THREAD_RESUME), (uint32_t)me->tid));
}

/* Threads that are not workers. */
static inline void
ev_other_pause(void)
{
	EV_CTF(weft_ctf_ev_u32(
		CTF(WEFT_NANOS6_EXTERNAL_SUSPEND), (uint32_t)gettid()));
	EV_OVNI(thread_pause());
}

static inline void
ev_other_resume(void)
{
	EV_OVNI(thread_resume());
	EV_CTF(weft_ctf_ev_u32(
		CTF(WEFT_NANOS6_EXTERNAL_RESUME), (uint32_t)gettid()));
}

/* clang-format off */

/* Events of ovni only. */
EV_ONLY(handle)
EV_ONLY(switch)
EV_ONLY(migrate)
EV_ONLY(suspend)
EV_ONLY(resume)
EV_ONLY(sponge)
EV_ONLY(alloc)
EV_ONLY(free)
EV_ONLY(process)
EV_ONLY(external)
EV_ONLY(worker)
EV_ONLY(leader)
EV_ONLY(main)
EV_POINT(progressing)
EV_POINT(resting)
EV_POINT(absorbing)
EV_POINT(took)

/* Work of the runtime itself. */
EV_PLAIN(look,       GET_TASK_ENTER,   GET_TASK_EXIT)
EV_PLAIN(add,        ADD_TASK_ENTER,   ADD_TASK_EXIT)
EV_PLAIN(register,   REGISTER_ENTER,   REGISTER_EXIT)
EV_PLAIN(unregister, UNREGISTER_ENTER, UNREGISTER_EXIT)

/* Calls into the runtime, by tasks or others. */
EV_CALL(submit,   TASK_SUBMIT)
EV_CALL(spawn,    SPAWN)
EV_CALL(taskwait, TASKWAIT)
EV_CALL(wait_for, WAITFOR)
EV_CALL(block,    BLOCK)
EV_CALL(unblock,  UNBLOCK)
/* clang-format on */

#endif
