/* SPDX-License-Identifier: MIT */
/*
 * nanos6_events.h - the events of the nanos6 model, one line each.
 *
 *	n6_create_begin();              "6C[", Task: Creating
 *	n6_task_create(id, type);       "6Tc"
 *	n6_create_end();                "6C]"
 *
 * All but the thread's start and end come from <weft/trace.h> alone. A runtime
 * of your own that does the same kind of things can take this file as it is;
 * "weft events nanos6" lists what each event says. Nanos6's events are for
 * threads that are active: between thread_pause() and thread_warm() there are
 * none.
 */
#ifndef NANOS6_EVENTS_H
#define NANOS6_EVENTS_H

#include <ovni.h>
#include <unistd.h>
#include <weft/trace.h>

/*
 * Threads on CPUs. A thread that begins by its first event does so on the
 * virtual CPU, which stands for "somewhere"; a runtime that binds its threads
 * knows better. At most one thread of a CPU may run, so a thread that leaves
 * its CPU records that before another one resumes:
 *
 *	running -cool-> cooling -pause-> paused -warm-> warming -resume->
 */
static inline void
thread_begin(int32_t cpu, int32_t creator)
{
	struct {
		int32_t cpu, creator;
		uint64_t tag;
	} start = { cpu, creator, 0 };

	ovni_thread_init(gettid());
	weft_ev_data("OHx", &start, sizeof(start));
}

static inline void
thread_end(void)
{
	weft_ev("OHe");
	ovni_thread_free();
}

/* cpu -1 is the virtual CPU. */
static inline void
thread_move(int32_t cpu)
{
	weft_ev_i32("OAs", cpu);
}

static inline void
thread_cool(void)
{
	weft_ev("OHc");
}

static inline void
thread_pause(void)
{
	weft_ev("OHp");
}

static inline void
thread_warm(void)
{
	weft_ev("OHw");
}

static inline void
thread_resume(void)
{
	weft_ev("OHr");
}

static inline void
n6_task_create(uint32_t task, uint32_t type)
{
	weft_ev_u32_u32("6Tc", task, type);
}

/* Equal labels have one colour, whatever their ids. */
static inline void
n6_type_create(uint32_t type, const char *label)
{
	weft_jumbo_u32_str("6Yc", type, label);
}

/* Says that the calling thread wakes the worker with that thread id. */
static inline void
n6_wake(int32_t tid)
{
	weft_ev_i32("6W*", tid);
}

#define N6_SPAN(name, enter, leave) \
	static inline void n6_##name##_begin(void) \
	{ \
		weft_ev(enter); \
	} \
	static inline void n6_##name##_end(void) \
	{ \
		weft_ev(leave); \
	}
#define N6_POINT(name, code) \
	static inline void n6_##name(void) \
	{ \
		weft_ev(code); \
	}
#define N6_TASK(name, code) \
	static inline void n6_task_##name(uint32_t task) \
	{ \
		weft_ev_u32(code, task); \
	}

/* clang-format off */

/* The kinds of threads. */
N6_SPAN(external,    "6He", "6HE") /* a thread of the program's own */
N6_SPAN(worker,      "6Hw", "6HW")
N6_SPAN(leader,      "6Hl", "6HL")
N6_SPAN(main,        "6Hm", "6HM")

/* What a thread does; these states nest. */
N6_SPAN(look,        "6W[", "6W]") /* looks for work */
N6_SPAN(handle,      "6Wt", "6WT") /* a task, including what precedes and follows its body */
N6_SPAN(switch,      "6Ww", "6WW") /* switches to another worker */
N6_SPAN(migrate,     "6Wm", "6WM") /* moves to another CPU */
N6_SPAN(suspend,     "6Ws", "6WS")
N6_SPAN(resume,      "6Wr", "6WR") /* another worker */
N6_SPAN(sponge,      "6Wg", "6WG")
N6_SPAN(create,      "6C[", "6C]")
N6_SPAN(submit,      "6U[", "6U]")
N6_SPAN(spawn,       "6F[", "6F]") /* a function, from outside */
N6_SPAN(alloc,       "6Ma", "6MA")
N6_SPAN(free,        "6Mf", "6MF")
N6_SPAN(register,    "6Dr", "6DR") /* dependencies */
N6_SPAN(unregister,  "6Du", "6DU")
N6_SPAN(serve,       "6S[", "6S]") /* the scheduler's queue */
N6_SPAN(add,         "6Sa", "6SA") /* ready tasks */
N6_SPAN(process,     "6Sp", "6SP") /* ready tasks that others added */
N6_SPAN(block,       "6Bb", "6BB")
N6_SPAN(unblock,     "6Bu", "6BU")
N6_SPAN(taskwait,    "6Bw", "6BW")
N6_SPAN(wait_for,    "6Bf", "6BF")

/* Whether a worker has something to do. It begins as progressing; repeating a
 * state is an error. */
N6_POINT(progressing, "6Pp")
N6_POINT(resting,     "6Pr")
N6_POINT(absorbing,   "6Pa") /* the system's noise */

/* Punctual events of the scheduler. */
N6_POINT(received,    "6Sr") /* a task from the server */
N6_POINT(sent,        "6Ss") /* a task to another thread */
N6_POINT(took,        "6S@") /* a task for oneself */

/* A task's life: execute, pause and resume, end. Ids count from 1. */
N6_TASK(execute,     "6Tx")
N6_TASK(pause,       "6Tp")
N6_TASK(resume,      "6Tr")
N6_TASK(end,         "6Te")
N6_TASK(body_begin,  "6t[")
N6_TASK(body_end,    "6t]")
N6_TASK(chunk_begin, "6O[") /* the part of a task-for that one thread runs */
N6_TASK(chunk_end,   "6O]")
/* clang-format on */

#endif
